#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <neumann/learn_weights.h>
#include <neumann/text.h>

#include "learn/probabilities/weight_learning.h"
#include "runtime/with_errors.h"

namespace neumann {
namespace {

nlohmann::ordered_json score_json(const WeightScore& score) {
    return {{"examples", score.examples},           {"labels", score.labels},          {"loss", score.loss},
            {"squared_error", score.squared_error}, {"certain_labels", score.certain}, {"accuracy", score.accuracy}};
}

std::string score_line(const char* name, const WeightScore& score, const std::string& more) {
    std::string text = fmt::format("{:<9} loss {:.6f}{}: {}, {}", name, score.loss, more,
                                   counted(score.examples, "example"), counted(score.labels, "label"));
    if (score.certain > 0) text += fmt::format(", {:.2f} % right", 100 * score.accuracy);
    return text + "\n";
}

}  // namespace

WeightLearningResult learn_weights(const std::filesystem::path& program, const WeightLearningOptions& options,
                                   const WeightLearningProgress& progress, const std::atomic<bool>* stop) {
    return with_errors([&] { return run_weight_learning(program, options, progress, stop); });
}

std::string weights_json(const WeightLearningResult& result, std::uint64_t seed) {
    nlohmann::ordered_json json;
    json["weights"] = nlohmann::ordered_json::array();
    for (const LearnedWeight& one : result.weights)
        json["weights"].push_back(
            {{"clause", one.clause}, {"line", one.line}, {"start", one.start}, {"value", one.value}});
    json["different_examples"] = result.different_examples;
    json["start_loss"] = result.start_loss;
    json["train"] = score_json(result.train);
    json["test"] = nullptr;
    if (result.test) json["test"] = score_json(*result.test);
    json["labels_without_effect"] = result.without_effect;
    json["iterations"] = result.iterations;
    json["converged"] = result.converged;
    json["complete"] = !result.interrupted;
    json["seed"] = seed;
    json["seconds"] = result.seconds;
    return json.dump();
}

std::string weights_text(const WeightLearningResult& result) {
    Table table({{"weight of", Table::Align::Left}, {"line"}, {"before"}, {"learned"}});
    for (const LearnedWeight& one : result.weights)
        table.add_row(
            {one.clause, std::to_string(one.line), fmt::format("{:.4f}", one.start), fmt::format("{:.4f}", one.value)});
    std::string text = table.text() + "\n";
    text += score_line("training", result.train, fmt::format(", before {:.6f}", result.start_loss));
    if (result.test) text += score_line("test", *result.test, "");
    text += fmt::format("{}, {}\n", counted(result.iterations, "iteration"),
                        counted(result.different_examples, "different example"));
    if (result.without_effect > 0)
        text += fmt::format("{} about what the program cannot derive: no weight makes a difference to them\n",
                            counted(result.without_effect, "positive label"));
    if (result.interrupted)
        text += "stopped: the best so far; learning goes on from the program that --out writes\n";
    else if (!result.converged)
        text += "not settled yet: allow more --iterations\n";
    return text;
}

std::string weights_program_text(const WeightLearningResult& result, const std::string& file, std::uint64_t seed) {
    return fmt::format("% {} with weights learned from {}, seed {}.\n% loss: {}\n\n{}", file,
                       counted(result.train.examples, "example"), seed, result.train.loss, result.program);
}

}  // namespace neumann
