// Labelled worlds as one task of the search: every world has values of its own, so that no clause joins what holds in
// different worlds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/bias/target_labels.h"
#include "learn/bias/vocabulary.h"
#include "learn/evaluate/relational_task.h"

namespace neumann {

struct WorldTask {
    search::Task task;
    std::vector<GoalForm> forms;  // as task.bias.body
    bool world_column = false;
    std::size_t contradictions = 0;  // atoms with both labels, left out
};

// `count`: of worlds. Throws std::length_error if the program's facts are too many to be repeated for every world.
WorldTask make_task(Vocabulary vocabulary, const std::vector<TargetLabel>& labels, Worlds& worlds, std::size_t count);

}  // namespace neumann
