// Reasoning by sampling: the probabilities of the distribution semantics, estimated from random worlds. Atoms, clauses
// and weights are those of the program's graph; there are no gradients. A step is a world that agrees with the
// evidence.
#pragma once

#include <memory>

#include "prove/world_sampler.h"
#include "reason/reasoner.h"

namespace neumann {

// Values are known of what the task asks. An example's values depend on the seed and that example alone.
std::unique_ptr<GraphReasoner> make_sample_reasoner(ReasoningGraph graph, const GraphLevels& levels, WorldsTask task,
                                                    const ReasonOptions& options, const SampleOptions& sampling);

}  // namespace neumann
