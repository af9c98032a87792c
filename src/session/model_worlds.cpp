#include "session/model_worlds.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "base/memory.h"
#include "base/text.h"
#include "logic/print.h"
#include "worlds/compile.h"

namespace neumann {
namespace {

// Groups of atoms of a predicate that differ in one argument alone.
void add_exclusive(const CompiledProgram& compiled, PredicateId predicate, std::uint32_t argument, WorldsTask& task) {
    const AtomTable& atoms = compiled.ground.atoms;
    const AtomTable::Range& range = atoms.range(predicate);
    std::map<std::vector<TermId>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t atom = range.first; atom < range.first + range.count; ++atom) {
        if (!task.random_atom[atom]) continue;
        const std::span<const TermId> args = atoms.args_of(AtomId(atom));
        std::vector<TermId> others(args.begin(), args.end());
        others.erase(others.begin() + argument);
        groups[std::move(others)].push_back(atom);
    }
    for (auto& [others, group] : groups)
        if (group.size() > 1) task.exclusive.push_back(std::move(group));
}

// No DiagramLimit, after which another order of choices would be tried.
struct TimeOver : std::runtime_error {
    using std::runtime_error::runtime_error;
};

CompileLimits compile_limits(const ReasonerOptions& options) {
    using Clock = std::chrono::steady_clock;
    CompileLimits limits;
    limits.bytes = (options.memory_limit != 0 ? options.memory_limit : available_memory_bytes() / 5 * 4) / 2;
    const auto begun = Clock::now();
    limits.watch = [options, begun](std::size_t done, std::size_t all, std::size_t nodes) {
        if (options.progress) options.progress(fmt::format("compiling, {} nodes", nodes), done, all);
        const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
        if (options.time_limit > 0 && seconds > options.time_limit)
            throw TimeOver(fmt::format("the time limit of {} s is over, with {} of {} atoms and {} nodes",
                                       options.time_limit, done, all, nodes));
    };
    return limits;
}

// "There are 1,200 random choices, of which 1,100 are of edge/2"
std::string where_choices_are(const CompiledProgram& compiled, const RandomChoices& choices) {
    const ReasoningGraph& graph = compiled.ground.graph;
    std::map<PredicateId, std::set<std::uint32_t>> by_predicate;
    for (const std::uint32_t atom : choices.atoms()) {
        std::set<std::uint32_t>& of = by_predicate[compiled.ground.atoms.predicate_of(AtomId(atom))];
        if (choices.of_atom(atom).random()) of.insert(choices.of_atom(atom).choice);
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c)
            if (choices.of_conjunction(c).random()) of.insert(choices.of_conjunction(c).choice);
    }
    const auto most = std::ranges::max_element(by_predicate, {}, [](const auto& one) { return one.second.size(); });
    const std::string indicator = print_indicator(compiled.program.signature.predicate(most->first));
    return fmt::format("It depends on {}, {} of them of {}", counted(choices.count(), "random choice"),
                       most->second.size() == choices.count() ? "all" : fmt::format("{}", most->second.size()),
                       indicator);
}

// "Ask a narrower query, …": exact values may be had nearly, too.
std::string ways_out(const SemanticsSummary& laws) {
    constexpr const char* narrower = "Ask a narrower query, ";
    constexpr const char* raise = "raise --memory-limit or --time-limit";
    std::vector<std::string_view> nearly;
    for (const SemanticsSummary& one : known_semantics())
        if (one.has_bounds) nearly.push_back(one.name);
    if (!laws.is_exact) return fmt::format("{}or {}", narrower, raise);
    return fmt::format("{}{}, or take --semantics {}", narrower, raise, fmt::join(nearly, " or "));
}

// "path(a,c) :- edge(a,b), \\+ closed(b)"
std::string instance_text(const CompiledProgram& compiled, std::uint32_t conjunction) {
    const ReasoningGraph& graph = compiled.ground.graph;
    std::string text = compiled.atom_text(graph.head[conjunction]);
    const char* before = " :- ";
    for (const GraphLiteral literal : graph.literals(conjunction))
        text += std::exchange(before, ", ") + std::string(literal.negated() ? "\\+ " : "") +
                compiled.atom_text(literal.atom());
    return text;
}

}  // namespace

WorldsTask worlds_task(const CompiledProgram& compiled, std::span<const std::uint32_t> asked,
                       std::span<const double> weights) {
    const ReasoningGraph& graph = compiled.ground.graph;
    WorldsTask task;
    task.asked.assign(asked.begin(), asked.end());
    task.observed = compiled.observed;
    for (const double weight : weights) task.random_clause.push_back(weight != 1);
    for (const ClauseInfo& clause : compiled.clauses)
        task.disjunction.push_back(clause.choice.value_or(WorldsTask::none));
    for (const float initial : graph.initial.span()) task.random_atom.push_back(initial > 0 && initial < 1);
    for (const FactChance& one : compiled.ground.chances)
        task.chances.emplace_back(static_cast<std::uint32_t>(one.atom), one.probability);
    const std::vector<PredicateDecl>& predicates = compiled.program.signature.predicates();
    for (std::uint32_t p = 0; p < predicates.size(); ++p) {
        const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
        for (std::uint32_t atom = range.first; predicates[p].neural && atom < range.first + range.count; ++atom)
            task.random_atom[atom] = true;
        if (predicates[p].exclusive) add_exclusive(compiled, PredicateId(p), *predicates[p].exclusive, task);
    }
    return task;
}

WorldDiagrams compile_model_worlds(Model::State& model, const ReasonerOptions& options,
                                   std::span<const std::uint32_t> asked, std::span<const double> weights) {
    WorldsTask task = worlds_task(model.compiled(), asked, weights);
    RandomChoices choices(model.graph(), task);
    const SemanticsSummary& laws = semantics_summary(options.semantics);
    const auto too_hard = [&](const std::exception& why) {
        return TooHard(fmt::format("{} are too hard here: {}. {}. {}", laws.values_name, why.what(),
                                   where_choices_are(model.compiled(), choices), ways_out(laws)));
    };
    try {
        CompiledWorlds diagrams =
            compile_diagrams(model.graph(), model.levels(), task, choices, compile_limits(options));
        return {std::move(task), std::move(choices), std::move(diagrams)};
    } catch (const DiagramLimit& limit) {
        throw too_hard(limit);
    } catch (const TimeOver& over) {
        throw too_hard(over);
    }
}

World describe_world(const CompiledProgram& compiled, const RandomChoices& choices, const ProbableWorld& world,
                     const Chances& chances) {
    const ReasoningGraph& graph = compiled.ground.graph;
    World result{world.probability, world.evidence, {}, {}};
    const auto add = [&](RandomChoices::Outcome outcome, std::string text, std::uint32_t line, double probability) {
        result.decided.push_back(
            {std::move(text), line, probability, outcome.choice, world.ways[outcome.choice] == outcome.way});
    };
    for (const std::uint32_t atom : choices.atoms()) {
        if (const RandomChoices::Outcome outcome = choices.of_atom(atom); outcome.random())
            add(outcome, compiled.atom_text(atom), 0, chances.initial[atom]);
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
            const RandomChoices::Outcome outcome = choices.of_conjunction(c);
            const std::uint32_t clause = graph.clause[c];
            if (outcome.random())
                add(outcome, instance_text(compiled, c), compiled.clauses[clause].line, chances.weight[clause]);
        }
    }
    std::ranges::stable_sort(result.decided, {}, &World::Decided::choice);
    return result;
}

}  // namespace neumann
