// What a real picture of a flat figure shows, without any network: pixels of the three published colours form regions;
// how much of its box a region fills tells the shape (square 1, circle .79, triangle .5).
#pragma once

#include "image/image.h"
#include "valuation/object_vectors.h"

namespace neumann::bench {

// Certain rows. Throws std::runtime_error where a region fills its box like none of the shapes.
SeenObjects figure_truth(const Image& picture);

}  // namespace neumann::bench
