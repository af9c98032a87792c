#include "learn/bias/extensions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "learn/evaluate/candidate_graph.h"
#include "logic/dependencies.h"

namespace neumann {
namespace {

constexpr std::size_t most_values = 4'000'000;  // that are computed at a time

class WorldFinder {
public:
    WorldFinder(WorldQuestion& question, Diagnostics& diagnostics)
        : question_(question), program_(question.program), diagnostics_(diagnostics) {
        worlds_.extensions.resize(program_.signature.predicates().size());
        worlds_.signature = program_.signature;
        worlds_.terms = program_.terms;
    }

    Worlds find() {
        find_dependent();
        take_facts();
        take_inputs();
        if (std::ranges::any_of(program_.clauses,
                                [&](const Clause& clause) { return is_wanted(clause.head.predicate); }))
            derive();
        return std::move(worlds_);
    }

private:
    bool is_wanted(PredicateId predicate) const { return question_.wanted[predicate.index()]; }

    // Predicates that differ from world to world.
    void find_dependent() {
        const std::size_t count = program_.signature.predicates().size();
        std::vector<bool> given(count, false);
        for (const LabelledExample& example : question_.examples.examples) {
            for (const AtomValue& input : example.inputs) given[question_.pool.predicate(input.atom).index()] = true;
        }
        derived_.assign(count, false);
        for (const Clause& clause : program_.clauses) derived_[clause.head.predicate.index()] = true;
        dependent_.assign(count, false);
        const DependencyGraph dependencies = dependencies_of(program_);
        for (std::uint32_t p = 0; p < count; ++p) {
            if (!question_.wanted[p]) continue;
            const std::vector<bool> needed = dependencies.needed_for(std::array{PredicateId(p)});
            for (std::size_t q = 0; q < count; ++q) dependent_[p] = dependent_[p] || (needed[q] && given[q]);
        }
    }

    void add_shared(PredicateId predicate, std::span<const TermId> args) {
        Extension& extension = worlds_.extensions[predicate.index()];
        extension.shared.insert(extension.shared.end(), args.begin(), args.end());
        ++extension.shared_count;
    }
    void add_own(std::uint32_t world, PredicateId predicate, std::span<const TermId> args) {
        Extension& extension = worlds_.extensions[predicate.index()];
        extension.own.insert(extension.own.end(), args.begin(), args.end());
        extension.worlds.push_back(world);
    }

    void take_facts() {
        for (std::size_t i = 0; i < program_.facts.size(); ++i) {
            const FactList::Fact fact = program_.facts[i];
            if (!is_wanted(fact.predicate)) continue;
            worlds_.crisp = worlds_.crisp && fact.probability == 1;
            if (fact.probability >= 0.5) add_shared(fact.predicate, fact.args);
        }
    }

    void take_inputs() {
        const std::vector<LabelledExample>& examples = question_.examples.examples;
        for (std::uint32_t w = 0; w < examples.size(); ++w) {
            for (const AtomValue& input : examples[w].inputs) {
                worlds_.crisp = worlds_.crisp && (input.value == 0 || input.value == 1);
                const PredicateId predicate = question_.pool.predicate(input.atom);
                // Inputs of derived predicates are added with the derived atoms.
                if (input.value >= 0.5F && is_wanted(predicate) && !derived_[predicate.index()])
                    add_own(w, predicate, question_.pool.args(input.atom));
            }
        }
    }

    // Derived atoms, by the reasoner: once those that no input can reach, and world by world the others.
    void derive() {
        Program closed = program_;
        closed.learn.clear();
        const ExampleSet* sets[] = {&question_.examples};
        const LearningProblem problem(std::move(closed), question_.pool, sets, question_.grounding,
                                      info(question_.reasoning.semantics), diagnostics_);
        if (diagnostics_.has_errors()) return;
        worlds_.signature = problem.program().signature;
        worlds_.terms = problem.program().terms;
        std::array<std::vector<std::uint32_t>, 2> asked;  // fixed, dependent
        const AtomTable& atoms = problem.grounder().atoms();
        for (std::uint32_t p = 0; p < program_.signature.predicates().size(); ++p) {
            if (!question_.wanted[p] || !derived_[p]) continue;
            worlds_.extensions[p] = {};  // its facts are among the derived atoms
            const AtomTable::Range& range = atoms.range(PredicateId(p));
            for (std::uint32_t i = 0; i < range.count; ++i) asked[dependent_[p] ? 1 : 0].push_back(range.first + i);
        }
        const std::vector<LabelledExample> nothing(1);
        ask(problem, asked[0], nothing,
            [&](std::uint32_t, AtomId atom) { add_shared(atoms.predicate_of(atom), atoms.args_of(atom)); });
        ask(problem, asked[1], question_.examples.examples,
            [&](std::uint32_t world, AtomId atom) { add_own(world, atoms.predicate_of(atom), atoms.args_of(atom)); });
    }

    template <class Holds>
    void ask(const LearningProblem& problem, const std::vector<std::uint32_t>& atoms,
             std::span<const LabelledExample> examples, Holds&& holds) {
        if (atoms.empty()) return;
        std::vector<bool> asked(problem.grounder().atoms().size(), false);
        for (const std::uint32_t atom : atoms) asked[atom] = true;
        CandidateGraph graph(problem, {}, asked, {question_.reasoning, std::nullopt, question_.stop});
        const std::size_t chunk = std::max<std::size_t>(1, most_values / atoms.size());
        std::vector<float> values;
        for (std::size_t first = 0; first < examples.size(); first += chunk) {
            const auto some = examples.subspan(first, std::min(chunk, examples.size() - first));
            graph.predict(Dataset(problem, some, atoms), values);
            for (std::size_t v = 0; v < values.size(); ++v) {
                if (values[v] >= 0.5F)
                    holds(static_cast<std::uint32_t>(first + v / atoms.size()), AtomId(atoms[v % atoms.size()]));
            }
        }
    }

    WorldQuestion& question_;
    const Program& program_;
    Diagnostics& diagnostics_;
    std::vector<bool> derived_;
    std::vector<bool> dependent_;
    Worlds worlds_;
};

}  // namespace

Worlds find_worlds(WorldQuestion question, Diagnostics& diagnostics) {
    return WorldFinder(question, diagnostics).find();
}

}  // namespace neumann
