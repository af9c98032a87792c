// Labels that a program gets wrong.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include <neumann/learn.h>

#include "learn/task/examples.h"

namespace neumann {

// `values` are those of all targets in order; `name` is the text of a target by that number.
WrongLabels find_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const std::function<std::string(std::size_t target)>& name);

}  // namespace neumann
