// A published learning algorithm from its clauses to the program that is read off: candidates, one random start of the
// weights, all epochs, and the largest weight of each slot.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/published_search.h"
#include "algorithms/templates.h"

namespace neumann {

class ChoiceWeights;

class PublishedLearner : public LessonLearner {
public:
    // The options name the algorithm, and say how many steps of reasoning there are.
    explicit PublishedLearner(LessonRequest request);

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
