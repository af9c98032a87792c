// Learning the weights of a program, its clauses as they are, from labelled examples: the least loss of the values that
// a semantics gives to what is labelled.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <neumann/error.h>
#include <neumann/learn_parameters.h>
#include <neumann/model.h>
#include <neumann/reasoner.h>

namespace neumann {

// Both are least where values are the probabilities of what is labelled, however many labels there are of each kind.
enum class WeightLossKind : std::uint8_t {
    CrossEntropy,  // −log of the probability of the label
    Squared,       // the squared difference to the label
};

struct WeightLearningOptions {
    // Labelled examples as JSON Lines: {"atoms": {…}, "label": 1}, {"atoms": {…}, "targets": {"p(a)": 1, "p(b)": 0.3}},
    // where a target may be a probability, or {"atoms": {…}, "answer": "red"}, of which the answers of the program's
    // query exclude each other, as do atoms of a predicate that is declared exclusive. `train` must be given; `test` is
    // looked at once, in the end.
    std::string train = {};
    std::string test = {};
    WeightLossKind loss = WeightLossKind::CrossEntropy;
    // Of this, the number of iterations, the tolerance (of the loss of a label), the patience and the optimiser count.
    ParameterSearch search = {};
    std::uint64_t seed = 1;  // where weights start that have no first value: t(_)
    // The semantics, its settings and threads.
    ReasonerOptions reason = {};
    // How the program is read, what is said about it, and memory; the rest does not apply.
    ModelOptions reading = {};
};

struct LearnedWeight {
    std::string clause;    // without its weight
    std::size_t line = 0;  // of the program
    double start = 0;
    double value = 0;
};

// How well a set of labels is met.
struct WeightScore {
    std::size_t examples = 0;
    std::size_t labels = 0;
    double loss = 0;           // the mean over the labels, of the kind that was asked for
    double squared_error = 0;  // the mean over the labels that are atoms
    std::size_t certain = 0;   // labels that are true, false or an answer
    double accuracy = 0;       // the share of these on the right side of one half, or the likeliest answer
};

struct WeightLearningResult {
    std::vector<LearnedWeight> weights;  // as the program has them
    // The program with the learned numbers. If learning was stopped, they keep their marks, t(0.3)::, so that it can go
    // on from there.
    std::string program;
    std::size_t different_examples = 0;
    double start_loss = 0;
    WeightScore train;
    std::optional<WeightScore> test;
    std::size_t without_effect = 0;  // positive labels that the program cannot derive whatever its weights are
    std::uint32_t iterations = 0;
    bool converged = false;    // else there were as many iterations as are allowed, or it was stopped
    bool interrupted = false;  // it was stopped
    double seconds = 0;
};

struct WeightLearningProgress {
    std::function<void(const std::string& text)> message = {};  // a warning, as the command prints it
    std::function<void()> learning_begins = {};                 // all has been read
    std::function<void(std::uint32_t iteration, double loss)> iteration_done = {};
};

// Learns the weights that are marked in the program, t(_)::p. or t(0.3)::p :- q., in annotated disjunctions, too; all
// others stay. The same options give the same result, on any number of threads. `stop`: once it is true, learning ends
// with what there is. Throws Error.
WeightLearningResult learn_weights(const std::filesystem::path& program, const WeightLearningOptions& options,
                                   const WeightLearningProgress& progress = {},
                                   const std::atomic<bool>* stop = nullptr);

// As the command prints it: one JSON object, text for people, and the program as a file.
std::string weights_json(const WeightLearningResult& result, std::uint64_t seed);
std::string weights_text(const WeightLearningResult& result);
std::string weights_program_text(const WeightLearningResult& result, const std::string& file, std::uint64_t seed);

}  // namespace neumann
