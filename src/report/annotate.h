// A picture with a numbered box around each object that was seen in it, and under it what the objects are.
#pragma once

#include <filesystem>
#include <string>

#include "valuation/object_vectors.h"

namespace neumann {

// "red 0.87", the probability where it is below 0.995.
std::string likely_value(const SeenObjects& seen, std::size_t object, const AttributeColumns& attribute);

// To a file that ends in .svg, with the picture's own file in it, or in .png. Objects of a presence below `least` are
// left out. Throws FileError.
void write_annotated(const std::filesystem::path& picture, const SeenObjects& seen, double least,
                     const std::filesystem::path& output);

}  // namespace neumann
