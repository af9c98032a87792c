// Reasoning by sampling: the probabilities of the distribution semantics, estimated from random worlds. A step is a
// world that agrees with the evidence.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/require_that.h"
#include "worlds/asked_reasoner.h"
#include "worlds/world_sampler.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

constexpr std::uint64_t most_samples = 1'000'000'000;

constexpr SemanticsSummary sample_laws = {
    .name = "sample",
    .summary = "estimates of the exact probabilities from random worlds, with intervals of 95 %",
    .has_worlds = true,
    .has_bounds = true,
    .has_gradients = false,
    .takes_evidence = true,
    .takes_engine = false,
    .takes_samples = true,
    .step_name = "world",
    .values_name = "sampled probabilities"};
constexpr EngineInfo sample_engine = solver_engine(sample_laws);

class SampleSolver final : public ExampleSolver {
public:
    explicit SampleSolver(const WorldRequest& request)
        : atoms_(request.graph.atom_count()),
          sampler_(request.graph, request.levels, request.task), sampling_{.samples = request.samples,
                                                                           .seed = request.seed,
                                                                           .threads = request.reason.threads} {}

    const WorldsTask& task() const override { return sampler_.task(); }
    std::string description() const override { return fmt::format("{} sampled worlds", sampling_.samples); }
    std::size_t bytes() const override { return 0; }
    bool is_parallel() const override { return true; }

    SolvedExample solve(const Chances& chances) const override {
        // In single precision, as examples have them: the same numbers draw the same worlds.
        std::vector<float> initial;
        for (std::uint32_t atom = 0; atom < atoms_; ++atom)
            initial.push_back(static_cast<float>(chances.initial[atom]));
        const SampledWorlds worlds = sampler_.sample({initial, chances.weight}, sampling_);
        require_that(worlds.agreed > 0, "none of {} sampled worlds agrees with the evidence; take more samples",
                     sampling_.samples);
        SolvedExample solved;
        solved.steps = worlds.agreed;
        for (const std::uint64_t holds : worlds.asked) {
            solved.values.push_back(static_cast<double>(holds) / static_cast<double>(worlds.agreed));
            solved.bounds.push_back(wilson_interval(solved.values.back(), worlds.agreed));
        }
        return solved;
    }

private:
    std::uint32_t atoms_;
    WorldSampler sampler_;
    SampleOptions sampling_;
};

}  // namespace

const WorldSemantics sample_semantics = {
    .laws = sample_laws, .make = [](WorldRequest request) {
        require_that(request.samples >= 1 && request.samples <= most_samples, "{} samples where 1 to {} can be taken",
                     request.samples, most_samples);
        require_that(!request.reason.steps.has_value(),
                     "sampled probabilities are not reached step by step: leave out the steps");
        auto solver = std::make_unique<SampleSolver>(request);
        return make_asked_reasoner(sample_engine, sample_laws, std::move(request.graph), request.levels, request.reason,
                                   std::move(solver));
    }};

}  // namespace neumann
