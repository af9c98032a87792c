#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "learn/search/cross_validation.h"
#include "unit/learn/random_tasks.h"

namespace neumann::search {
namespace {

// f(A,B) :- q(A,B), p(A), and every tenth label is wrong.
Task noisy_task() {
    std::mt19937 random(3);
    Task task = random_task(random);
    task.bias.most_body = 2;
    task.bias.as_declared = true;
    std::vector<std::vector<Value>> all = task.positives;
    all.insert(all.end(), task.negatives.begin(), task.negatives.end());
    task.positives.clear();
    task.negatives.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool holds = !task.relations[1].matches(all[i], 3).empty();
        (holds != (i % 10 == 9) ? task.positives : task.negatives).push_back(all[i]);
    }
    return task;
}

TEST(CrossValidation, LabelsAreLeftOutOnceForEachScore) {
    const Task task = noisy_task();
    Limits limits;
    limits.work = work_of_second;
    const std::vector<ValidatedScore> scores = cross_validate(task, limits, 3);
    ASSERT_EQ(scores.size(), score_names().size());
    const auto labels = static_cast<double>(task.positives.size() + task.negatives.size());
    for (const ValidatedScore& one : scores) {
        const double right = one.accuracy * labels;
        EXPECT_NEAR(right, std::round(right), 1e-6);  // a whole number of labels
        EXPECT_GE(one.accuracy, 0.5);
    }
    const std::vector<ValidatedScore> again = cross_validate(task, limits, 3);
    EXPECT_TRUE(std::ranges::equal(scores, again, {}, &ValidatedScore::accuracy, &ValidatedScore::accuracy));
}

}  // namespace
}  // namespace neumann::search
