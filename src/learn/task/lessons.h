// A curriculum: which of the learned predicates can be learned one after the other, and which only together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/task/examples.h"
#include "logic/program.h"

namespace neumann {

struct Lesson {
    std::vector<LearnTarget> targets;
    std::vector<bool> teaches;  // per predicate: labels of its atoms belong to this lesson
};

// In the order of the learn directives: a lesson ends as soon as there are labels that depend on what it learns and on
// nothing that is still to come. Throws LearnError if a predicate is left about which no label says anything.
std::vector<Lesson> plan_lessons(const Program& program, const AtomPool& pool, std::span<const ExampleSet* const> sets);

}  // namespace neumann
