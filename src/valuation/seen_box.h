// The box around an object that was seen, for drawings.
#pragma once

#include <cstddef>

#include "valuation/object_vectors.h"

namespace neumann {

struct SeenBox {
    double x = 0;  // the middle, as shares of the picture's width and height; y downwards
    double y = 0;
    double width = 0;  // not negative, whatever a network says
    double height = 0;
};

SeenBox seen_box(const SeenObjects& seen, std::size_t object);

}  // namespace neumann
