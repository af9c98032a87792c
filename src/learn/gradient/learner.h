// Gradient learner of one lesson: search, weights, and the discrete program.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/gradient/lesson_learner.h"

namespace neumann {

class Learner : public LessonLearner {
public:
    // All borrowed. `validation` may be `train`.
    Learner(LearningProblem& problem, Refiner& refiner, const Dataset& train, const Dataset& validation,
            const LearnerOptions& options, Journal& journal, std::string name, LearnWatcher* watcher,
            const std::atomic<bool>* stop);

    LearnOutcome run() override;
    Judge& judge() override { return judge_; }
    std::vector<Limitation> find_limitations(const std::vector<std::uint32_t>& program) override;

private:
    std::vector<std::vector<SearchClause>> plan_starts();
    void search_depth(const std::vector<SearchClause>& start);
    void run_stage(const std::vector<SearchClause>& start, const std::string& name);
    bool run_round(ClauseSearch& search);
    void search(ClauseSearch& search, std::uint32_t rounds);
    void search_around(const std::vector<SearchClause>& start, const std::string& name);
    void search_wider(const std::vector<SearchClause>& start, const std::vector<std::uint32_t>& context,
                      const std::string& name);
    std::vector<std::uint32_t> pick_contexts();
    void try_pairs();
    void weigh(std::span<const std::uint32_t> clauses, const std::string& name, std::uint32_t first_start,
               std::uint32_t last_start);
    void simplify();
    bool simplify_clause(std::size_t place);
    bool exchange(std::size_t place, const SearchClause& shorter);
    void generalise();
    bool fits_slots(const std::vector<std::uint32_t>& program) const;
    bool offer(std::vector<std::uint32_t> program);  // true: it is the best so far
    bool looks_for_one_clause() const { return problem_.targets().size() == 1 && slots(0) == 1; }
    GraphRunOptions run_options() const { return {options_.learning, options_.weights.cyclic_steps, stop_}; }
    bool is_right() const { return !outcome_.program.empty() && outcome_.verdict.errors == 0; }
    std::uint32_t slots(std::uint32_t target) const;
    std::vector<std::uint32_t> all_slots() const;

    LearningProblem& problem_;
    Refiner& refiner_;
    const Dataset& train_;
    const Dataset& validation_;
    const LearnerOptions& options_;
    Journal& journal_;
    std::string name_;
    LearnWatcher* watcher_;
    const std::atomic<bool>* stop_;
    std::vector<bool> asked_;
    std::vector<std::uint32_t> pool_;  // all clauses that a search has sampled
    Judge judge_;
    LearnOutcome outcome_;
};

}  // namespace neumann
