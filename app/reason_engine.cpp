#include "reason_engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/memory.h"
#include "command.h"
#include "reason/reference/reference.h"
#include "reason/tensor/tensor_reasoner.h"

namespace neumann::app {
namespace {

void set_inputs(AtomNumbers& inputs, std::span<const BoundExample> examples) {
    inputs.resize(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        inputs.clear(e);
        for (const AtomValue& value : examples[e].values) inputs.set(e, value.atom, value.value);
    }
}

class GraphEngine final : public ReasonEngine {
public:
    GraphEngine(const LoadedProgram& loaded, const ReasonOptions& options)
        : reasoner_(loaded.compiled.ground.graph, options, loaded.levels.level.empty() ? nullptr : &loaded.levels) {}

    std::string description() const override { return fmt::format("graph engine, {} kernel", reasoner_.kernel_name()); }
    void forward(std::span<const BoundExample> examples, Keep keep) override {
        set_inputs(inputs_, examples);
        reasoner_.forward(inputs_, pass_, keep);
    }
    double value(std::uint32_t atom, std::size_t example) const override {
        return static_cast<double>(pass_.value(atom, example));
    }
    std::uint32_t steps(std::size_t example) const override { return pass_.steps(example); }
    std::vector<std::vector<double>> history(std::size_t example, std::span<const std::uint32_t> atoms) override {
        std::vector<std::vector<double>> result;
        for (const std::vector<float>& step : reasoner_.history(pass_, example, atoms))
            result.emplace_back(step.begin(), step.end());
        return result;
    }
    void backward(std::uint32_t atom) override {
        seeds_.resize(pass_.examples());
        for (std::size_t e = 0; e < pass_.examples(); ++e) {
            seeds_.clear(e);
            seeds_.set(e, atom, 1.0F);
        }
        reasoner_.backward(pass_, seeds_, gradients_);
    }
    double input_gradient(std::uint32_t atom, std::size_t example) const override {
        return static_cast<double>(gradients_.input(atom, example));
    }
    double weight_gradient(std::uint32_t clause, std::size_t example) const override {
        return static_cast<double>(gradients_.weight(clause, example));
    }

private:
    GraphReasoner reasoner_;
    AtomNumbers inputs_;
    AtomNumbers seeds_;
    ForwardPass pass_;
    GraphGradients gradients_;
};

std::vector<double> initial_values(const ReasoningGraph& graph, const BoundExample& example) {
    std::vector<double> result(graph.initial.begin(), graph.initial.end());
    for (const AtomValue& value : example.values)
        result[value.atom] = static_cast<double>(value.value) + 0.0;  // without −0
    return result;
}

Schedule make_schedule(const LoadedProgram& loaded, const ReasonOptions& options) {
    const ReasoningGraph& graph = loaded.compiled.ground.graph;
    if (options.steps) return fixed_schedule(graph, *options.steps);
    return automatic_schedule(graph, loaded.levels.level.empty() ? find_levels(graph) : loaded.levels);
}

class ReferenceEngine final : public ReasonEngine {
public:
    ReferenceEngine(const LoadedProgram& loaded, const ReasonOptions& options)
        : graph_(loaded.compiled.ground.graph), weights_(graph_.weight.begin(), graph_.weight.end()),
          reasoner_(graph_, options.semantics, options.gamma, make_schedule(loaded, options)) {}

    std::string description() const override { return "reference engine, double precision"; }
    void forward(std::span<const BoundExample> examples, Keep) override {
        initial_.clear();
        runs_.clear();
        for (const BoundExample& example : examples) {
            initial_.push_back(initial_values(graph_, example));
            runs_.push_back(reasoner_.forward(weights_, initial_.back()));
        }
    }
    double value(std::uint32_t atom, std::size_t example) const override { return runs_[example].result()[atom]; }
    std::uint32_t steps(std::size_t example) const override {
        return static_cast<std::uint32_t>(runs_[example].phase_of_step.size());
    }
    std::vector<std::vector<double>> history(std::size_t example, std::span<const std::uint32_t> atoms) override {
        std::vector<std::vector<double>> result;
        for (const std::vector<double>& values : runs_[example].values) {
            result.emplace_back();
            for (const std::uint32_t atom : atoms) result.back().push_back(values[atom]);
        }
        return result;
    }
    void backward(std::uint32_t atom) override {
        gradients_.clear();
        std::vector<double> seed(graph_.atom_count());
        seed[atom] = 1;
        for (std::size_t e = 0; e < runs_.size(); ++e)
            gradients_.push_back(reasoner_.backward(runs_[e], weights_, initial_[e], seed));
    }
    double input_gradient(std::uint32_t atom, std::size_t example) const override {
        return gradients_[example].initial[atom];
    }
    double weight_gradient(std::uint32_t clause, std::size_t example) const override {
        return gradients_[example].weights[clause];
    }

private:
    ReasoningGraph graph_;
    std::vector<double> weights_;
    ReferenceReasoner reasoner_;
    std::vector<std::vector<double>> initial_;
    std::vector<ReferenceRun> runs_;
    std::vector<ReferenceGradients> gradients_;
};

class TensorEngine final : public ReasonEngine {
public:
    TensorEngine(const LoadedProgram& loaded, const EngineOptions& options)
        : steps_(*options.reason.steps),
          reasoner_(loaded.compiled.ground.graph,
                    {options.reason.semantics, options.reason.gamma, *options.reason.steps,
                     options.memory_limit != 0 ? options.memory_limit : available_memory_bytes() / 5 * 4}) {}

    std::string description() const override { return "tensor engine"; }
    void forward(std::span<const BoundExample> examples, Keep keep) override {
        set_inputs(inputs_, examples);
        run_ = reasoner_.forward(inputs_, keep == Keep::History || keep == Keep::HistoryAndBackward);
    }
    double value(std::uint32_t atom, std::size_t example) const override { return run_.value(atom, example); }
    std::uint32_t steps(std::size_t) const override { return steps_; }
    std::vector<std::vector<double>> history(std::size_t example, std::span<const std::uint32_t> atoms) override {
        std::vector<std::vector<double>> result;
        for (std::uint32_t t = 0; t <= steps_; ++t) {
            result.emplace_back();
            for (const std::uint32_t atom : atoms) result.back().push_back(run_.history(t, example)[atom]);
        }
        return result;
    }
    // The command refuses to ask for these.
    void backward(std::uint32_t) override { throw UsageError("--engine tensor has no gradients"); }
    double input_gradient(std::uint32_t, std::size_t) const override { return 0; }
    double weight_gradient(std::uint32_t, std::size_t) const override { return 0; }

private:
    std::uint32_t steps_;
    TensorReasoner reasoner_;
    AtomNumbers inputs_;
    TensorRun run_;
};

}  // namespace

std::unique_ptr<ReasonEngine> make_engine(const LoadedProgram& loaded, const EngineOptions& options) {
    if (options.name == "reference") return std::make_unique<ReferenceEngine>(loaded, options.reason);
    if (options.name == "tensor") return std::make_unique<TensorEngine>(loaded, options);
    return std::make_unique<GraphEngine>(loaded, options.reason);
}

}  // namespace neumann::app
