#include "oracle/learning_trial.h"

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/cases.h"
#include "oracle/random_graph.h"
#include "oracle/random_vocabulary.h"

namespace neumann::oracle {

std::string random_layers(Rng& rng) {
    std::string text = ":- type(t, [a, b, c]).\n";
    std::vector<unsigned> arity;
    const auto name = [](std::size_t p) { return fmt::format("p{}", p); };
    const auto args = [&](std::size_t p, std::span<const char* const> terms) {
        std::string result = name(p) + "(";
        for (unsigned i = 0; i < arity[p]; ++i)
            result += fmt::format("{}{}", i == 0 ? "" : ",", terms[pick(rng, terms.size())]);
        return result + ")";
    };
    constexpr const char* constants[] = {"a", "b", "c"};
    constexpr const char* variables[] = {"X", "Y", "Z"};
    constexpr std::size_t given = 4;
    const std::size_t predicates = given + 2 + pick(rng, 5);
    for (std::size_t p = 0; p < predicates; ++p) {
        arity.push_back(1 + rng.below(2));
        text += fmt::format(":- pred({}({})).\n", name(p), arity[p] == 1 ? "t" : "t, t");
    }
    std::set<std::string> facts;
    for (std::size_t n = 0; n < 16; ++n) facts.insert(args(pick(rng, given), constants));
    for (const std::string& fact : facts) text += fmt::format("0.{}::{}.\n", 1 + rng.below(9), fact);
    for (std::size_t p = given; p < predicates; ++p) {
        for (std::size_t n = 1 + pick(rng, 4); n > 0; --n) {
            std::vector<std::string> body;
            for (std::size_t goals = 1 + pick(rng, 3); goals > 0; --goals)
                body.push_back(args(pick(rng, p), variables));
            text += fmt::format("0.{}::{} :- {}.\n", 1 + rng.below(9), args(p, variables), fmt::join(body, ", "));
        }
    }
    return text;
}

LearningTrial::LearningTrial(const std::string& text, std::uint64_t seed, const TrialShape& shape) : rng_(seed) {
    GroundOptions full;
    full.mode = GroundMode::Full;
    Grounded grounded = ground_program(load(text, true), full);
    Program& program = grounded.program;
    program.queries.clear();
    program.labels.clear();
    choose_targets(program, shape);
    make_examples(program, grounded.ground.atoms, shape);
    const ExampleSet* sets[] = {&set_};
    Diagnostics diagnostics;
    problem_ = std::make_unique<LearningProblem>(std::move(program), pool_, sets, GroundOptions{},
                                                 info(semantics_named(learning_semantics_name)), diagnostics);
    data_ = std::make_unique<Dataset>(*problem_, set_);
    add_candidates();
    asked_.resize(problem_->grounder().atoms().size(), false);
    for (std::size_t t = 0; t < data_->target_count(); ++t) {
        if (data_->target(t).atom != LearningProblem::no_atom_number) asked_[data_->target(t).atom] = true;
        target_weights_.push_back(rng_.chance(0.1) ? 0.0 : rng_.uniform());
    }
    for (std::size_t k = 0; k < candidates_.size(); ++k) weights_.push_back(random_weight(shape));
}

ReasoningGraph LearningTrial::whole() const {
    std::vector<const InstanceBlock*> blocks;
    for (const std::uint32_t c : candidates_) blocks.push_back(problem_->candidate(c).instances.get());
    return problem_->grounder().assemble(blocks, weights_);
}

CandidateGraph LearningTrial::graph(const ReasonOptions& reasoning) const {
    CandidateGraph result(*problem_, candidates_, asked_, {reasoning, std::nullopt, nullptr});
    result.set_weights(weights_);
    return result;
}

void LearningTrial::choose_targets(Program& program, const TrialShape& shape) {
    std::set<PredicateId> heads;
    for (const Clause& clause : program.clauses) heads.insert(clause.head.predicate);
    std::vector<bool> learned(program.signature.predicates().size(), false);
    for (const PredicateId p : heads) {
        if (shape.inputs.empty() && !rng_.chance(0.6)) continue;
        learned[p.index()] = true;
        program.learn.push_back({p, 1, {}});
    }
    for (Clause& clause : program.clauses) {
        if (learned[clause.head.predicate.index()]) written_.push_back(clause);
    }
    std::erase_if(program.clauses, [&](const Clause& c) { return learned[c.head.predicate.index()]; });
}

void LearningTrial::make_examples(const Program& program, const AtomTable& atoms, const TrialShape& shape) {
    for (std::uint32_t a = 0; a < atoms.size(); ++a) pool_.add(atoms.predicate_of(AtomId(a)), atoms.args_of(AtomId(a)));
    if (pool_.size() == 0) return;
    // Predicates that examples speak of a lot, hardly ever or not at all.
    constexpr double rates[] = {0, 0, 0.04, 0.8};
    std::vector<double> rate;
    for (const PredicateDecl& predicate : program.signature.predicates()) {
        const double all_or_nothing = predicate.name == shape.inputs ? 1 : 0;
        rate.push_back(shape.inputs.empty() ? rates[rng_.below(4)] : all_or_nothing);
    }
    std::vector<std::uint32_t> inputs;
    for (std::uint32_t a = 0; a < pool_.size(); ++a) {
        if (rng_.chance(rate[pool_.predicate(a).index()])) inputs.push_back(a);
    }
    for (std::uint32_t e = 0; e < shape.examples; ++e) {
        LabelledExample& example = set_.examples.emplace_back();
        const std::vector<float> values = random_values(rng_, inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (rng_.chance(0.8)) example.inputs.push_back({inputs[i], values[i]});
        }
        std::set<std::uint32_t> targets;
        for (std::uint32_t t = rng_.below(6); t > 0; --t)
            targets.insert(rng_.below(static_cast<std::uint32_t>(pool_.size())));
        for (const std::uint32_t atom : targets) example.targets.push_back({atom, rng_.chance(0.5)});
    }
}

// Those without disequations, which the search does not know.
void LearningTrial::add_candidates() {
    for (const Clause& clause : written_) {
        try {
            const std::uint32_t number = problem_->add(canonical_clause(problem_->program().terms, clause));
            const bool known = std::ranges::find(candidates_, number) != candidates_.end();
            if (number != LearningProblem::no_candidate && !known) candidates_.push_back(number);
        } catch (const std::invalid_argument&) {
            continue;
        }
    }
    shuffle(candidates_, rng_);
}

double LearningTrial::random_weight(const TrialShape& shape) {
    if (rng_.chance(0.2)) return 1;
    if (shape.zeros && rng_.chance(0.15)) return 0;
    return 0.1 + 0.8 * rng_.uniform();
}

}  // namespace neumann::oracle
