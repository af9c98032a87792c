// A proof as a picture.
#pragma once

#include <string>

#include "explain/explanation.h"

namespace neumann::app {

// The best proof, or the nearest miss if there is none, as a tree: a self-contained SVG, the conclusion on top. A step
// that several others use is drawn once. The same bytes for the same explanation, everywhere.
std::string proof_svg(const Explanation& explanation);

}  // namespace neumann::app
