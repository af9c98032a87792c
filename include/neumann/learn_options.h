// Options of learning: every setting that can change the result, by name, each with its one default.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

// An algorithm for learning clauses. "auto" chooses by the laws of the algorithms and the kind of examples, and tries
// another one if the first program is not right.
struct LearnAlgorithmInfo {
    std::string_view name;     // "search"
    std::string_view summary;  // for help texts
    bool published = false;    // of a paper, for comparison: in a component that experiments build
    std::vector<std::string_view> without_effect = {};  // options of the command that it makes no use of
};

inline constexpr std::string_view default_algorithm = "auto";  // tries several

const std::vector<LearnAlgorithmInfo>& learn_algorithms();  // that can be asked for
// An algorithm by its name; null: there is none of this name.
const LearnAlgorithmInfo* find_algorithm(std::string_view name);

// How many goals, variables and functors a clause may have.
struct SearchBounds {
    std::uint32_t max_body = 10;      // body atoms
    std::uint32_t max_variables = 8;  // different variables
    std::uint32_t max_depth = 3;      // nested functors of a term
};

// How candidates are scored.
enum class SearchKind : std::uint8_t {
    Gradient,  // all candidates scored at once by the gradient of the loss
    Beam,      // each candidate is scored alone
};

// How clauses are found: rounds of scoring candidates, sampling some of them and refining those.
struct SearchOptions {
    SearchKind kind = SearchKind::Gradient;  // how candidates are scored
    std::uint32_t trials = 5;                // rounds of refinement: N_trial
    std::uint32_t more_trials = 3;           // as many more if a single clause is sought and none is right by then
    std::uint32_t samples = 10;              // clauses that are refined in each: N_sample
    std::uint32_t reserves = 1;  // times as many are drawn after them, not to be refined but to be weighed in the end
    bool with_replacement = false;              // a clause may be drawn several times
    double beta = 50;                           // how much a score counts against chance
    std::optional<double> uniform_weight = {};  // of all candidates while they are scored; absent: see below
    // The share of negative examples grows from 1/n to all of them over this many rounds.
    std::uint32_t negative_rounds = 5;
    // Steps of reasoning on recursive candidates, unless LearnOptions::steps sets them. Few: one application of a
    // clause to the others' results shows its value, and errors do not accumulate.
    std::uint32_t cyclic_steps = 3;
    // Without a uniform weight, candidates get the one at which so many positive examples are half believed.
    std::uint32_t positives_to_balance = 512;
    double precise_below = 0.2;           // a mean value on negative examples below which a clause stays in the graph
    double alike_within = 1e-5;           // relative: more than rounding, less than any difference that matters
    std::uint32_t singles_to_check = 5;   // after every round: is one of these enough alone?
    std::uint32_t contexts_to_try = 3;    // clauses that are taken for granted in turn during the search for others
    std::uint32_t context_precision = 4;  // labels that such a clause must explain for each that it gets wrong
    std::uint32_t times_wider = 3;        // as many samples then: clauses that need others score low
    double most_pairs = 4000;             // of a recursive clause and another one, tried in small programs
    double small_program = 10000;         // atoms; of larger ones the fewer are tried, the longer each takes
    SearchBounds bounds = {};             // of the clauses
    // neumann-code: clauses with fewer goals are refined, but get no weights. Its scripts use 3 by default.
    std::uint32_t min_body = 0;
};

// The score by which the exhaustive search compares programs.
enum class ScoreKind : std::uint8_t {
    Literals,  // a program that is right; else each literal and each wrong label costs one
    Training,  // wrong labels alone
    Mdl,       // description length: half of log2 n bits for each literal, with n labels, and the bits of exceptions
    Mml,       // message length: the bits of each literal among all that the bias allows, and those of wrong labels
    F1,        // the harmonic mean of precision and recall
};

std::optional<ScoreKind> find_score(std::string_view name);  // literals, training, mdl, mml, f1
std::span<const std::string_view> score_names();             // in the order of ScoreKind

// A rule of gradient descent.
enum class OptimiserKind : std::uint8_t { RmsProp, Adam, Sgd };

std::optional<OptimiserKind> find_optimiser(std::string_view name);  // rmsprop, adam, sgd

// Gradient descent.
struct OptimiserOptions {
    OptimiserKind kind = OptimiserKind::RmsProp;  // which rule
    double rate = 1e-2;                           // how far a step goes
    double decay = 0.99;                          // RMSProp: of the mean square
    double beta1 = 0.9;                           // Adam
    double beta2 = 0.999;                         // Adam
    double epsilon = 1e-8;                        // keeps quotients finite
};

// How the clauses that were found are weighed against each other.
struct WeightOptions {
    std::uint32_t epochs = 50;        // at most
    std::uint32_t batch = 64;         // examples for each step
    OptimiserOptions optimiser = {};  // of the weights
    std::uint32_t patience = 10;      // epochs without a better loss on validation before learning stops
    double least_improvement = 1e-4;  // of the loss, for an epoch to count as better
    std::uint32_t restarts = 1;       // further starts, as long as the program that is read off is not right
    std::uint32_t cyclic_steps = 5;   // see SearchOptions
    double initial_spread = 1;        // logits start uniformly between 0 and this
    double loss_floor = 1e-4;         // ε: the loss is the cross-entropy of ε + (1 − 2ε)·p
};

// How numbers of a given program are found: probabilities by likelihood, weights by a loss.
enum class ParameterMethod : std::uint8_t {
    Em,        // expectation maximisation: the likelihood never decreases
    Gradient,  // ascent on the likelihood by its gradient
};

// How numbers are found.
struct ParameterSearch {
    ParameterMethod method = ParameterMethod::Em;  // the algorithm
    std::uint32_t iterations = 10'000;             // at most
    // Of the mean log-likelihood of an example, or the mean loss of a label: an iteration that gains less is the last.
    // By gradient: so many in a row.
    double tolerance = 1e-12;
    std::uint32_t patience = 20;                                              // iterations
    OptimiserOptions optimiser = {.kind = OptimiserKind::Adam, .rate = 0.1};  // by gradient
};

// Loss of weights. Both are least where values are the probabilities of the labels, however many labels there are of
// each kind.
enum class WeightLossKind : std::uint8_t {
    CrossEntropy,  // −log of the probability of the label
    Squared,       // the squared difference to the label
};

// All options of learning. Those of one goal make no difference to the others.
struct LearnOptions {
    std::uint64_t seed = 1;  // random seed: the same one gives the same result
    double time_limit = 0;   // seconds after which learning stops with the best so far; 0: no limit
    // Counted work after which the exhaustive search ends, at the same place on any machine; absent: about a minute of
    // one core, or ten seconds where gradients may follow.
    std::optional<std::uint64_t> work_limit = {};

    // Clauses.
    std::string algorithm{default_algorithm};
    ScoreKind score = ScoreKind::Literals;  // of programs, in the exhaustive search
    std::uint32_t parts = 0;                // of the labels, to choose the score by cross-validation; 0: it is given
    bool prefer = true;                     // of programs with the same labels and literals, the general one
    SearchOptions search = {};              // of the search by gradients
    WeightOptions weights = {};             // of weighing clauses
    std::optional<std::uint32_t> program_size = {};  // clauses of each predicate; absent: from its learn directive
    bool simplify = true;                            // drop clauses and goals that make no difference
    // While clauses are scored and weighed; empty: the one made for it. Of the published algorithms neumann takes
    // "paper" (the literal soft-or, its default) or "softor" (the one that leaves 0 at 0); the others have reasoners of
    // their own.
    std::string learning_semantics = {};
    // From this value upwards an atom counts as true; absent: 0.5, or the best on the validation examples.
    std::optional<double> threshold = {};

    // Deepening by validation: clauses of one goal, of two, …, until this share of the validation labels is right.
    // Training labels choose the program of each depth. Absent: the best validation accuracy of a depth, less its
    // standard error; published algorithms then keep to their rounds.
    std::optional<double> enough = {};

    // Refuses a task whose background is no program of the language, with file and line, before anything is learned.
    bool require_program = false;

    // Weights and probabilities.
    ParameterSearch parameters = {};
    WeightLossKind loss = WeightLossKind::CrossEntropy;  // that is made small

    // When a program is judged, and while weights are learned; empty: the default.
    std::string semantics = {};
    // Where clauses are scored and weighed: graph, cuda or auto, as for ReasonerOptions. Engines differ within
    // rounding, and so may, rarely, which of two equally good clauses is found.
    std::string engine = "graph";
    double gamma = 0.01;                      // temperature of the soft-or
    std::optional<std::uint32_t> steps = {};  // of reasoning; absent: as many as are needed, or 5 if published

    // Where a run for clauses is recorded step by step, so that it can go on after a crash or a stop; empty: nowhere.
    // The caller removes the file when the result is stored: until then resuming comes to the same result at once.
    std::filesystem::path journal = {};
    bool resume = false;  // continues the run in the journal, if there is one; else it must not exist
};

}  // namespace neumann
