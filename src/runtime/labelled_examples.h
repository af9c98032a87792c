// Examples to learn from, as JSON Lines: {"atoms": {atom: probability, …}, "label": 0 or 1} for the program's label, or
// {"atoms": {…}, "targets": {atom: 0 or 1, …}} for any number of labelled atoms of one world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "learn/examples.h"
#include "logic/program.h"

namespace neumann {

// Atoms go into the pool, their terms into the program's table. `positive`: labels are numbers of classes, of which
// this one is positive and all others are negative. Throws FileError, ExampleError.
ExampleSet read_labelled_examples(const std::string& path, Program& program, AtomPool& pool,
                                  std::optional<std::int64_t> positive = std::nullopt);

}  // namespace neumann
