// Learning the probabilities of a program, its clauses as they are, from examples of which each says what was observed:
// maximum likelihood under the distribution semantics.
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
#include <neumann/learn_options.h>
#include <neumann/model.h>

namespace neumann {

enum class ParameterMethod : std::uint8_t {
    Em,        // expectation maximisation: the likelihood never becomes smaller
    Gradient,  // ascent on the likelihood by its gradient
};

struct ParameterSearch {
    ParameterMethod method = ParameterMethod::Em;
    std::uint32_t iterations = 10'000;  // at most
    // Of the mean log-likelihood of an example: an iteration that adds less is the last. By gradient: so many in a row.
    double tolerance = 1e-12;
    std::uint32_t patience = 20;
    OptimiserOptions optimiser = {.kind = OptimiserKind::Adam, .rate = 0.1};  // by gradient
};

struct ParameterOptions {
    // What was observed: JSON Lines, {"atoms": {"heads(c1)": 1, "win": 0}}, where "targets" and "label" count as well;
    // or as ProbLog writes it, evidence(heads(c1),true). evidence(win,false)., with lines "---" between examples. What
    // an example does not name is not known; atoms of neural predicates are given, and false unless they are named.
    // `train` must be given; `test` is looked at once, in the end.
    std::string train = {};
    std::string test = {};
    ParameterSearch search = {};
    std::uint64_t seed = 1;  // where probabilities start that have no first value: t(_)
    // How the program is read, what is said about it, memory and threads; the rest does not apply.
    ModelOptions reading = {};
};

struct LearnedParameter {
    std::string clause;    // without its probability
    std::size_t line = 0;  // of the program
    double start = 0;
    double value = 0;
    double chosen = 0;   // how often it was expected to come about,
    double decided = 0;  // of how many times that an example depends on; 0: the data say nothing about it
};

struct ParameterResult {
    std::vector<LearnedParameter> parameters;  // as the program has them
    // The program with the learned numbers. If learning was stopped, they keep their marks, t(0.3)::, so that it can go
    // on from there.
    std::string program;
    std::size_t examples = 0;
    std::size_t different_examples = 0;
    double start_log_likelihood = 0;  // sums over the examples, natural logarithms
    double log_likelihood = 0;
    std::optional<double> test_log_likelihood;  // absent: there are no test examples, or one of them cannot be true now
    std::string test_impossible;                // that one: "file:line"
    std::size_t test_examples = 0;
    std::uint32_t iterations = 0;
    bool converged = false;    // else there were as many iterations as are allowed, or it was stopped
    bool interrupted = false;  // it was stopped
    double seconds = 0;
};

struct ParameterProgress {
    std::function<void(const std::string& text)> message = {};  // a warning, as the command prints it
    std::function<void()> learning_begins = {};                 // all has been read
    // The log-likelihood after an iteration.
    std::function<void(std::uint32_t iteration, double log_likelihood)> iteration_done = {};
};

// Learns the probabilities that are marked in the program, t(_)::p. or t(0.3)::p :- q., in annotated disjunctions, too;
// all others stay. The same options give the same result. `stop`: once it is true, learning ends with what there is.
// Throws Error, also for an example that cannot be true.
ParameterResult learn_parameters(const std::filesystem::path& program, const ParameterOptions& options,
                                 const ParameterProgress& progress = {}, const std::atomic<bool>* stop = nullptr);

// As a JSON object on one line.
std::string parameters_json(const ParameterResult& result, std::uint64_t seed);

}  // namespace neumann
