#include "print/learn_output.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/whole_file.h"
#include "draw/learning_curves.h"
#include "draw/table.h"

namespace neumann::app {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

Json to_json(const LearnResult& result, const LearnReport& report) {
    Json json;
    json["program"] = Json::array();
    json["weights"] = Json::array();
    for (const LearnedClause& clause : result.learned.clauses) {
        json["program"].push_back(clause.text);
        json["weights"].push_back(clause.weight);
    }
    json["train_accuracy"] = number_or_null(result.train_accuracy);
    json["val_accuracy"] = number_or_null(result.validation_accuracy);
    json["test_accuracy"] = number_or_null(result.test_accuracy);
    json["threshold"] = result.threshold;
    json["soft_accuracy"] = result.learned.soft_accuracy;
    json["seconds"] = result.seconds;
    json["rounds"] = result.learned.rounds;
    json["clauses_scored"] = result.learned.clauses_scored;
    json["seed"] = result.seed;
    json["complete"] = !result.learned.interrupted;
    if (report.limitations().empty()) return json;
    for (const Limitation& one : report.limitations()) {
        json["limits"].push_back(
            {{"what", one.what}, {"advice", one.advice}, {"clause", one.clause}, {"accuracy", one.accuracy}});
    }
    return json;
}

std::string csv_cell(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string rounds_csv(const LearnReport& report) {
    std::string text = "lesson,start,round,clauses,seconds,uniform_weight,negative_share,loss,best_score,best_clause\n";
    for (const LearnReport::Round& round : report.rounds()) {
        text += fmt::format("{},{},{},{},{:.6f},{},{},{},{},{}\n", round.lesson + 1, round.stage, round.report.round,
                            round.report.candidates.size(), round.report.seconds, round.report.uniform_weight,
                            round.report.negative_share, round.report.loss,
                            round.best.empty() ? 0.0 : round.best.front().second,
                            csv_cell(round.best.empty() ? "" : round.best.front().first));
    }
    return text;
}

std::string epochs_csv(const LearnReport& report) {
    std::string text = "lesson,start,restart,epoch,train_loss,validation_loss,validation_accuracy\n";
    for (const LearnReport::Epoch& epoch : report.epochs()) {
        text +=
            fmt::format("{},{},{},{},{},{},{}\n", epoch.lesson + 1, epoch.stage, epoch.report.start, epoch.report.epoch,
                        epoch.report.train_loss, epoch.report.validation_loss, epoch.report.validation_accuracy);
    }
    return text;
}

std::string curves_svg(const LearnResult& result, const LearnReport& report) {
    LearningCurves curves;
    curves.title = fmt::format("{}, seed {}", result.program_file, result.seed);
    for (const LearnReport::Round& round : report.rounds()) {
        curves.rounds.push_back({fmt::format("{}", round.report.round), round.report.seconds,
                                 round.report.candidates.size(), round.best.empty() ? 0.0 : round.best.front().second,
                                 round.report.loss});
    }
    unsigned start = 0;
    for (std::size_t i = 0; i < report.epochs().size(); ++i) {
        const EpochReport& epoch = report.epochs()[i].report;
        if (i > 0 && epoch.epoch == 1) ++start;
        curves.epochs.push_back(
            {start, epoch.epoch, epoch.train_loss, epoch.validation_loss, epoch.validation_accuracy});
    }
    for (const LearnedClause& clause : result.learned.clauses)
        curves.program.push_back(fmt::format("{:.4g}::{}", clause.weight, clause.text));
    curves.train_accuracy = result.train_accuracy;
    curves.validation_accuracy = result.validation_accuracy;
    curves.test_accuracy = result.test_accuracy;
    return draw_learning_curves(curves);
}

}  // namespace

std::string result_json(const LearnResult& result, const LearnReport& report) { return to_json(result, report).dump(); }

std::string result_text(const LearnResult& result, const LearnReport& report) {
    std::string text;
    for (const LearnedClause& clause : result.learned.clauses)
        text += clause.weight == 1 ? clause.text + "\n" : fmt::format("{}::{}\n", clause.weight, clause.text);
    if (result.learned.clauses.empty()) text += "no clause was found\n";
    text += "\n";
    const auto accuracy = [&](const char* name, const std::optional<double>& share) {
        if (share) text += fmt::format("{:<11}{}\n", name, percent(*share));
    };
    accuracy("training", result.train_accuracy);
    accuracy("validation", result.validation_accuracy);
    accuracy("test", result.test_accuracy);
    if (result.threshold != 0.5)
        text += fmt::format("at a threshold of {:.4f}, chosen on the validation examples\n", result.threshold);
    if (result.learned.interrupted)
        text += fmt::format("stopped{}: the best program so far{}\n", result.timed_out ? " by the time limit" : "",
                            result.resumable ? "; --resume goes on from here" : "");
    if (!result.wrong_in_test.empty()) text += "\n" + result.wrong_in_test;
    if (result.learned.errors == 0) return text;
    text += "\n" + report.wrong_examples();
    if (report.limitations().empty()) return text;
    text += "\nWhat stands in the way (each by itself):\n";
    for (const Limitation& one : report.limitations())
        text += fmt::format("  {}: {}, and {} are right with\n    {}\n", one.what, one.advice, percent(one.accuracy),
                            one.clause);
    return text;
}

std::string effort_text(const LearnResult& result) {
    return fmt::format("{} scored in {}, {:.2f} s", counted(result.learned.clauses_scored, "clause"),
                       counted(result.learned.rounds, "round"), result.seconds);
}

std::string program_text(const LearnResult& result) {
    std::string text =
        fmt::format("% {} with clauses learned from examples, seed {}.\n", result.program_file, result.seed);
    const auto accuracy = [&](const char* name, const std::optional<double>& share) {
        if (share) text += fmt::format("% accuracy, {}: {:.4f}\n", name, *share);
    };
    accuracy("training", result.train_accuracy);
    accuracy("validation", result.validation_accuracy);
    accuracy("test", result.test_accuracy);
    if (result.threshold != 0.5) text += fmt::format("% at a threshold of {}\n", result.threshold);
    return text + "\n" + result.learned.text;
}

void write_report(const std::filesystem::path& folder, const LearnResult& result, const LearnReport& report) {
    write_file(folder / "metrics.json", to_json(result, report).dump(2) + "\n");
    write_file(folder / "rounds.csv", rounds_csv(report));
    write_file(folder / "epochs.csv", epochs_csv(report));
    write_file(folder / "curves.svg", curves_svg(result, report));
}

}  // namespace neumann::app
