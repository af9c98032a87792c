// A picture with a numbered box around each object that was seen in it, and under it what the objects are.
#pragma once

#include <filesystem>

#include "valuation/object_vectors.h"

namespace neumann {

// To a file that ends in .svg, with the picture's own file in it, or in .png. Objects of a presence below `least` are
// left out. Throws FileError.
void write_annotated(const std::filesystem::path& picture, const SeenObjects& seen, double least,
                     const std::filesystem::path& output);

}  // namespace neumann
