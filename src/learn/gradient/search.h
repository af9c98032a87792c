// Clause search: rounds of scoring all candidates at once, sampling some, and refining those.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/clauses/refine.h"
#include "learn/evaluate/candidate_graph.h"
#include "learn/gradient/sampling.h"
#include "learn/journal/journal.h"
#include "learn/task/options.h"

namespace neumann {

// A round of the search, as reported to watchers.
struct RoundReport {
    std::uint32_t round = 0;                // from 1
    std::uint32_t rounds = 0;               // at most
    std::vector<std::uint32_t> candidates;  // that were scored
    std::vector<double> scores;
    std::vector<std::uint32_t> sampled;  // in the order in which they were drawn
    double uniform_weight = 0;
    double negative_share = 0;
    double loss = 0;
    double seconds = 0;
    double scoring_seconds = 0;  // of these
};

class SearchWatcher {
public:
    virtual ~SearchWatcher() = default;
    virtual void round_done(const RoundReport& report) = 0;
};

class ClauseSearch {
public:
    // All borrowed but the options. `name` distinguishes this search's steps from others in the journal.
    ClauseSearch(LearningProblem& problem, Refiner& refiner, const Dataset& train, const std::vector<bool>& asked,
                 const LearnerOptions& options, Journal& journal, std::string name, SearchWatcher* watcher,
                 const std::atomic<bool>* stop);

    // Begins with these clauses. Candidates in `context` always have weight 1: the search looks for clauses that they
    // lack.
    void start(const std::vector<SearchClause>& clauses, std::vector<std::uint32_t> context = {});
    bool next_round();  // false: there was nothing left to score
    // Goes on after the last round: its samples are refined too.
    void allow_more(std::uint32_t trials);

    std::uint32_t rounds_done() const { return round_; }
    std::uint64_t clauses_scored() const { return scored_; }
    // All clauses that were sampled so far, in that order: those from which a program is put together.
    std::span<const std::uint32_t> sampled() const { return sampled_; }
    // The clauses scored in the last round, the best first; of equal scores the shortest.
    std::vector<std::uint32_t> best_of_last_round(std::size_t count) const;

private:
    RoundRecord score(const std::vector<std::uint32_t>& candidates, double negative_share);
    RoundRecord score_by_gradient(const std::vector<std::uint32_t>& candidates, std::span<const double> weights);
    RoundRecord score_each(const std::vector<std::uint32_t>& candidates, std::span<const double> weights);
    void leave_out_explained(std::vector<double>& weights) const;
    double balanced_weight(CandidateGraph& graph);
    void set_uniform(CandidateGraph& graph, double weight) const;
    double negative_share() const;
    void refine(std::span<const std::uint32_t> chosen);
    GraphRunOptions run_options() const { return {options_.learning, options_.search.cyclic_steps, stop_}; }
    bool is_context(std::uint32_t candidate) const { return std::ranges::find(context_, candidate) != context_.end(); }

    LearningProblem& problem_;
    Refiner& refiner_;
    const Dataset& train_;
    const std::vector<bool>& asked_;
    LearnerOptions options_;
    Journal& journal_;
    std::string name_;
    SearchWatcher* watcher_;
    const std::atomic<bool>* stop_;
    Rng rng_;
    std::vector<std::uint32_t> target_order_;  // in which negatives come into play
    std::uint32_t round_ = 0;
    std::uint64_t scored_ = 0;
    std::vector<std::uint32_t> context_;
    std::vector<std::uint32_t> generation_;  // to be scored next
    std::vector<std::uint32_t> sampled_;
    std::vector<std::uint32_t> precise_;  // those of the sampled clauses that stay in the graph
    std::vector<bool> seen_;              // per candidate: it has been in a generation
    RoundReport last_;
};

}  // namespace neumann
