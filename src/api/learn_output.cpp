#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <neumann/files.h>
#include <neumann/learn_output.h>
#include <neumann/text.h>

namespace neumann {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

Json learned_json(const LearnResult& result, const LearnOrigin& origin) {
    Json json;
    json["program"] = Json::array();
    json["weights"] = Json::array();
    for (const LearnedClause& clause : result.clauses) {
        json["program"].push_back(clause.text);
        json["weights"].push_back(clause.weight);
    }
    const auto shares = [&](const std::string& name, const std::optional<BinaryScore>& labels) {
        json[name + "_accuracy"] = labels ? Json(labels->accuracy()) : Json(nullptr);
        json[name + "_precision"] = labels ? Json(labels->precision()) : Json(nullptr);
        json[name + "_recall"] = labels ? Json(labels->recall()) : Json(nullptr);
        json[name + "_f1"] = labels ? Json(labels->f1()) : Json(nullptr);
    };
    shares("train", result.train_labels);
    shares("val", result.validation_labels);
    shares("test", result.test_labels);
    json["algorithm"] = info(result.algorithm).name;
    json["threshold"] = result.threshold;
    json["soft_accuracy"] = result.soft_accuracy;
    json["seconds"] = result.seconds;
    json["scoring_seconds"] = result.scoring_seconds;
    json["diagnosis_seconds"] = result.diagnosis_seconds;
    json["rounds"] = result.round_count;
    json["clauses_scored"] = result.clauses_scored;
    if (!result.search_ended.empty()) {
        json["search_ended"] = result.search_ended;
        json["search_work"] = result.search_work;
    }
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
    const auto shares = [&](const char* name, const std::optional<BinaryScore>& labels) {
        if (labels)
            text += fmt::format("{:<11}{}, precision {}, recall {}, F1 {}\n", name, percent(labels->accuracy()),
                                percent(labels->precision()), percent(labels->recall()), percent(labels->f1()));
    };
    shares("training", result.train_labels);
    shares("validation", result.validation_labels);
    shares("test", result.test_labels);
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
    return fmt::format("{} scored{}, {:.2f} s", counted(result.clauses_scored, "clause"),
                       result.round_count > 0 ? " in " + counted(result.round_count, "round") : "", result.seconds);
}

std::string program_text(const LearnResult& result, const LearnOrigin& origin) {
    std::string text =
        fmt::format("% {} with clauses learned from examples, seed {}.\n", origin.program_file, origin.seed);
    const auto shares = [&](const char* name, const std::optional<BinaryScore>& labels) {
        if (labels)
            text += fmt::format("% {}: accuracy {:.4f}, precision {:.4f}, recall {:.4f}, F1 {:.4f}\n", name,
                                labels->accuracy(), labels->precision(), labels->recall(), labels->f1());
    };
    shares("training", result.train_labels);
    shares("validation", result.validation_labels);
    shares("test", result.test_labels);
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

}  // namespace neumann
