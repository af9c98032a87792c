// Most probable world that agrees with the evidence (most probable explanation, MPE): a best path through the
// decision diagram of the evidence. Choices on which the evidence does not depend come out in their most probable way.
#pragma once

#include <cstdint>
#include <vector>

#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

struct ProbableWorld {
    std::vector<std::uint32_t> ways;  // per choice
    std::vector<bool> asked;          // of WorldsTask::asked: whether they hold in it
    double probability = 0;           // of the world
    double evidence = 0;              // of all worlds that agree with the evidence
};

// Of equally probable ways that a choice may come out, the first is taken. Throws ReasonError if the evidence cannot be
// true.
ProbableWorld most_probable_world(const RandomChoices& choices, const CompiledWorlds& worlds, const Chances& chances);

}  // namespace neumann
