#include <string_view>

#include <fmt/format.h>

#include "cli/reason_output.h"

namespace neumann {
namespace {

std::string accuracy_line(std::size_t right, std::size_t all, double accuracy, std::string_view what) {
    return all == 0 ? "" : fmt::format("accuracy: {} of {} {} right ({:.4f})\n", right, all, what, accuracy);
}

std::string binary_lines(const BinaryScore& score, std::string_view what) {
    std::string text = accuracy_line(score.right(), score.all(), score.accuracy(), what);
    if (score.has_both())
        text += fmt::format("{}: precision {:.4f}, recall {:.4f}, F1 {:.4f}\n", what, score.precision(), score.recall(),
                            score.f1());
    return text;
}

}  // namespace

std::string score_text(const Score& score) {
    std::string text = score.labels_are_classes ? "accuracy: not known; labels are numbers of classes, --positive N "
                                                  "says which one the program is about\n"
                                                : binary_lines(score.labels, "labels");
    text += binary_lines(score.targets, "targets");
    text += accuracy_line(score.answers.right, score.answers.all, score.answers.accuracy(), "answers");
    if (score.not_understood == 0) return text;
    text += fmt::format("not counted: {} {}\n", score.not_understood,
                        score.not_understood == 1 ? "label, target or answer" : "labels, targets or answers");
    for (const std::string& problem : score.problems) text += fmt::format("  {}\n", problem);
    if (score.not_understood > score.problems.size()) text += "  …\n";
    return text;
}

}  // namespace neumann
