// Labels of atoms: their names, short enough to stand beside each other in a picture.
#pragma once

#include <cstddef>
#include <string>

namespace neumann {

// Leaves out the middle: the ends, predicate and last argument, tell atoms apart.
std::string without_middle(const std::string& text, std::size_t longest);

// With repeated functors as powers, even(s³(0)), and shortened.
std::string label_of(const std::string& name);

}  // namespace neumann
