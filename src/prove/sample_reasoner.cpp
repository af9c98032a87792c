#include "prove/sample_reasoner.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "prove/asked_pass.h"
#include "reason/require_that.h"

namespace neumann {
namespace {

constexpr EngineInfo sampling_engine{.name = "sampling",
                                     .command_name = "sampling",
                                     .summary = "derives random worlds",
                                     .gradients = false,
                                     .double_precision = true,
                                     .automatic_steps = true,
                                     .make = nullptr};

class SamplePass final : public AskedPass {
public:
    SamplePass() : AskedPass("sampled") {}

    void read_initials(std::size_t example, const NumberSpan& to) const override {
        for (std::uint32_t atom = 0; atom < plan->graph.atom_count(); ++atom)
            to.set(atom, static_cast<double>(initial[atom]));
        for (std::size_t i = 0; i < inputs.atoms(example).size(); ++i)
            to.set(inputs.atoms(example)[i], static_cast<double>(inputs.values(example)[i]));
    }
    std::uint32_t steps(std::size_t example) const override {
        return static_cast<std::uint32_t>(found[example].agreed);
    }
    std::size_t bytes() const override { return found.size() * place->size() * sizeof(std::uint64_t); }

    double value_of(std::uint32_t atom, std::size_t example) const override {
        const std::uint32_t at = (*place)[atom];
        if (at == WorldsTask::none) refuse_unasked();
        return static_cast<double>(found[example].asked[at]) / static_cast<double>(found[example].agreed);
    }

    ValueBounds bounds(std::uint32_t atom, std::size_t example) const override {
        return wilson_interval(value_of(atom, example), found[example].agreed);
    }

    std::shared_ptr<const std::vector<std::uint32_t>> place;  // per atom: among those asked, or none
    InputBatch inputs;
    std::vector<float> initial;
    std::vector<SampledWorlds> found;  // per example
};

class SampleReasoner final : public GraphReasoner {
public:
    SampleReasoner(ReasoningGraph outside, const GraphLevels& levels, WorldsTask task, const ReasonOptions& options,
                   const SampleOptions& sampling)
        : GraphReasoner(sampling_engine, std::move(outside), options, &levels),
          sampler_(graph(), levels, std::move(task)), sampling_(sampling) {
        std::vector<std::uint32_t> place(graph().atom_count(), WorldsTask::none);
        for (std::size_t i = 0; i < sampler_.task().asked.size(); ++i)
            place[sampler_.task().asked[i]] = static_cast<std::uint32_t>(i);
        place_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(place));
    }

    std::string description() const override { return fmt::format("{} sampled worlds", sampling_.samples); }
    std::size_t bytes() const override { return place_->size() * sizeof(std::uint32_t); }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<SamplePass>(); }
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override;
    void differentiate(const PassState&, const InputBatch&, const GradientRequest&) const override {}  // has none

    WorldSampler sampler_;
    SampleOptions sampling_;
    std::shared_ptr<const std::vector<std::uint32_t>> place_;
};

void SampleReasoner::compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const {
    auto& pass = static_cast<SamplePass&>(state);
    require_random_inputs(inputs, graph(), sampler_.task());
    require_certain_weights(pass.weights, sampler_.task());
    const std::span<const float> start = initial.empty() ? graph().initial.span() : initial;
    pass.place = place_;
    pass.inputs = inputs;
    pass.initial.assign(start.begin(), start.end());
    pass.found.clear();
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        std::vector<float> values = pass.initial;
        for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i) values[inputs.atoms(e)[i]] = inputs.values(e)[i];
        pass.found.push_back(sampler_.sample({values, pass.weights}, sampling_));
        require_that(pass.found.back().agreed > 0,
                     "example {}: none of {} sampled worlds agrees with the evidence; take more samples", e,
                     sampling_.samples);
    }
}

}  // namespace

std::unique_ptr<GraphReasoner> make_sample_reasoner(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task,
                                                    const ReasonOptions& options, const SampleOptions& sampling) {
    require_that(!options.steps.has_value(), "sampled probabilities are not reached step by step: leave out the steps");
    return std::make_unique<SampleReasoner>(std::move(graph), levels, std::move(task), options, sampling);
}

}  // namespace neumann
