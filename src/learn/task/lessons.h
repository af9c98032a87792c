// Curriculum: the order in which predicates are learned, and groups of mutually recursive predicates.
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

// In the order of the learn directives: a lesson ends as soon as there are labels that depend on its predicates and on
// no later ones. Throws LearnError if no label depends on one of the predicates.
std::vector<Lesson> plan_lessons(const Program& program, const AtomPool& pool, std::span<const ExampleSet* const> sets);

}  // namespace neumann
