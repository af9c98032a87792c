// Labels of atoms: names short enough to be drawn next to each other.
#pragma once

#include <cstddef>
#include <string>

namespace neumann {

// Leaves out the middle: the ends, predicate and last argument, distinguish atoms.
std::string without_middle(const std::string& text, std::size_t longest);

// With repeated functors as powers, even(s³(0)), and shortened.
std::string label_of(const std::string& name);

}  // namespace neumann
