// Wrong labels: labelled atoms on which a program and the examples differ.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include <neumann/learn.h>

#include "learn/task/examples.h"
#include "logic/program.h"

namespace neumann {

// `values` are those of all targets in order; `name` is the text of a target by that number.
WrongLabels find_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const std::function<std::string(std::size_t target)>& name);

// The same with targets named by the pool.
WrongLabels find_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const Program& program, const AtomPool& pool);

}  // namespace neumann
