// Annotated image: a box around each detected object; in SVG with its number, and a legend below.
#pragma once

#include <filesystem>

#include "valuation/object_vectors.h"

namespace neumann {

// Writes SVG, with the image file embedded, or PNG, by the extension. Objects of a presence below `least` are left out.
// Throws FileError.
void write_annotated(const std::filesystem::path& picture, const SeenObjects& seen, double least,
                     const std::filesystem::path& output);

}  // namespace neumann
