#include <fmt/format.h>

#include <neumann/learn.h>
#include <neumann/learn_parameters.h>

#include "draw/learning_curves.h"
#include "learn/probabilities/parameter_learning.h"
#include "learn/run/learning_run.h"
#include "runtime/with_errors.h"

namespace neumann {

LearnResult learn(const std::filesystem::path& program, const LearnOptions& options, LearnProgress* progress,
                  const std::atomic<bool>* stop) {
    return with_errors([&] { return run_learning(program, options, progress, stop); });
}

ParameterResult learn_parameters(const std::filesystem::path& program, const ParameterOptions& options,
                                 const ParameterProgress& progress, const std::atomic<bool>* stop) {
    return with_errors([&] { return run_parameter_learning(program, options, progress, stop); });
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
    curves.train_accuracy = result.train_accuracy;
    curves.validation_accuracy = result.validation_accuracy;
    curves.test_accuracy = result.test_accuracy;
    return draw_learning_curves(curves);
}

}  // namespace neumann
