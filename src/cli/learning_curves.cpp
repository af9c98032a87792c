#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/learn_output.h"
#include "draw/charts.h"

namespace neumann {

// Rounds and epochs are numbered through, however many lessons and starts there were.
std::string learning_curves_svg(const LearnResult& result, const std::string& title) {
    LineChart seconds{"Search: seconds per round", "round", "seconds", {{"seconds", {}}}};
    LineChart clauses{"Search: clauses scored per round", "round", "clauses", {{"clauses", {}}}};
    for (const LearnRound& round : result.rounds) {
        const auto number = static_cast<double>(seconds.curves[0].points.size() + 1);
        seconds.curves[0].points.emplace_back(number, round.seconds);
        clauses.curves[0].points.emplace_back(number, static_cast<double>(round.clauses));
    }
    LineChart losses{"Weights: loss", "epoch", "loss", {{"training", {}}, {"validation", {}}}};
    LineChart accuracies{"Weights: accuracy on validation", "epoch", "accuracy", {{"accuracy", {}}}, true};
    for (const LearnEpoch& epoch : result.epochs) {
        const auto number = static_cast<double>(losses.curves[0].points.size() + 1);
        losses.curves[0].points.emplace_back(number, epoch.train_loss);
        losses.curves[1].points.emplace_back(number, epoch.validation_loss);
        accuracies.curves[0].points.emplace_back(number, epoch.validation_accuracy);
    }
    return charts_svg(title,
                      fmt::format("{} of search, {} of learning weights", counted(result.rounds.size(), "round"),
                                  counted(result.epochs.size(), "epoch")),
                      {seconds, clauses, losses, accuracies});
}

}  // namespace neumann
