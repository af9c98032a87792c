#include <neumann/learn.h>

#include "compile/with_errors.h"
#include "learn/probabilities/parameter_learning.h"
#include "learn/probabilities/weight_learning.h"
#include "learn/run/learning_run.h"

namespace neumann {

LearnResult learn(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                  const std::atomic<bool>* stop) {
    return with_errors([&] {
        switch (task.goal) {
        case LearnGoal::Weights:
            return run_weight_learning(task, options, progress, stop);
        case LearnGoal::Probabilities:
            return run_probability_learning(task, options, progress, stop);
        case LearnGoal::Clauses:
            break;
        }
        return run_clause_learning(task, options, progress, stop);
    });
}

}  // namespace neumann
