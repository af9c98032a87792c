// Circuits on a GPU, level by level, as many examples at a time as have room there.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/memory.h"
#include "reason/gpu/component.h"
#include "reason/gpu/gpu_choice.h"
#include "reason/gpu/gpu_error.h"
#include "reason/gpu/gpu_pass.h"
#include "reason/gpu/gpu_runner.h"
#include "worlds/circuit_runner.h"
#include "worlds/gpu_circuit_plan.h"

namespace neumann {
namespace {

constexpr std::size_t lanes = 32;                             // examples that threads do together
constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;  // at a time: more does not make it faster
constexpr auto work_count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };

class GpuCircuitRunner final : public CircuitRunner {
public:
    GpuCircuitRunner(const Circuit& circuit, GpuDevice& device)
        : circuit_(circuit), device_(device), plan_(plan_circuit(circuit)) {
        const std::scoped_lock lock(gpu_mutex());
        std::size_t bytes = 0;
        for (const bool counts : {true, false}) {
            if (!counts) graph_.reserve(device_, bytes);
            GpuBlock block(counts ? nullptr : graph_.as<unsigned char>());
            place_circuit(block, counts);
            bytes = std::max<std::size_t>(block.used(), 1);
        }
        device_.wait();
    }

    std::string description() const override { return fmt::format("cuda engine, {}", device_.name()); }
    std::size_t bytes() const override {
        const std::scoped_lock lock(gpu_mutex());
        return graph_.bytes() + work_.bytes();
    }
    std::uint64_t bytes_needed(std::size_t) const override { return 0; }  // of the processor's memory

    void forward(const CircuitBatch& batch, std::span<double> to) const override {
        const std::scoped_lock lock(gpu_mutex());
        each_slice(batch, false, [&](GpuCircuit& step, std::size_t first) {
            launch(step, GpuCircuitWork::Answers, nullptr, step.answer_count);
            fetch(to.subspan(first * step.answer_count, std::size_t{step.examples} * step.answer_count), step.to);
        });
    }

    void backward(const CircuitBatch& batch, std::span<const double> seeds, std::span<double> to) const override {
        const std::scoped_lock lock(gpu_mutex());
        each_slice(batch, true, [&](GpuCircuit& step, std::size_t first) {
            const std::size_t row = step.answer_count;
            send(const_cast<double*>(step.seeds), std::as_bytes(seeds.subspan(first * row, step.examples * row)));
            for (auto level = plan_.levels.rbegin(); level != plan_.levels.rend(); ++level)
                launch(step, GpuCircuitWork::Backward, nodes_ + level->begin, level->end - level->begin);
            launch(step, GpuCircuitWork::WayParts, nullptr, work_count(plan_.pieces));
            launch(step, GpuCircuitWork::WaySums, nullptr, static_cast<std::uint32_t>(circuit_.ways()));
            launch(step, GpuCircuitWork::Parameters, nullptr, step.parameters);
            fetch(to.subspan(first * step.parameters, std::size_t{step.examples} * step.parameters), step.to);
        });
    }

private:
    void place_circuit(GpuBlock& block, bool counts) {
        const auto place = [&]<class T>(const T* from, std::size_t count) -> const T* {
            T* const to = block.take<T>(count);
            if (!counts) send(to, std::as_bytes(std::span(from, count)));
            return to;
        };
        const auto list = [&](const auto& all) { return place(all.data(), all.size()); };
        base_.term_begin = list(circuit_.term_begin);
        base_.left = list(circuit_.left);
        base_.right = list(circuit_.right);
        base_.distribution_begin = list(plan_.distribution_begin);
        base_.distribution_way = list(plan_.distribution_way);
        base_.distribution_parameters = list(plan_.distribution_parameters);
        base_.answers = list(plan_.answers);
        base_.seed_begin = list(plan_.seed_begin);
        base_.seeds_of = list(plan_.seeds_of);
        base_.use_begin = list(plan_.use_begin);
        base_.uses = list(plan_.uses);
        base_.pieces = list(plan_.pieces);
        base_.way_uses = list(plan_.way_uses);
        base_.piece_begin = list(plan_.piece_begin);
        base_.way_begin = list(plan_.way_begin);
        base_.parameter_ways = list(plan_.parameter_ways);
        base_.facts = static_cast<std::uint32_t>(circuit_.facts.size());
        base_.parameters = static_cast<std::uint32_t>(circuit_.parameters());
        base_.answer_count = work_count(plan_.answers);
        nodes_ = list(plan_.nodes);
    }

    // Memory for so many examples.
    void lay_out(GpuBlock& block, std::size_t examples, bool gradients, GpuCircuit& step) const {
        const std::size_t row = step.stride;
        step.fact_values = block.take<double>(examples * circuit_.facts.size());
        step.clause_values = block.take<double>(circuit_.clauses.size());
        step.to =
            block.take<double>(examples * std::max<std::size_t>(step.answer_count, gradients ? step.parameters : 0));
        step.values = block.take<double>(circuit_.nodes() * row);
        if (!gradients) return;
        step.seeds = block.take<double>(examples * step.answer_count);
        step.gradients = block.take<double>(circuit_.nodes() * row);
        step.way_parts = block.take<double>(plan_.pieces.size() * row);
        step.way_gradients = block.take<double>(circuit_.ways() * row);
    }
    std::uint64_t bytes_for(std::size_t examples, bool gradients) const {
        GpuCircuit step = base_;
        step.stride = static_cast<std::uint32_t>((examples + lanes - 1) / lanes * lanes);
        GpuBlock block(nullptr);
        lay_out(block, examples, gradients, step);
        return block.used();
    }
    std::size_t examples_at_a_time(std::size_t examples, bool gradients) const {
        const std::uint64_t room = device_.free_bytes() + work_.bytes();
        std::size_t some = examples;
        while (some > lanes && bytes_for(some, gradients) > std::min(room, most_bytes))
            some = std::max(lanes, some / 2 / lanes * lanes);
        if (bytes_for(some, gradients) > room)
            throw GpuError(fmt::format(
                "a circuit of {} nodes needs {} of the GPU's memory for {} examples, of which {} are free: ask a "
                "narrower query, or leave out --device cuda",
                circuit_.nodes(), format_bytes(bytes_for(some, gradients)), some, format_bytes(room)));
        return some;
    }

    // Goes forwards with some examples after the others; `use(step, first)` goes on from there.
    template <class Use>
    void each_slice(const CircuitBatch& batch, bool gradients, const Use& use) const {
        if (batch.examples == 0) return;
        const std::size_t some = examples_at_a_time(batch.examples, gradients);
        const std::size_t facts = circuit_.facts.size();
        for (std::size_t first = 0; first < batch.examples; first += some) {
            GpuCircuit step = base_;
            step.examples = static_cast<std::uint32_t>(std::min(some, batch.examples - first));
            step.stride = static_cast<std::uint32_t>((some + lanes - 1) / lanes * lanes);
            GpuBlock counted(nullptr);
            lay_out(counted, some, gradients, step);
            work_.reserve(device_, counted.used());
            GpuBlock block(work_.as<unsigned char>());
            lay_out(block, some, gradients, step);
            send(const_cast<double*>(step.fact_values),
                 std::as_bytes(batch.facts.subspan(first * facts, step.examples * facts)));
            send(const_cast<double*>(step.clause_values), std::as_bytes(batch.clauses));
            launch(step, GpuCircuitWork::Ways, nullptr, work_count(circuit_.distributions));
            launch(step, GpuCircuitWork::Constants, nullptr, 2);
            for (const GpuCircuitPlan::Level& level : plan_.levels)
                launch(step, GpuCircuitWork::Forward, nodes_ + level.begin, level.end - level.begin);
            use(step, first);
        }
    }

    void launch(GpuCircuit& step, GpuCircuitWork work, const std::uint32_t* items, std::uint32_t count) const {
        if (count == 0) return;
        step.items = items;
        step.count = count;
        device_.run_circuit(work, step);
    }
    void send(void* to, std::span<const std::byte> from) const {
        if (from.empty()) return;
        device_.wait();
        staging_.reserve(device_, from.size_bytes(), true);
        std::memcpy(staging_.as<void>(), from.data(), from.size_bytes());
        device_.upload(to, staging_.as<void>(), from.size_bytes());
    }
    void fetch(std::span<double> to, const double* from) const {
        if (to.empty()) return;
        device_.wait();
        staging_.reserve(device_, to.size_bytes(), true);
        device_.download(staging_.as<void>(), from, to.size_bytes());
        std::memcpy(to.data(), staging_.as<void>(), to.size_bytes());
    }

    const Circuit& circuit_;
    GpuDevice& device_;
    GpuCircuitPlan plan_;
    GpuMemory graph_;
    mutable GpuMemory work_;
    mutable GpuMemory staging_;  // pinned
    GpuCircuit base_{};          // with pointers into graph_
    const std::uint32_t* nodes_ = nullptr;
};

// On the GPU if it pays; falls back to the processor on errors.
class AutoCircuitRunner final : public CircuitRunner {
public:
    AutoCircuitRunner(const Circuit& circuit, const ReasonOptions& options)
        : circuit_(circuit), threads_(options.threads), processor_(make_tile_circuit_runner(circuit, options)) {}

    std::string description() const override { return current().description(); }
    std::size_t bytes() const override { return current().bytes(); }
    std::uint64_t bytes_needed(std::size_t examples) const override { return current().bytes_needed(examples); }
    void forward(const CircuitBatch& batch, std::span<double> to) const override {
        run(batch, false, [&](const CircuitRunner& with) { with.forward(batch, to); });
    }
    void backward(const CircuitBatch& batch, std::span<const double> seeds, std::span<double> to) const override {
        run(batch, true, [&](const CircuitRunner& with) { with.backward(batch, seeds, to); });
    }

private:
    const CircuitRunner& current() const {
        const std::scoped_lock lock(mutex_);
        return choice_.taken() && gpu_ != nullptr ? *gpu_ : *processor_;
    }
    const CircuitRunner& chosen(std::size_t examples, bool gradients) const {
        const std::scoped_lock lock(mutex_);
        if (!choice_.takes({.edges = circuit_.left.size(),
                            .examples = examples,
                            .steps = 1,
                            .gradients = gradients,
                            .threads = threads_}))
            return *processor_;
        if (gpu_ == nullptr) gpu_ = std::make_unique<GpuCircuitRunner>(circuit_, gpu_device());
        return *gpu_;
    }
    template <class Use>
    void run(const CircuitBatch& batch, bool gradients, const Use& use) const {
        try {
            return use(chosen(batch.examples, gradients));
        } catch (const GpuError&) {
            const std::scoped_lock lock(mutex_);
            choice_.give_up();
        }
        use(*processor_);
    }

    const Circuit& circuit_;
    unsigned threads_;
    std::unique_ptr<CircuitRunner> processor_;
    mutable std::mutex mutex_;
    mutable GpuChoice choice_;
    mutable std::unique_ptr<CircuitRunner> gpu_;
};

}  // namespace

std::unique_ptr<CircuitRunner> make_gpu_circuit_runner(const Circuit& circuit) {
    return std::make_unique<GpuCircuitRunner>(circuit, gpu_device());
}

std::unique_ptr<CircuitRunner> make_auto_circuit_runner(const Circuit& circuit, const ReasonOptions& options) {
    return std::make_unique<AutoCircuitRunner>(circuit, options);
}

}  // namespace neumann
