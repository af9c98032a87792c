// Options of learning: all that can change what is learned, by name, each with its one default.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

// How clauses are learned.
enum class LearnAlgorithm : std::uint8_t {
    Automatic,    // the search where labels and inputs are crisp, else gradients; the other one if it is not right
    Search,       // every small clause on what holds in the examples, and programs of them
    Gradient,     // gradient scores, weights, and exact checks of what they come to
    Neumann,      // the paper's Algorithm 3 as printed, and nothing else
    NeumannCode,  // the same as the public code does it, where that differs from the text
    DilpSt,       // ∂ILP-ST: beam search with exact scores, then weights
    AlphaIlp,     // αILP: the same with its own scores and reasoner
    Dilp,         // ∂ILP: all clauses of two goals, weights over pairs of them
};

struct LearnAlgorithmInfo {
    LearnAlgorithm algorithm;
    std::string_view name;     // "neumann"
    std::string_view summary;  // for help texts
};

inline constexpr LearnAlgorithm default_algorithm = LearnAlgorithm::Automatic;

std::span<const LearnAlgorithmInfo> learn_algorithms();  // those that can be asked for
const LearnAlgorithmInfo& info(LearnAlgorithm algorithm);
std::optional<LearnAlgorithm> find_algorithm(std::string_view name);
// Whether it is an algorithm of a paper, for comparison. Those are in a component that experiments build; without it
// learn() throws Error.
bool is_published(LearnAlgorithm algorithm);
// Options of the command that it makes no use of: "patience", "restarts".
std::vector<std::string_view> options_without_effect(LearnAlgorithm algorithm);

// How many goals, variables and functors a clause may have.
struct SearchBounds {
    std::uint32_t max_body = 10;      // body atoms
    std::uint32_t max_variables = 8;  // different variables
    std::uint32_t max_depth = 3;      // nested functors of a term
};

enum class SearchKind : std::uint8_t {
    Gradient,  // all candidates scored at once by the gradient of the loss
    Beam,      // each candidate scored by itself
};

// How clauses are found: rounds of scoring candidates, sampling some of them and refining those.
struct SearchOptions {
    SearchKind kind = SearchKind::Gradient;
    std::uint32_t trials = 5;       // rounds of refinement: N_trial
    std::uint32_t more_trials = 3;  // as many more if a single clause is looked for and none is right by then
    std::uint32_t samples = 10;     // clauses that are refined in each: N_sample
    std::uint32_t reserves = 1;  // times as many are drawn after them, not to be refined but to be weighed in the end
    bool with_replacement = false;
    double beta = 50;                           // how much a score counts against chance
    std::optional<double> uniform_weight = {};  // of all candidates while they are scored; absent: see below
    // The share of negative examples grows from 1/n to all of them over this many rounds.
    std::uint32_t negative_rounds = 5;
    // Steps of reasoning on recursive candidates, unless LearnOptions::steps says how many. Few: a clause shows its
    // worth when it is applied once to what others derive, and what is wrong is not carried on and on.
    std::uint32_t cyclic_steps = 3;
    // Without a uniform weight, candidates get the one at which so many positive examples are half believed.
    std::uint32_t positives_to_balance = 512;
    double precise_below = 0.2;           // a mean value on negative examples below which a clause stays in the graph
    double alike_within = 1e-5;           // relative: more than rounding, less than any difference that matters
    std::uint32_t singles_to_check = 5;   // after every round: is one of these enough by itself?
    std::uint32_t contexts_to_try = 3;    // clauses that are taken for granted in turn while others are looked for
    std::uint32_t context_precision = 4;  // labels that such a clause must explain for each that it gets wrong
    std::uint32_t times_wider = 3;        // as many samples then: clauses that need others score low
    double most_pairs = 4000;             // of a recursive clause and another one, tried in small programs
    double small_program = 10000;         // atoms; of larger ones the fewer are tried, the longer each takes
    SearchBounds bounds = {};
    // NeumannCode: clauses with fewer goals are refined, but not weighed. Its scripts say 3 unless told otherwise.
    std::uint32_t min_body = 0;
};

enum class OptimiserKind : std::uint8_t { RmsProp, Adam, Sgd };

std::optional<OptimiserKind> find_optimiser(std::string_view name);  // rmsprop, adam, sgd

// Gradient descent.
struct OptimiserOptions {
    OptimiserKind kind = OptimiserKind::RmsProp;
    double rate = 1e-2;
    double decay = 0.99;  // RMSProp: of the mean square
    double beta1 = 0.9;   // Adam
    double beta2 = 0.999;
    double epsilon = 1e-8;
};

// How the clauses that were found are weighed against each other.
struct WeightOptions {
    std::uint32_t epochs = 50;
    std::uint32_t batch = 64;
    OptimiserOptions optimiser = {};
    std::uint32_t patience = 10;      // epochs without a better loss on validation before learning stops
    double least_improvement = 1e-4;  // of the loss, for an epoch to count as better
    std::uint32_t restarts = 1;       // further starts, as long as the program that is read off is not right
    std::uint32_t cyclic_steps = 5;   // see SearchOptions
    double initial_spread = 1;        // logits start uniformly between 0 and this
    double loss_floor = 1e-4;         // ε: the loss is the cross-entropy of ε + (1 − 2ε)·p
};

}  // namespace neumann
