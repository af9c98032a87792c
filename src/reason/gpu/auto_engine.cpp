// The engine `auto`: on a GPU if there is one and it pays, else in tiles on the processor. If the GPU fails, the
// processor repeats the computation and does all later ones.
#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "reason/gpu/gpu_choice.h"
#include "reason/gpu/gpu_error.h"
#include "reason/reasoner.h"

namespace neumann {

extern const EngineInfo auto_engine;
extern const EngineInfo cuda_engine;
extern const EngineInfo tile_engine;

namespace {

// The reasoners behind one that chooses.
class Engines {
public:
    Engines(const ReasoningGraph& graph, const ReasonOptions& options, const GraphLevels* levels)
        : processor(tile_engine.make(graph, options, levels)) {}

    // For the next batch; null: the processor's.
    const GraphReasoner* gpu_for(std::size_t examples, Keep keep) {
        const ReasoningGraph& graph = processor->graph();
        const ReasonOptions& options = processor->options();
        const std::scoped_lock lock(mutex_);
        if (!choice_.takes({.edges = graph.conjunction_count() + graph.body.size(),
                            .examples = examples,
                            .steps = options.steps.value_or(1),
                            .gradients = keeps_backward(keep),
                            .threads = options.threads}))
            return nullptr;
        try {
            if (gpu_ == nullptr) gpu_ = cuda_engine.make(graph, options, nullptr);
        } catch (const GpuError&) {
            choice_.give_up();
        }
        return gpu_.get();
    }
    void give_up() {
        const std::scoped_lock lock(mutex_);
        choice_.give_up();
    }
    // The reasoner in use.
    const GraphReasoner& current() const {
        const std::scoped_lock lock(mutex_);
        return choice_.taken() && gpu_ != nullptr ? *gpu_ : *processor;
    }

    const std::unique_ptr<GraphReasoner> processor;

private:
    mutable std::mutex mutex_;
    GpuChoice choice_;
    std::unique_ptr<GraphReasoner> gpu_;
};

// A pass on the GPU or on the processor. Keeps the GPU's inputs, in case it fails.
class AutoPass final : public PassState {
    struct Current {
        const GraphReasoner* reasoner = nullptr;
        std::shared_ptr<Pass> pass = std::make_shared<Pass>();
    };

    Current now() const {
        const std::scoped_lock lock(mutex_);
        return current_;
    }
    void run(const GraphReasoner& with, const InputBatch& inputs, std::span<const float> initial) {
        Pass memory = current_.reasoner == &with ? std::move(*current_.pass) : Pass();
        current_ = {};
        *current_.pass = with.forward(inputs, weights, {.keep = kept, .initial = initial}, std::move(memory));
        current_.reasoner = &with;
    }
    // On the processor; once, however many ask for it.
    Current redo(const Current& failed) const {
        engines_->give_up();
        const std::scoped_lock lock(mutex_);
        if (current_.pass == failed.pass) {
            current_.reasoner = engines_->processor.get();
            current_.pass = std::make_shared<Pass>(
                current_.reasoner->forward(inputs_, weights, {.keep = kept, .initial = initial_}));
        }
        return current_;
    }
    template <class Read>
    auto read(const Read& what) const {
        const Current current = now();
        try {
            return what(*current.pass);
        } catch (const GpuError&) {
            return what(*redo(current).pass);
        }
    }

public:
    void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const override {
        read([&](const Pass& pass) { pass.outputs(atoms, to); });
    }
    void read_values(std::size_t example, const NumberSpan& to) const override {
        read([&](const Pass& pass) { pass.values(example, to); });
    }
    void read_initials(std::size_t example, const NumberSpan& to) const override {
        read([&](const Pass& pass) { pass.initials(example, to); });
    }
    void gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                const NumberSpan& to) const override {
        read([&](const Pass& pass) { pass.gather(of_examples, atoms, to); });
    }
    std::uint32_t steps(std::size_t example) const override {
        return read([&](const Pass& pass) { return pass.steps(example); });
    }
    std::vector<std::uint32_t> rounds(std::size_t example) const override {
        return read([&](const Pass& pass) { return pass.rounds(example); });
    }
    void read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const override {
        read([&](const Pass& pass) { pass.history(example, atoms, to); });
    }
    std::size_t bytes() const override { return now().pass->bytes(); }

    void compute(std::shared_ptr<Engines> with, const InputBatch& inputs, std::span<const float> initial) {
        engines_ = std::move(with);
        const GraphReasoner* const gpu = engines_->gpu_for(inputs.examples(), kept);
        if (gpu != nullptr) {
            inputs_ = inputs;
            initial_.assign(initial.begin(), initial.end());
            try {
                run(*gpu, inputs, initial);
                return;
            } catch (const GpuError&) {
                engines_->give_up();
            }
        }
        run(*engines_->processor, inputs, initial);
    }
    void differentiate(const InputBatch& seeds, const GradientRequest& wanted) const {
        // Sums are added to: a failed GPU's contribution has to be undone.
        std::vector<std::vector<double>> before;
        for (const GradientSums& sums : wanted.sums) {
            before.emplace_back(sums.by_clause.begin(), sums.by_clause.end());
            before.emplace_back(sums.by_atom.begin(), sums.by_atom.end());
        }
        const Current current = now();
        try {
            current.reasoner->backward(*current.pass, seeds, wanted);
            return;
        } catch (const GpuError&) {
        }
        for (std::size_t i = 0; i < wanted.sums.size(); ++i) {
            std::ranges::copy(before[2 * i], wanted.sums[i].by_clause.begin());
            std::ranges::copy(before[2 * i + 1], wanted.sums[i].by_atom.begin());
        }
        const Current again = redo(current);
        again.reasoner->backward(*again.pass, seeds, wanted);
    }

private:
    std::shared_ptr<Engines> engines_;
    InputBatch inputs_;
    std::vector<float> initial_;
    mutable std::mutex mutex_;
    mutable Current current_;
};

class AutoReasoner final : public GraphReasoner {
public:
    AutoReasoner(ReasoningGraph all, const ReasonOptions& options, const GraphLevels* levels)
        : GraphReasoner(auto_engine, std::move(all), options, levels),
          engines_(std::make_shared<Engines>(graph(), options, levels)) {}

    std::string description() const override { return engines_->current().description(); }
    std::size_t bytes() const override { return engines_->current().bytes(); }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<AutoPass>(); }
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }  // the chosen reasoner checks
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override {
        static_cast<AutoPass&>(state).compute(engines_, inputs, initial);
    }
    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override {
        static_cast<const AutoPass&>(state).differentiate(seeds, wanted);
    }

    std::shared_ptr<Engines> engines_;
};

}  // namespace

const EngineInfo auto_engine = {
    .name = "auto",
    .command_name = "auto",
    .summary = "there where it pays",
    .device = "auto",
    .device_use = DeviceUse::WhereItPays,
    .gradients = true,
    .double_precision = false,
    .automatic_steps = true,
    .takes_kernel = true,
    .make = [](ReasoningGraph graph, const ReasonOptions& options, const GraphLevels* levels)
        -> std::unique_ptr<GraphReasoner> { return std::make_unique<AutoReasoner>(std::move(graph), options, levels); },
};

}  // namespace neumann
