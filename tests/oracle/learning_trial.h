// Random problems of learning: a program some of whose predicates are learned, candidates for them, and examples.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "learn/evaluate/candidate_graph.h"

namespace neumann::oracle {

struct TrialShape {
    std::uint32_t examples = 20;  // more than a tile
    bool zeros = false;           // some weights are exactly 0
    std::string inputs;           // the predicate that examples speak of, and all others are learned; empty: by chance
};

// The text of a program with predicates in layers, each with clauses that use those below: acyclic, and much of it
// depends on no input.
std::string random_layers(Rng& rng);

// A random program some of whose predicates are to be learned, with examples, and its own clauses of those predicates
// as candidates.
class LearningTrial {
public:
    LearningTrial(const std::string& text, std::uint64_t seed, const TrialShape& shape);

    const LearningProblem& problem() const { return *problem_; }
    const Dataset& data() const { return *data_; }
    const std::vector<std::uint32_t>& candidates() const { return candidates_; }
    const std::vector<bool>& asked() const { return asked_; }
    const std::vector<double>& weights() const { return weights_; }
    const std::vector<double>& target_weights() const { return target_weights_; }
    std::uint32_t first_clause() const { return problem_->grounder().background_clauses(); }

    ReasoningGraph whole() const;  // of the program and all candidates with their weights
    CandidateGraph graph(const ReasonOptions& reasoning) const;

private:
    void choose_targets(Program& program, const TrialShape& shape);
    void make_examples(const Program& program, const AtomTable& atoms, const TrialShape& shape);
    void add_candidates();
    double random_weight(const TrialShape& shape);

    Rng rng_;
    std::vector<Clause> written_;
    AtomPool pool_;
    ExampleSet set_;
    std::unique_ptr<LearningProblem> problem_;
    std::unique_ptr<Dataset> data_;
    std::vector<std::uint32_t> candidates_;
    std::vector<bool> asked_;
    std::vector<double> weights_;
    std::vector<double> target_weights_;
};

}  // namespace neumann::oracle
