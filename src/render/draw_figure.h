// Rasteriser of flat figures: circles, squares and upright triangles in the published colours and proportions, with
// exact coverage at the edges, at any size.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "scene/scene.h"

namespace neumann {

// The shapes and colours to choose from.
inline constexpr std::array<std::string_view, 3> flat_shapes{"circle", "square", "triangle"};
inline constexpr std::array<std::string_view, 3> flat_colors{"red", "yellow", "blue"};

// For a square of side s the circle's diameter is 4/π s and the triangle is equilateral in a circle of radius 3√3/8 s,
// with its centroid at the object's position: 1.125 s wide and .974 s high.
struct FigureProportions {
    double circle_radius;
    double triangle_half_width;
    double triangle_above;  // from the position up to the tip
    double triangle_below;  // and down to the base
};
inline constexpr FigureProportions figure_proportions{.6366197723675814, .5625, .649519052838329, .3247595264191645};

// The unit square fills the image. Throws std::invalid_argument for a shape or colour that flat figures do not have and
// for an image without pixels. An image that is not square shows the figure in its middle.
Image draw_figure(const Scene& figure, unsigned width, unsigned height);

// The pixels that each object touches.
std::vector<Box> figure_boxes(const Scene& figure, unsigned width, unsigned height);

}  // namespace neumann
