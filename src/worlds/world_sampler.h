// Sampling of worlds: in how many random worlds that agree with the evidence each query holds. 64 worlds are derived at
// a time, as the bits of a word for each atom, in the order of components; cycles until nothing changes. Worlds that
// disagree with the evidence are rejected.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "graph/graph.h"
#include "graph/levels.h"
#include "reason/pass.h"
#include "worlds/random_choices.h"

namespace neumann {

struct SampleOptions {
    std::uint64_t samples = 10'000;  // worlds, including rejected ones
    std::uint64_t seed = 0;
    unsigned threads = 1;  // results do not depend on it
};

struct SampledWorlds {
    std::uint64_t agreed = 0;          // with the evidence
    std::vector<std::uint64_t> asked;  // per atom asked: in how many of them it holds
};

class WorldSampler {
public:
    WorldSampler(const ReasoningGraph& graph, const GraphLevels& levels, WorldsTask task);

    const WorldsTask& task() const { return task_; }

    // Throws ReasonError for probabilities that make no sense.
    SampledWorlds sample(const Chances& chances, const SampleOptions& options) const;

private:
    struct Worlds;  // 64 of them
    std::vector<std::vector<double>> conditional_ways(const Chances& chances) const;
    void draw(const std::vector<std::vector<double>>& ways, Rng& rng, Worlds& worlds) const;
    void derive(const Chances& chances, Worlds& worlds) const;
    std::uint64_t fact_of(std::uint32_t atom, const Chances& chances, const Worlds& worlds) const;
    std::uint64_t derived(std::uint32_t atom, const Worlds& worlds) const;

    ReasoningGraph graph_;
    GraphLevels levels_;
    WorldsTask task_;
    RandomChoices choices_;
    std::vector<std::uint32_t> order_;         // atoms by component
    std::vector<std::uint32_t> first_member_;  // per choice: where its members begin among all
};

// Where the probability of an event lies, with a confidence of 95 %, that was seen in this part of so many trials
// (Wilson's score interval).
ValueBounds wilson_interval(double part, std::uint64_t trials);

}  // namespace neumann
