#include "cli/learn_output.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "cli/learn_html.h"

namespace neumann {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

// Of deepening by validation.
void add_depths(Json& json, const LearnResult& result) {
    json["enough"] = result.enough;
    json["depths"] = Json::array();
    for (const LearnDepth& one : result.depths) {
        json["depths"].push_back({{"depth", one.depth},
                                  {"program", one.program},
                                  {"train_accuracy", one.train_accuracy},
                                  {"val_accuracy", one.validation_accuracy},
                                  {"complete", one.complete}});
    }
    json["rivals_found"] = result.rivals_found;
    json["rivals"] = Json::array();
    for (const LearnRival& one : result.rivals) {
        json["rivals"].push_back({{"clause", one.clause},
                                  {"train_accuracy", one.train_accuracy},
                                  {"val_accuracy", one.validation_accuracy}});
    }
}

Json clauses_json(const LearnResult& result, const LearnOrigin& origin) {
    Json json;
    // The keys of earlier releases for tasks of Popper and Aleph are clauses, candidates and those without "train_".
    json["program"] = Json::array();
    json["weights"] = Json::array();
    for (const LearnedClause& clause : result.clauses) {
        json["program"].push_back(clause.text);
        json["weights"].push_back(clause.weight);
    }
    const auto shares = [&](const std::string& name, const std::optional<LearnScore>& score) {
        json[name + "_accuracy"] = score ? Json(score->accuracy) : Json(nullptr);
        json[name + "_precision"] = score ? Json(score->counts->precision()) : Json(nullptr);
        json[name + "_recall"] = score ? Json(score->counts->recall()) : Json(nullptr);
        json[name + "_f1"] = score ? Json(score->counts->f1()) : Json(nullptr);
    };
    shares("train", result.train);
    shares("val", result.validation);
    shares("test", result.test);
    json["clauses"] = json["program"];
    json["true_positives"] = result.train.counts->true_positives;
    json["false_positives"] = result.train.counts->false_positives;
    json["true_negatives"] = result.train.counts->true_negatives;
    json["false_negatives"] = result.train.counts->false_negatives;
    json["algorithm"] = result.algorithm;
    json["right"] = result.is_right();
    json["shortest"] = result.search.shortest;
    json["size"] = result.search.size;
    json["accuracy"] = result.train.accuracy;
    json["precision"] = result.train.counts->precision();
    json["recall"] = result.train.counts->recall();
    json["f1"] = result.train.counts->f1();
    json["threshold"] = result.threshold;
    json["soft_accuracy"] = result.soft_accuracy;
    json["seconds"] = result.seconds;
    json["scoring_seconds"] = result.scoring_seconds;
    json["diagnosis_seconds"] = result.diagnosis_seconds;
    json["rounds"] = result.search.rounds;
    json["clauses_scored"] = result.search.candidates;
    json["candidates"] = result.search.candidates;
    json["finished_body"] = result.search.finished_body;
    json["ended"] = result.search.ended.empty() ? Json(nullptr) : Json(result.search.ended);
    json["work"] = result.search.work;
    json["seed"] = origin.seed;
    json["complete"] = !result.interrupted;
    for (const LearnLimit& one : result.limits) {
        json["limits"].push_back(
            {{"what", one.what}, {"advice", one.advice}, {"clause", one.clause}, {"accuracy", one.accuracy}});
    }
    if (!result.depths.empty()) add_depths(json, result);
    json["equals"] = result.equals;
    json["notes"] = result.notes;
    if (origin.proof) json["proof"] = result.proof;
    return json;
}

Json weight_score_json(const LearnScore& score) {
    return {{"examples", score.examples},           {"labels", score.labels},          {"loss", score.loss},
            {"squared_error", score.squared_error}, {"certain_labels", score.certain}, {"accuracy", score.accuracy}};
}

void add_iterations(Json& json, const LearnResult& result, const LearnOrigin& origin) {
    json["iterations"] = result.iterations;
    json["converged"] = result.converged;
    json["complete"] = !result.interrupted;
    json["seed"] = origin.seed;
    json["seconds"] = result.seconds;
}

Json number_json(const LearnedClause& one) {
    return {{"clause", one.text}, {"line", one.line}, {"start", *one.start}, {"value", one.weight}};
}

Json weights_json(const LearnResult& result, const LearnOrigin& origin) {
    Json json;
    json["weights"] = Json::array();
    for (const LearnedClause& one : result.clauses) json["weights"].push_back(number_json(one));
    json["different_examples"] = result.different_examples;
    json["start_loss"] = result.start_objective;
    json["train"] = weight_score_json(result.train);
    json["test"] = nullptr;
    if (result.test) json["test"] = weight_score_json(*result.test);
    json["labels_without_effect"] = result.without_effect;
    add_iterations(json, result, origin);
    return json;
}

Json probabilities_json(const LearnResult& result, const LearnOrigin& origin) {
    Json json;
    json["parameters"] = Json::array();
    for (const LearnedClause& one : result.clauses) {
        Json number = number_json(one);
        number["chosen"] = one.chosen;
        number["decided"] = one.decided;
        json["parameters"].push_back(std::move(number));
    }
    json["examples"] = result.train.examples;
    json["different_examples"] = result.different_examples;
    json["start_log_likelihood"] = result.start_objective;
    json["log_likelihood"] = *result.train.log_likelihood;
    if (result.test) {
        json["test_examples"] = result.test->examples;
        json["test_log_likelihood"] = nullptr;
        if (result.test->log_likelihood) json["test_log_likelihood"] = *result.test->log_likelihood;
        if (!result.test->impossible.empty()) json["test_impossible"] = result.test->impossible;
    }
    add_iterations(json, result, origin);
    return json;
}

Json learned_json(const LearnResult& result, const LearnOrigin& origin) {
    switch (result.goal) {
    case LearnGoal::Weights:
        return weights_json(result, origin);
    case LearnGoal::Probabilities:
        return probabilities_json(result, origin);
    case LearnGoal::Clauses:
        break;
    }
    return clauses_json(result, origin);
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

// Whether the search proved that no shorter program exists.
const char* standing(const LearnResult& result) {
    if (result.search.shortest) return "right, and no shorter program is";
    if (result.is_right()) return result.interrupted ? "right; a shorter one was still looked for" : "right";
    return result.interrupted ? "not right: the best so far" : "not right: the best of what the bias allows";
}

std::string depths_text(const LearnResult& result) {
    if (result.depths.empty()) return {};
    Table table({{"depth"}, {"training"}, {"validation"}});
    double best = 0;
    for (const LearnDepth& one : result.depths) {
        table.add_row({std::to_string(one.depth), percent(one.train_accuracy), percent(one.validation_accuracy)});
        best = std::max(best, one.validation_accuracy);
    }
    std::string text = "\n" + table.text();
    text += fmt::format("enough validation labels are {}: {}\n", percent(result.enough),
                        best >= result.enough ? "the first depth with so many is taken"
                                              : "no depth has so many; the best of them is taken");
    if (result.rivals_found == 0) return text;
    text += fmt::format("\nThese data cannot tell apart: {} of the same length, right on enough labels\n",
                        counted(result.rivals_found, "other clause"));
    for (const LearnRival& one : result.rivals)
        text += fmt::format("  training {}, validation {}\n    {}\n", percent(one.train_accuracy),
                            percent(one.validation_accuracy), one.clause);
    if (result.rivals.size() < result.rivals_found)
        text += fmt::format("  and {} more\n", result.rivals_found - result.rivals.size());
    return text;
}

std::string indented(const std::string& lines) {
    std::string text = "  ";
    for (const char c : lines) text += c == '\n' ? "\n  " : std::string(1, c);
    return text + "\n";
}

std::string clauses_text(const LearnResult& result, const LearnOrigin& origin) {
    std::string text;
    for (const LearnedClause& clause : result.clauses)
        text += clause.weight == 1 ? clause.text + "\n" : fmt::format("{}::{}\n", clause.weight, clause.text);
    if (result.clauses.empty()) text += "no clause was found\n";
    text += "\n";
    const auto shares = [&](const char* name, const std::optional<LearnScore>& score) {
        if (score)
            text += fmt::format("{:<11}{}, precision {}, recall {}, F1 {}\n", name, percent(score->accuracy),
                                percent(score->counts->precision()), percent(score->counts->recall()),
                                percent(score->counts->f1()));
    };
    shares("training", result.train);
    shares("validation", result.validation);
    shares("test", result.test);
    if (result.search.shortest) text += fmt::format("{}\n", standing(result));
    text += depths_text(result);
    if (!result.equals.empty()) {
        text += fmt::format("\nThe labels do not tell it from {} with as many literals:\n",
                            counted(result.equals.size(), "other program"));
        for (const std::string& one : result.equals) text += indented(one);
    }
    if (result.threshold != 0.5)
        text += fmt::format("at a threshold of {:.4f}, chosen on the validation examples\n", result.threshold);
    if (result.interrupted)
        text += fmt::format("stopped{}: the best program so far{}\n", origin.timed_out ? " by the time limit" : "",
                            origin.resumable ? "; --resume goes on from here" : "");
    if (origin.proof) text += fmt::format("\n{}\n", fmt::join(result.proof, "\n"));
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

std::string settled_text(const LearnResult& result, const LearnOrigin& origin) {
    if (result.interrupted)
        return fmt::format("stopped{}: the best so far; learning goes on from the program that --out writes\n",
                           origin.timed_out ? " by the time limit" : "");
    return result.converged ? "" : "not settled yet: allow more --iterations\n";
}

std::string loss_line(const char* name, const LearnScore& score, const std::string& more) {
    std::string text = fmt::format("{:<9} loss {:.6f}{}: {}, {}", name, score.loss, more,
                                   counted(score.examples, "example"), counted(score.labels, "label"));
    if (score.certain > 0) text += fmt::format(", {:.2f} % right", 100 * score.accuracy);
    return text + "\n";
}

std::string weights_text(const LearnResult& result, const LearnOrigin& origin) {
    Table table({{"weight of", Table::Align::Left}, {"line"}, {"before"}, {"learned"}});
    for (const LearnedClause& one : result.clauses)
        table.add_row(
            {one.text, std::to_string(one.line), fmt::format("{:.4f}", *one.start), fmt::format("{:.4f}", one.weight)});
    std::string text = table.text() + "\n";
    text += loss_line("training", result.train, fmt::format(", before {:.6f}", result.start_objective));
    if (result.test) text += loss_line("test", *result.test, "");
    text += fmt::format("{}, {}\n", counted(result.iterations, "iteration"),
                        counted(result.different_examples, "different example"));
    if (result.without_effect > 0)
        text += fmt::format("{} about what the program cannot derive: no weight makes a difference to them\n",
                            counted(result.without_effect, "positive label"));
    return text + settled_text(result, origin);
}

std::string probabilities_text(const LearnResult& result, const LearnOrigin& origin) {
    Table table({{"probability of", Table::Align::Left}, {"line"}, {"before"}, {"learned"}, {"chosen"}, {"of"}});
    bool unknown = false;
    for (const LearnedClause& one : result.clauses) {
        table.add_row({one.text, std::to_string(one.line), fmt::format("{:.4f}", *one.start),
                       fmt::format("{:.4f}", one.weight), fmt::format("{:.1f}", one.chosen),
                       fmt::format("{:.1f}", one.decided)});
        unknown = unknown || one.decided == 0;
    }
    std::string text = table.text() + "\n";
    text += fmt::format("log-likelihood {:.6f}, before {:.6f}: {}, {} different, {}\n", *result.train.log_likelihood,
                        result.start_objective, counted(result.train.examples, "example"), result.different_examples,
                        counted(result.iterations, "iteration"));
    if (result.test && result.test->log_likelihood)
        text += fmt::format("test           {:.6f}: {}\n", *result.test->log_likelihood,
                            counted(result.test->examples, "example"));
    if (result.test && !result.test->impossible.empty())
        text += fmt::format("test           {} has probability 0 with what was learned\n", result.test->impossible);
    if (unknown) text += "what was chosen of 0 is as before: no example depends on it\n";
    return text + settled_text(result, origin);
}

std::string clauses_heading(const LearnResult& result, const LearnOrigin& origin) {
    std::string text =
        fmt::format("% {} with clauses learned from examples, seed {}.\n", origin.program_file, origin.seed);
    const auto shares = [&](const char* name, const std::optional<LearnScore>& score) {
        if (score)
            text +=
                fmt::format("% {}: accuracy {:.4f}, precision {:.4f}, recall {:.4f}, F1 {:.4f}\n", name,
                            score->accuracy, score->counts->precision(), score->counts->recall(), score->counts->f1());
    };
    shares("training", result.train);
    shares("validation", result.validation);
    shares("test", result.test);
    if (result.search.searched) text += fmt::format("% {}\n", standing(result));
    if (result.threshold != 0.5) text += fmt::format("% at a threshold of {}\n", result.threshold);
    return text;
}

}  // namespace

std::string result_json(const LearnResult& result, const LearnOrigin& origin) {
    return learned_json(result, origin).dump();
}

std::string result_text(const LearnResult& result, const LearnOrigin& origin) {
    switch (result.goal) {
    case LearnGoal::Weights:
        return weights_text(result, origin);
    case LearnGoal::Probabilities:
        return probabilities_text(result, origin);
    case LearnGoal::Clauses:
        break;
    }
    return clauses_text(result, origin);
}

std::string effort_text(const LearnResult& result) {
    return fmt::format("{} scored{}, {:.2f} s", counted(result.search.candidates, "clause"),
                       result.search.rounds > 0 ? " in " + counted(result.search.rounds, "round") : "", result.seconds);
}

std::string program_text(const LearnResult& result, const LearnOrigin& origin) {
    switch (result.goal) {
    case LearnGoal::Weights:
        return fmt::format("% {} with weights learned from {}, seed {}.\n% loss: {}\n\n{}", origin.program_file,
                           counted(result.train.examples, "example"), origin.seed, result.train.loss, result.program);
    case LearnGoal::Probabilities:
        return fmt::format("% {} with probabilities learned from {}, seed {}.\n% log-likelihood: {}\n\n{}",
                           origin.program_file, counted(result.train.examples, "example"), origin.seed,
                           *result.train.log_likelihood, result.program);
    case LearnGoal::Clauses:
        break;
    }
    return clauses_heading(result, origin) + "\n" + result.program;
}

void write_report(const std::filesystem::path& place, const LearnResult& result, const LearnOrigin& origin) {
    if (place.extension() == ".html") return write_file(place, learn_html(result, origin));
    write_file(place / "metrics.json", learned_json(result, origin).dump(2) + "\n");
    write_file(place / "rounds.csv", rounds_csv(result));
    write_file(place / "epochs.csv", epochs_csv(result));
    write_file(place / "curves.svg",
               learning_curves_svg(result, fmt::format("{}, seed {}", origin.program_file, origin.seed)));
}

std::string to_text(const WrongLabels& labels) {
    if (labels.wrong == 0) return "";
    std::string text = fmt::format("{}: {} of {} wrong\n", labels.file, labels.wrong, counted(labels.labels, "label"));
    for (const WrongLabels::Label& one : labels.first) {
        text += fmt::format("  {}{:<20} {} is {} and gets {:.3f}\n",
                            one.line == 0 ? "" : fmt::format("line {:<6} ", one.line), one.id, one.atom,
                            one.positive ? 1 : 0, one.value);
    }
    return text + (labels.wrong > labels.first.size() ? "  …\n" : "");
}

}  // namespace neumann
