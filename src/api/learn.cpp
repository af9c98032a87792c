#include <fmt/format.h>

#include <neumann/learn.h>

#include "compile/with_errors.h"
#include "draw/learning_curves.h"
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

std::string learning_curves_svg(const LearnResult& result, const std::string& title) {
    LearningCurves curves;
    curves.title = title;
    for (const LearnRound& round : result.rounds) {
        curves.rounds.push_back({fmt::format("{}", round.round), round.seconds, round.clauses,
                                 round.best.empty() ? 0.0 : round.best.front().second, round.loss});
    }
    unsigned start = 0;
    for (std::size_t i = 0; i < result.epochs.size(); ++i) {
        const LearnEpoch& epoch = result.epochs[i];
        if (i > 0 && epoch.epoch == 1) ++start;
        curves.epochs.push_back(
            {start, epoch.epoch, epoch.train_loss, epoch.validation_loss, epoch.validation_accuracy});
    }
    for (const LearnedClause& clause : result.clauses)
        curves.program.push_back(fmt::format("{:.4g}::{}", clause.weight, clause.text));
    const auto accuracy = [](const std::optional<LearnScore>& score) {
        return score ? std::optional(score->accuracy) : std::nullopt;
    };
    curves.train_accuracy = result.train.accuracy;
    curves.validation_accuracy = accuracy(result.validation);
    curves.test_accuracy = accuracy(result.test);
    return draw_learning_curves(curves);
}

}  // namespace neumann
