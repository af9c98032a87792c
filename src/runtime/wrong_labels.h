// Labels that a program gets wrong, as a list for people.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "learn/examples.h"

namespace neumann {

// "FILE: 2 of 10 labels wrong", and of the first few where they stand (a line of a file, or a picture), what is true
// and what they get. `values` are those of all targets in order; `name` is the text of a target by that number. Empty
// if all are right.
std::string list_wrong_labels(const ExampleSet& set, std::span<const float> values, double threshold,
                              const std::function<std::string(std::size_t target)>& name);

}  // namespace neumann
