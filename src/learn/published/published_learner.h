// A published learning algorithm from its clauses to the program that is read off: candidates, one random start of the
// weights, all epochs, and the largest weight of each slot.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/published/published_search.h"
#include "learn/published/templates.h"

namespace neumann {

class ChoiceWeights;

class PublishedLearner : public LessonLearner {
public:
    // As Learner. The options name the algorithm, and say how many steps of reasoning there are.
    PublishedLearner(LearningProblem& problem, Refiner& refiner, const Dataset& train, const Dataset& validation,
                     const LearnerOptions& options, Journal& journal, std::string name, LearnWatcher* watcher,
                     const std::atomic<bool>* stop);

    LearnOutcome run() override;
    Judge& judge() override { return judge_; }
    std::vector<Limitation> find_limitations(const std::vector<std::uint32_t>&) override { return {}; }

private:
    void generate();
    void weigh();
    void run_epoch(TapeReasoner& reasoner, const ChoiceWeights& choice, WeightsRecord& state) const;
    void tell(const WeightsRecord& state, std::size_t epoch) const;
    void read_off(const ChoiceWeights& choice, std::span<const double> logits);
    std::uint32_t slots() const;  // of all learned predicates together
    std::vector<std::uint32_t> clauses_of_target() const;

    std::vector<bool> asked_;
    Judge judge_;
    PublishedRecipe recipe_;
    PublishedLesson lesson_;
    std::vector<std::uint32_t> candidates_;
    TemplateClauses templates_;
    LearnOutcome outcome_;
};

}  // namespace neumann
