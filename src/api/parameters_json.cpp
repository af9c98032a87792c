#include <nlohmann/json.hpp>

#include <neumann/learn_parameters.h>

namespace neumann {

std::string parameters_json(const ParameterResult& result, std::uint64_t seed) {
    nlohmann::ordered_json json;
    json["parameters"] = nlohmann::ordered_json::array();
    for (const LearnedParameter& one : result.parameters) {
        json["parameters"].push_back({{"clause", one.clause},
                                      {"line", one.line},
                                      {"start", one.start},
                                      {"value", one.value},
                                      {"chosen", one.chosen},
                                      {"decided", one.decided}});
    }
    json["examples"] = result.examples;
    json["different_examples"] = result.different_examples;
    json["start_log_likelihood"] = result.start_log_likelihood;
    json["log_likelihood"] = result.log_likelihood;
    if (result.test_examples > 0) {
        json["test_examples"] = result.test_examples;
        json["test_log_likelihood"] = nullptr;
        if (result.test_log_likelihood) json["test_log_likelihood"] = *result.test_log_likelihood;
        if (!result.test_impossible.empty()) json["test_impossible"] = result.test_impossible;
    }
    json["iterations"] = result.iterations;
    json["converged"] = result.converged;
    json["complete"] = !result.interrupted;
    json["seed"] = seed;
    json["seconds"] = result.seconds;
    return json.dump();
}

}  // namespace neumann
