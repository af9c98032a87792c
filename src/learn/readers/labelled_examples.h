// Labelled examples to learn from: {"atoms": {atom: probability, …}, "label": 0 or 1} for the program's label, or
// {"atoms": {…}, "targets": {atom: 0 or 1, …}} for any number of labelled atoms of one world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "learn/task/examples.h"
#include "logic/program.h"

namespace neumann {

// Reads all examples of a source. Atoms go into the pool, their terms into the program's table. `positive`: labels are
// numbers of classes, of which this one is positive and all others are negative. `watch` is called now and then with
// the number of read examples. Throws FileError, ExampleError, and the exceptions of `watch`.
ExampleSet read_labelled_examples(ExampleSource& source, Program& program, AtomPool& pool,
                                  std::optional<std::int64_t> positive = std::nullopt,
                                  const std::function<void(std::size_t done)>& watch = {});
// The same for a file of JSON Lines.
ExampleSet read_labelled_examples(const std::string& path, Program& program, AtomPool& pool,
                                  std::optional<std::int64_t> positive = std::nullopt);

// Differs where the examples do.
std::uint64_t digest(const ExampleSet& set, const Program& program, const AtomPool& pool);

}  // namespace neumann
