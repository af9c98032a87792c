// Object vectors: a network's output for the objects in an image, one row of numbers for each. These rows are the only
// interface between networks and logic: values forwards, gradients backwards.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "image/image.h"

namespace neumann {

// A network that cannot be used: the message names the file and the problem.
class PerceptionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Columns that every row begins with; the probabilities of the attributes' values follow.
namespace column {
inline constexpr unsigned presence = 0;  // probability that there is such an object
inline constexpr unsigned x = 1;         // centre in the image, as shares of its width and height; y downwards
inline constexpr unsigned y = 2;
inline constexpr unsigned width = 3;  // of the box around all of the object, hidden parts too, in the same units
inline constexpr unsigned height = 4;
inline constexpr unsigned ground_x = 5;  // solid objects: place in the world; flat ones: 0
inline constexpr unsigned ground_y = 6;
inline constexpr unsigned first_attribute = 7;
}  // namespace column

struct AttributeColumns {
    std::string_view name;  // as the predicate is called: color, shape, size, material
    std::span<const std::string_view> values;
    unsigned first = 0;
};

// The columns of an object vector: one layout for flat figures, one for solid objects. The networks' library has its
// own copies of both, so layouts are compared by name, never by address.
struct ObjectLayout {
    std::string_view name;  // "flat" or "solid", as in files of weights
    std::vector<AttributeColumns> attributes;
    unsigned width = 0;  // of the networks' input images, in pixels
    unsigned height = 0;
    unsigned columns = 0;

    bool flat() const { return name == "flat"; }
    const AttributeColumns* find(std::string_view attribute) const;  // null: there is none
};

const ObjectLayout& flat_layout();   // shape and color
const ObjectLayout& solid_layout();  // shape, size, material and color
const ObjectLayout* find_layout(std::string_view name);

// The objects detected in one image, the most certain first.
struct SeenObjects {
    const ObjectLayout* layout = nullptr;
    std::vector<float> rows;  // count() × layout->columns
    // The network's attention for each object, one channel, 255 for the maximum; any size, the image stretched to it.
    // Empty for a network without attention.
    std::vector<Image> attention;

    std::size_t count() const { return layout == nullptr ? 0 : rows.size() / layout->columns; }
    std::span<const float> row(std::size_t object) const {
        return std::span(rows).subspan(object * layout->columns, layout->columns);
    }
    // The most likely value of an attribute, and its probability.
    struct Likeliest {
        unsigned value;
        float probability;
    };
    Likeliest likeliest(std::size_t object, const AttributeColumns& attribute) const;
};

}  // namespace neumann
