#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <neumann/induce.h>
#include <neumann/text.h>

namespace neumann {
namespace {

double per_second(const InduceResult& result) {
    return result.seconds > 0 ? static_cast<double>(result.candidates) / result.seconds : 0;
}

const char* standing(const InduceResult& result) {
    if (result.shortest) return "right, and no shorter program is";
    if (result.is_right()) return result.interrupted ? "right; a shorter one was still looked for" : "right";
    return result.interrupted ? "not right: the best so far" : "not right: the best of what the bias allows";
}

}  // namespace

std::string induce_progress_text(const InduceResult& best) {
    return fmt::format("{:.1f} s: {}, {} wrong of {}", best.seconds, counted(best.clauses.size(), "clause"),
                       best.false_positives + best.false_negatives,
                       best.true_positives + best.true_negatives + best.false_positives + best.false_negatives);
}

std::string induce_json(const InduceResult& result) {
    nlohmann::ordered_json json;
    json["clauses"] = result.clauses;
    json["size"] = result.size;
    json["right"] = result.is_right();
    json["shortest"] = result.shortest;
    json["true_positives"] = result.true_positives;
    json["false_positives"] = result.false_positives;
    json["true_negatives"] = result.true_negatives;
    json["false_negatives"] = result.false_negatives;
    json["accuracy"] = result.accuracy();
    json["precision"] = result.precision();
    json["recall"] = result.recall();
    json["f1"] = result.f1();
    json["complete"] = !result.interrupted;
    json["ended"] = result.ended;
    json["work"] = result.work;
    json["candidates"] = result.candidates;
    json["finished_body"] = result.finished_body;
    json["seconds"] = result.seconds;
    return json.dump();
}

std::string induce_text(const InduceResult& result) {
    std::string text;
    for (const std::string& clause : result.clauses) text += clause + "\n";
    if (result.clauses.empty()) text += "no clause is better than none\n";
    text += fmt::format("\n{}\naccuracy {:.4f}, precision {:.4f}, recall {:.4f}, F1 {:.4f}\n", standing(result),
                        result.accuracy(), result.precision(), result.recall(), result.f1());
    text +=
        fmt::format("{:.1f} s, {}, {:.0f} per second; clauses of up to {} are done\n", result.seconds,
                    counted(result.candidates, "candidate"), per_second(result), counted(result.finished_body, "goal"));
    return text;
}

std::string induce_program_text(const InduceResult& result, const std::string& task) {
    std::string text = fmt::format("% Learned by neumann learn from {}\n% {}\n", task, standing(result));
    for (const std::string& clause : result.clauses) text += clause + "\n";
    return text;
}

}  // namespace neumann
