// The reasoner: a graph loaded once, weights set as often as one likes, batches of examples run forwards and backwards.
// An example's results depend on that example alone, to the last bit: not on its neighbours in the batch, its place
// among them, the number of threads, or how much memory is there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/levels.h"
#include "reason/column.h"
#include "reason/reason_error.h"
#include "reason/semantics.h"
#include "reason/tile/tile_engine.h"

namespace neumann {

struct ReasonOptions {
    Semantics semantics = default_semantics();
    double gamma = default_gamma;
    std::optional<std::uint32_t> steps;  // absent: automatic
    unsigned threads = 1;
    std::string kernel;  // empty: the fastest this machine has
    // For what is kept between a forward and a backward pass. With less, more is computed again.
    std::uint64_t memory_budget = std::uint64_t{1} << 30;
};

// Numbers for some atoms of each example: initial values that replace those of the facts, or gradients of results.
class AtomNumbers {
public:
    struct Entry {
        std::uint32_t atom;
        float value;
    };
    explicit AtomNumbers(std::size_t examples = 0) : entries_(examples) {}

    std::size_t examples() const { return entries_.size(); }
    void resize(std::size_t examples) { entries_.resize(examples); }
    void clear(std::size_t example) { entries_[example].clear(); }
    void set(std::size_t example, std::uint32_t atom, float value) { entries_[example].push_back({atom, value}); }
    std::span<const Entry> of(std::size_t example) const { return entries_[example]; }

private:
    std::vector<std::vector<Entry>> entries_;
};

enum class Keep {
    Results,   // initial and final values
    Backward,  // what a backward pass needs, within the memory budget
    History,   // the values after every step
    HistoryAndBackward,
};

// The outcome of a forward pass; its memory is used again by the next one.
class ForwardPass {
public:
    std::size_t examples() const { return examples_; }
    float value(std::uint32_t atom, std::size_t example) const { return final(atom, example); }
    float initial(std::uint32_t atom, std::size_t example) const {
        return tile_of(example).initial.row(atom)[example % tile_width];
    }
    std::uint32_t steps(std::size_t example) const { return tile_of(example).steps[example % tile_width]; }
    // Of one example; they hold until the next pass.
    Column values(std::size_t example) const {
        return {tile_of(example).final.row(0) + example % tile_width, tile_width};
    }
    Column initials(std::size_t example) const {
        return {tile_of(example).initial.row(0) + example % tile_width, tile_width};
    }
    // How often each phase of the schedule was updated for an example.
    std::vector<std::uint32_t> rounds(const Schedule& schedule, std::size_t example) const;
    std::size_t bytes() const;

private:
    friend class GraphReasoner;
    const TileRecord& tile_of(std::size_t example) const { return tiles_[example / tile_width]; }
    float final(std::uint32_t atom, std::size_t example) const {
        return tile_of(example).final.row(atom)[example % tile_width];
    }

    std::size_t examples_ = 0;
    Keep kept_ = Keep::Results;
    const void* reasoner_ = nullptr;  // whose pass it was, and with which weights
    std::uint64_t weights_version_ = 0;
    std::vector<TileRecord> tiles_;
};

class GraphGradients {
public:
    // Of one example, by the initial values of all atoms; they hold until the next backward pass.
    Column inputs(std::size_t example) const {
        return {tiles_[example / tile_width].initial.row(0) + example % tile_width, tile_width};
    }
    float input(std::uint32_t atom, std::size_t example) const {
        return tiles_[example / tile_width].initial.row(atom)[example % tile_width];
    }
    float weight(std::uint32_t clause, std::size_t example) const {
        return tiles_[example / tile_width].weights.row(clause)[example % tile_width];
    }
    double weight_sum(std::uint32_t clause) const;  // over all examples, in their order

private:
    friend class GraphReasoner;
    std::size_t examples_ = 0;
    std::vector<TileGradients> tiles_;
};

class GraphReasoner {
public:
    // `levels` are only looked at if the steps are automatic; null: they are computed. Throws ReasonError.
    GraphReasoner(ReasoningGraph graph, const ReasonOptions& options, const GraphLevels* levels = nullptr);
    GraphReasoner(const GraphReasoner&) = delete;
    GraphReasoner& operator=(const GraphReasoner&) = delete;

    const ReasonOptions& options() const { return options_; }
    const ReasoningGraph& graph() const { return plan_.graph; }
    const Schedule& schedule() const { return plan_.schedule; }
    const char* kernel_name() const { return plan_.kernel->name; }

    std::span<const double> weights() const { return weights_; }
    void set_weights(std::span<const double> weights);  // one per clause, each in [0,1]; throws ReasonError

    // Replaces the values that atoms have before an example says otherwise: those of the graph's facts. One per atom,
    // in [0,1]; throws ReasonError.
    void set_initial(std::span<const float> values);

    // Values in [0,1] for existing atoms, else ReasonError. The last of several values for one atom counts.
    void forward(const AtomNumbers& inputs, ForwardPass& run, Keep keep = Keep::Results);

    // From the gradient of a loss by the final values to those by initial values and weights. Needs a run that kept
    // what a backward pass needs and the weights of that run.
    void backward(const ForwardPass& run, const AtomNumbers& output_gradients, GraphGradients& gradients);

    // The values of some atoms at every step, step 0 first: a row of atoms.size() for each. Needs Keep::History.
    std::vector<std::vector<float>> history(const ForwardPass& run, std::size_t example,
                                            std::span<const std::uint32_t> atoms);

    std::size_t bytes() const;  // beside the graph and the runs

private:
    void find_facts();
    std::size_t states_within_budget(std::size_t tiles) const;
    void for_each_tile(std::size_t tiles, const std::function<void(TileEngine&, std::size_t)>& work);

    ReasonOptions options_;
    std::vector<double> weights_;
    std::uint64_t weights_version_ = 0;
    TilePlan plan_;
    std::vector<std::uint32_t> facts_;                  // atoms whose initial value is not 0
    std::vector<std::unique_ptr<TileEngine>> engines_;  // one per thread, made when first needed
};

}  // namespace neumann
