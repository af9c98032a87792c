// Task of the exhaustive search, with the translation back: relations and labels by number, and the text of each goal
// in the program of the task.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/bias/target_labels.h"
#include "learn/bias/vocabulary.h"
#include "learn/evaluate/relational_task.h"

namespace neumann {

struct SearchTask {
    search::Task task;
    std::vector<GoalForm> forms;  // as task.bias.body; goals that the search adds have none
    std::vector<TypeId> types;    // by the numbers of the search; 0 is no type of the program
    bool world_column = false;
    bool directed = false;           // goals stay in an order in which all of them have their inputs
    std::size_t contradictions = 0;  // atoms with both labels, left out
};

// Labelled worlds as one task: every world has values of its own, so that no clause joins atoms of different
// worlds. `count`: of worlds. Throws std::length_error if the program's facts are too many to be repeated for every
// world.
SearchTask make_task(Vocabulary vocabulary, const std::vector<TargetLabel>& labels, Worlds& worlds, std::size_t count);

}  // namespace neumann
