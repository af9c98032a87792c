// Records of a learning journal: the result of each kind of step, field by field.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace neumann {

// A round of clause search: how its candidates were scored.
struct RoundRecord {
    std::vector<double> scores;
    std::vector<std::uint32_t> alike;  // group of clauses with equal structure and behaviour on all examples
    std::vector<bool> precise;         // hardly ever true of a negative example
    double uniform_weight = 0;
    double loss = 0;

    bool operator==(const RoundRecord&) const = default;
};

// Weight learning after its last whole epoch.
struct WeightsRecord {
    struct Epoch {
        double train_loss = 0;
        double validation_loss = 0;
        double validation_accuracy = 0;

        bool operator==(const Epoch&) const = default;
    };
    std::uint32_t best_epoch = 0;
    double best_loss = 0;
    double best_accuracy = 0;
    std::uint64_t random_state = 0;
    std::vector<double> logits;
    std::vector<double> best_logits;
    std::vector<double> optimiser;  // its state
    std::vector<Epoch> epochs;      // all so far

    bool operator==(const WeightsRecord&) const = default;
};

// An exhaustive search that came to its end.
struct SearchRecord {
    std::string reason;                              // why it was not made
    std::vector<std::string> clauses;                // as text
    std::vector<std::vector<std::string>> invented;  // predicates: name, types of the arguments
    std::size_t size = 0;                            // literals
    double description = 0;                          // size as the gradient search counts it
    std::uint64_t candidates = 0;
    unsigned finished_body = 0;
    bool shortest = false;
    std::string ended;
    std::uint64_t work = 0;
    std::vector<std::uint64_t> counts;  // labels: true and false positives, true and false negatives
    std::vector<std::string> equals;    // programs that are as good, as text
    std::vector<std::string> notes;     // for the user
    std::vector<std::string> proof;     // what has been ruled out, a line each
    std::vector<float> values;          // of labelled atoms, where the reasoner does not compute them

    bool operator==(const SearchRecord&) const = default;
};

}  // namespace neumann
