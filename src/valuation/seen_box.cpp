#include "valuation/seen_box.h"

#include <algorithm>

namespace neumann {

SeenBox seen_box(const SeenObjects& seen, std::size_t object) {
    const auto row = seen.row(object);
    const double width = std::max(0.0F, row[column::width]);
    const double height = std::max(0.0F, row[column::height]);
    // The place of a flat triangle is its centroid, a third of its height above the base.
    const AttributeColumns* shape = seen.layout->find("shape");
    const bool triangle = shape != nullptr && shape->values[seen.likeliest(object, *shape).value] == "triangle";
    return {row[column::x], row[column::y] - (triangle ? height / 6 : 0), width, height};
}

}  // namespace neumann
