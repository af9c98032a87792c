// Bounding box of a detected object, for drawings.
#pragma once

#include <cstddef>

#include "valuation/object_vectors.h"

namespace neumann {

struct SeenBox {
    double x = 0;  // the middle, as shares of the image's width and height; y downwards
    double y = 0;
    double width = 0;  // clamped: never negative
    double height = 0;
};

SeenBox seen_box(const SeenObjects& seen, std::size_t object);

}  // namespace neumann
