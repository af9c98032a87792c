#include "print/learn_output.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <neumann/files.h>
#include <neumann/text.h>

namespace neumann::app {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

Json learned_json(const LearnResult& result, const LearnOrigin& origin) {
    Json json;
    json["program"] = Json::array();
    json["weights"] = Json::array();
    for (const LearnedClause& clause : result.clauses) {
        json["program"].push_back(clause.text);
        json["weights"].push_back(clause.weight);
    }
    json["train_accuracy"] = number_or_null(result.train_accuracy);
    json["val_accuracy"] = number_or_null(result.validation_accuracy);
    json["test_accuracy"] = number_or_null(result.test_accuracy);
    json["threshold"] = result.threshold;
    json["soft_accuracy"] = result.soft_accuracy;
    json["seconds"] = result.seconds;
    json["scoring_seconds"] = result.scoring_seconds;
    json["diagnosis_seconds"] = result.diagnosis_seconds;
    json["rounds"] = result.round_count;
    json["clauses_scored"] = result.clauses_scored;
    json["seed"] = origin.seed;
    json["complete"] = !result.interrupted;
    for (const LearnLimit& one : result.limits) {
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

std::string rounds_csv(const LearnResult& result) {
    std::string text =
        "lesson,start,round,clauses,seconds,scoring_seconds,uniform_weight,negative_share,loss,best_score,best_clause\n";
    for (const LearnRound& round : result.rounds) {
        text += fmt::format("{},{},{},{},{:.6f},{:.6f},{},{},{},{},{}\n", round.lesson + 1, round.start, round.round,
                            round.clauses, round.seconds, round.scoring_seconds, round.uniform_weight,
                            round.negative_share, round.loss, round.best.empty() ? 0.0 : round.best.front().second,
                            csv_cell(round.best.empty() ? "" : round.best.front().first));
    }
    return text;
}

std::string epochs_csv(const LearnResult& result) {
    std::string text = "lesson,start,restart,epoch,train_loss,validation_loss,validation_accuracy\n";
    for (const LearnEpoch& epoch : result.epochs) {
        text += fmt::format("{},{},{},{},{},{},{}\n", epoch.lesson + 1, epoch.start, epoch.restart, epoch.epoch,
                            epoch.train_loss, epoch.validation_loss, epoch.validation_accuracy);
    }
    return text;
}

}  // namespace

std::string result_json(const LearnResult& result, const LearnOrigin& origin) {
    return learned_json(result, origin).dump();
}

std::string result_text(const LearnResult& result, const LearnOrigin& origin) {
    std::string text;
    for (const LearnedClause& clause : result.clauses)
        text += clause.weight == 1 ? clause.text + "\n" : fmt::format("{}::{}\n", clause.weight, clause.text);
    if (result.clauses.empty()) text += "no clause was found\n";
    text += "\n";
    const auto accuracy = [&](const char* name, const std::optional<double>& share) {
        if (share) text += fmt::format("{:<11}{}\n", name, percent(*share));
    };
    accuracy("training", result.train_accuracy);
    accuracy("validation", result.validation_accuracy);
    accuracy("test", result.test_accuracy);
    if (result.threshold != 0.5)
        text += fmt::format("at a threshold of {:.4f}, chosen on the validation examples\n", result.threshold);
    if (result.interrupted)
        text += fmt::format("stopped{}: the best program so far{}\n", origin.timed_out ? " by the time limit" : "",
                            origin.resumable ? "; --resume goes on from here" : "");
    if (result.wrong_in_test.wrong > 0) text += "\n" + to_text(result.wrong_in_test);
    if (result.errors == 0) return text;
    text += "\n";
    for (const WrongLabels& wrong : result.wrong_labels) text += to_text(wrong);
    if (result.limits.empty()) return text;
    text += "\nWhat stands in the way (each by itself):\n";
    for (const LearnLimit& one : result.limits)
        text += fmt::format("  {}: {}, and {} are right with\n    {}\n", one.what, one.advice, percent(one.accuracy),
                            one.clause);
    return text;
}

std::string effort_text(const LearnResult& result) {
    return fmt::format("{} scored in {}, {:.2f} s", counted(result.clauses_scored, "clause"),
                       counted(result.round_count, "round"), result.seconds);
}

std::string program_text(const LearnResult& result, const LearnOrigin& origin) {
    std::string text =
        fmt::format("% {} with clauses learned from examples, seed {}.\n", origin.program_file, origin.seed);
    const auto accuracy = [&](const char* name, const std::optional<double>& share) {
        if (share) text += fmt::format("% accuracy, {}: {:.4f}\n", name, *share);
    };
    accuracy("training", result.train_accuracy);
    accuracy("validation", result.validation_accuracy);
    accuracy("test", result.test_accuracy);
    if (result.threshold != 0.5) text += fmt::format("% at a threshold of {}\n", result.threshold);
    return text + "\n" + result.program;
}

void write_report(const std::filesystem::path& folder, const LearnResult& result, const LearnOrigin& origin) {
    write_file(folder / "metrics.json", learned_json(result, origin).dump(2) + "\n");
    write_file(folder / "rounds.csv", rounds_csv(result));
    write_file(folder / "epochs.csv", epochs_csv(result));
    write_file(folder / "curves.svg",
               learning_curves_svg(result, fmt::format("{}, seed {}", origin.program_file, origin.seed)));
}

}  // namespace neumann::app
