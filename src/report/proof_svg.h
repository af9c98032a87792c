// A proof as a picture.
#pragma once

#include <cstddef>
#include <string>

#include "explain/explanation.h"

namespace neumann {

// The best proof, or the nearest miss if there is none, as a tree: a self-contained SVG, the conclusion on top. A step
// that several others use is drawn once. The same bytes for the same explanation, everywhere. Throws
// std::invalid_argument for a proof of more than so many steps: laying it out takes time, and nobody could read it.
inline constexpr std::size_t most_steps_drawn = 300;
std::string proof_svg(const Explanation& explanation);

}  // namespace neumann
