// Reasoner of a model: batches of examples run forwards to probabilities and backwards to gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/model.h>
#include <neumann/types.h>

namespace neumann {

// Initial values for atoms of one or more examples. An atom starts with the value set here, else with the probability
// of its fact, else with 0; an example without values is the program as it stands.
class Batch {
public:
    // Of so many examples, none of which has values yet.
    Batch(Model model, std::size_t examples);

    // As many as it was made for.
    std::size_t examples() const { return values_.size(); }

    // The last of several values for one atom counts. Throws std::invalid_argument for an unknown example or atom, or a
    // value that is not in [0,1].
    void set(std::size_t example, AtomIndex atom, double probability);

    // Also throws Error if the text is no ground atom of the program, lies beyond its bounds, or was left out of the
    // graph because the program was compiled as if its predicate had no values of its own (see ModelOptions::inputs).
    // The value of an input that no query depends on is ignored.
    void set(std::size_t example, std::string_view atom, double probability);

private:
    friend class Reasoner;
    std::vector<AtomValue>& checked(std::size_t example, double probability);

    Model model_;
    std::vector<std::vector<AtomValue>> values_;
};

// The values that a forward pass keeps for later calls.
enum class Retain {
    Results,   // the final values
    Backward,  // the data for backward(), within the memory budget of the reasoner
    History,   // every step: for history() and backward()
};

// The outcome of a forward pass: the value of every atom in every example, in single precision. Functions that are
// given an unknown example or atom throw std::invalid_argument; all of them may be called from several threads at once.
class Values {
public:
    Values();  // of no examples
    Values(Values&&) noexcept;
    Values& operator=(Values&&) noexcept;
    ~Values();

    // As many as the batch had.
    std::size_t examples() const;

    // The final value of an atom, in [0,1].
    float value(std::size_t example, AtomIndex atom) const;

    // The final values of some atoms in every example: a row of atoms.size() numbers for each. Also throws
    // std::invalid_argument for an array of another size.
    void read(std::span<const AtomIndex> atoms, std::span<float> to) const;

    // How many steps were made for this example. Under "sample": how many worlds agreed with the evidence;
    // under "topk": how many proofs count, of all that is asked.
    std::uint32_t steps(std::size_t example) const;

private:
    friend class Reasoner;
    struct State;
    std::unique_ptr<State> state_;  // null: no examples
};

// The gradient of a loss by the final values: zero except for added entries.
class OutputGradients {
public:
    // Of so many examples, as many as the forward pass had.
    explicit OutputGradients(std::size_t examples) : gradients_(examples) {}

    // As many as it was made for.
    std::size_t examples() const { return gradients_.size(); }

    // Gradients for one atom add up. Throws std::invalid_argument for an unknown example or a gradient that is not
    // finite; whether the atom exists is checked by backward().
    void add(std::size_t example, AtomIndex atom, double gradient);

private:
    friend class Reasoner;
    std::vector<std::vector<AtomValue>> gradients_;
};

// The outcome of a backward pass: the gradient of the loss by initial values and by clause weights. Functions that are
// given an unknown example, atom or clause throw std::invalid_argument; all of them may be called from several threads
// at once.
class Gradients {
public:
    Gradients();  // of no examples
    Gradients(Gradients&&) noexcept;
    Gradients& operator=(Gradients&&) noexcept;
    ~Gradients();

    // As many as the forward pass had.
    std::size_t examples() const;

    // By the value that an atom starts with: that of the batch, or that of its fact.
    float input(std::size_t example, AtomIndex atom) const;

    // By a clause's weight, of this example alone.
    float weight(std::size_t example, std::size_t clause) const;

    // By every clause's weight, summed over the examples. Takes time linear in clauses × examples.
    std::vector<double> weight_sums() const;

private:
    friend class Reasoner;
    struct State;
    std::unique_ptr<State> state_;  // null: no examples
};

inline constexpr std::string_view default_engine_name = "graph";  // of ReasonerOptions

// How a reasoner computes. docs/semantics.md has the formulas.
struct ReasonerOptions {
    // One of known_semantics(). Under "paper" atoms that cannot be derived creep up from 0, so models for it are
    // compiled with Grounding::Full. Under "exact", "sample" and "topk" the probabilities of queries are known,
    // and no others; "sample" and "topk" know neither engines nor kernels, and "sample" has no gradients.
    std::string semantics = "softor";
    // One of known_engines(). docs/gpu.md describes the engines for GPUs.
    std::string engine{default_engine_name};
    // How soft the soft-or is, from 1e-4 to 10; for softor and paper.
    double gamma = 0.01;
    // Absent: as many as the example needs. "paper" requires a number, because its values change with every step.
    std::optional<std::uint32_t> steps = {};
    // 0: as many as the machine has cores. Results do not depend on it. A thread computes 16 examples at a time, so
    // smaller batches use one.
    unsigned threads = 0;
    // The instruction set to use: avx512, avx2 or baseline. Empty: the fastest that this machine has.
    std::string kernel = {};
    // Bytes for the values kept between a forward and a backward pass. With less, more is computed again.
    std::uint64_t memory_budget = std::uint64_t{1} << 30;
    // Bytes for everything, if an engine can estimate its memory beforehand; 0: most of the machine's memory.
    std::uint64_t memory_limit = 0;
    // Seconds for compiling exact probabilities; 0: no limit.
    double time_limit = 0;
    // The share of the time limit that compiling may take; the rest is for bounds.
    double compiling_share = 1;
    // How exact probabilities are compiled: "diagrams", "sums", "tables", "search"; "auto": by forecast.
    std::string exact_method = "auto";
    // The weights of clauses will stay as they are, and nothing will be differentiated by them: exact probabilities
    // of disjunctions whose weights add up to 1 are cheaper then. Passes with other weights are refused.
    bool fixed_weights = false;
    // For "sample": the number of random worlds, and their random seed.
    std::uint64_t samples = 10'000;
    std::uint64_t seed = 0;  // … of their choice
    // For "topk": how many proofs of each answer count.
    std::uint32_t k = 10;
    // Called now and then with the progress of compiling, or of the steps of a forward pass. May be empty.
    ProgressFunction progress = {};
};

// An engine that ReasonerOptions::engine may name.
struct EngineSummary {
    std::string_view name;            // as options name it
    std::string_view summary;         // for help texts
    std::string_view device = "cpu";  // the name of its device for engine_on()
    bool needs_device = false;        // fails without a GPU
    bool has_gradients = true;        // computes them
    bool double_precision = false;    // computes in it
    bool needs_steps = false;         // a number of them
    bool takes_kernel = false;        // ReasonerOptions::kernel
};

std::span<const EngineSummary> known_engines();                   // the default first
const EngineSummary* find_known_engine(std::string_view engine);  // null: there is none of this name

// The engine that takes the steps on a device: "cpu", "cuda", or "auto", which never fails for want of a GPU. Where a
// network runs on the GPU, the steps go there if they can: another GPU's name will do, and its lack is no error.
// Throws OptionError for other names.
std::string engine_on(std::string_view device, bool beside_network = false);

// The instruction sets that this machine has, the fastest first.
std::vector<std::string> known_kernels();

// Runs a model forwards and backwards. An example's results depend on that example alone, to the last bit: not on its
// neighbours in the batch or on the number of threads. A reasoner is used by one thread at a time; several reasoners
// may share a model. A forward pass takes time linear in edges × steps × examples, a backward pass a small multiple of
// it.
class Reasoner {
public:
    // Starts with the weights of the model. Throws std::invalid_argument for options that do not exist or do not fit
    // together.
    explicit Reasoner(Model model, const ReasonerOptions& options = {});
    Reasoner(Reasoner&&) noexcept;
    Reasoner& operator=(Reasoner&&) noexcept;
    ~Reasoner();

    // The model it was made for.
    const Model& model() const;

    // Takes one weight per clause, each in [0,1]; else throws std::invalid_argument. The model keeps its own.
    void set_weights(std::span<const double> weights);

    // The present weights, one per clause. The span holds until the next set_weights().
    std::span<const double> weights() const;

    // The values of all atoms after the last step. Throws std::invalid_argument for a batch of another model. In a
    // loop, give the previous outcome back as `reuse`: its memory is used again.
    Values forward(const Batch& batch, Retain retain = Retain::Results, Values reuse = {});

    // The same from an array to an array: `values` has a row of inputs.size() probabilities for each example, and
    // `results` is filled with a row of outputs.size() values for each. Throws std::invalid_argument for arrays of
    // another size, unknown atoms, or values that are not in [0,1].
    Values forward(std::size_t examples, std::span<const AtomIndex> inputs, std::span<const float> values,
                   std::span<const AtomIndex> outputs, std::span<float> results, Retain retain = Retain::Results,
                   Values reuse = {});

    // From the gradient of a loss by the final values to those by initial values and weights. It uses the weights of
    // the forward pass, even if they have changed since: several passes may be under way. If a value was
    // clamped to 1, its gradient is that of the formula before clamping. Throws std::invalid_argument unless the values
    // are this reasoner's and have the data, and the gradients are for as many examples.
    Gradients backward(const Values& values, const OutputGradients& output, Gradients reuse = {});

    // The same from an array to arrays: `gradients` has a row of outputs.size() numbers for each example, `by_input` is
    // filled with a row of inputs.size() gradients for each, and `by_weight` with that by every clause's weight, summed
    // over the examples; one of the two may be empty if it is not wanted. Also throws std::invalid_argument for arrays
    // of another size, and unknown atoms.
    void backward(const Values& values, std::span<const AtomIndex> outputs, std::span<const float> gradients,
                  std::span<const AtomIndex> inputs, std::span<float> by_input, std::span<double> by_weight);

    // The values of some atoms at every step, initial values first: result[step][i] is that of atoms[i]. Throws
    // std::invalid_argument unless the values are this reasoner's and were computed with Retain::History.
    std::vector<std::vector<float>> history(const Values& values, std::size_t example,
                                            std::span<const AtomIndex> atoms);

private:
    struct State;
    std::shared_ptr<State> state_;  // not shared; values identify their reasoner by it
};

// Slot weights, the clause weights of the paper: M slots, each of which softly chooses one of the clauses. Each slot
// has a logit for every clause; p_m = softmax(logits of slot m), and the weight of clause k is
// min(1, softor(p_1k, …, p_Mk)). Logits are stored slot by slot: logits[m * clauses + k]. Both functions throw
// std::invalid_argument for numbers that are not finite, too many or too few; they keep no state.
struct SlotWeights {
    std::size_t clauses = 0;  // how many there are
    unsigned slots = 1;       // M: how many clauses can be chosen
    double gamma = 0.01;      // of the soft-or, from 1e-4 to 10
    bool leak_free = true;  // a clause that no slot chooses has weight 0; under the paper's formula it has gamma·log M

    // The weight of every clause.
    std::vector<double> compose(std::span<const double> logits) const;

    // From the gradient of a loss by the weights (Gradients::weight_sums) to that by the logits, in their layout. Where
    // a weight was clamped to 1, its gradient is that of the soft-or before clamping.
    std::vector<double> gradient(std::span<const double> logits, std::span<const double> weight_gradient) const;
};

}  // namespace neumann
