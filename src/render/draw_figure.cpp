#include "render/draw_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace neumann {

namespace {

using Color = std::array<std::uint8_t, 3>;

struct FigureColor {
    std::string_view name;
    Color color;
};
constexpr std::uint8_t ground = 215;  // of all three channels
constexpr std::array<FigureColor, 3> palette = {
    {{"red", {173, 35, 35}}, {"yellow", {255, 238, 51}}, {"blue", {42, 75, 215}}}};

// An area of the plane, in the coordinates of the unit square relative to the object's position.
struct Extent {
    double left, right, top, bottom;
};

enum class Covered { No, Partly, Wholly };

struct SquareShape {
    double half;

    Extent bounds() const { return {-half, half, -half, half}; }
    Covered covers(const Extent& box) const {
        return box.left >= -half && box.right <= half && box.top >= -half && box.bottom <= half ? Covered::Wholly
                                                                                                : Covered::Partly;
    }
    double area(const Extent& box) const {
        return std::max(0.0, std::min(box.right, half) - std::max(box.left, -half)) *
               std::max(0.0, std::min(box.bottom, half) - std::max(box.top, -half));
    }
};

struct CircleShape {
    double radius;

    Extent bounds() const { return {-radius, radius, -radius, radius}; }
    Covered covers(const Extent& box) const {
        const double far_x = std::max(-box.left, box.right);
        const double far_y = std::max(-box.top, box.bottom);
        if (far_x * far_x + far_y * far_y <= radius * radius) return Covered::Wholly;
        const double near_x = std::max({box.left, -box.right, 0.0});
        const double near_y = std::max({box.top, -box.bottom, 0.0});
        return near_x * near_x + near_y * near_y >= radius * radius ? Covered::No : Covered::Partly;
    }
    double area(const Extent& box) const {
        return area_up_to(box.right, box.bottom) - area_up_to(box.left, box.bottom) - area_up_to(box.right, box.top) +
               area_up_to(box.left, box.top);
    }

private:
    // ∫ √(r² − t²) dt from 0 to t
    double under_arc(double t) const {
        const double height = std::sqrt(std::max(0.0, radius * radius - t * t));
        return (t * height + radius * radius * std::asin(std::clamp(t / radius, -1.0, 1.0))) / 2;
    }
    // Of the part of the disc with coordinates of at most x and y.
    double area_up_to(double x, double y) const {
        if (y <= -radius) return 0;
        x = std::clamp(x, -radius, radius);
        const double left_of_x = 2 * (under_arc(x) - under_arc(-radius));
        if (y >= radius) return left_of_x;
        // At height y the disc spans [-reach, reach]; beyond that the arcs lie wholly on one side of y.
        const double reach = std::sqrt(radius * radius - y * y);
        const double end = std::clamp(x, -reach, reach);
        const double segment = under_arc(end) - under_arc(-reach) - std::abs(y) * (end + reach);
        return y >= 0 ? left_of_x - segment : segment;
    }
};

struct TriangleShape {
    double half_width, above, below;

    Extent bounds() const { return {-half_width, half_width, -above, below}; }
    // How far to each side of the middle the triangle reaches at height y.
    double half_width_at(double y) const { return half_width * (y + above) / (above + below); }
    Covered covers(const Extent& box) const {
        const double far_x = std::max(-box.left, box.right);
        if (box.top >= -above && box.bottom <= below && far_x <= half_width_at(box.top)) return Covered::Wholly;
        const double near_x = std::max({box.left, -box.right, 0.0});
        return near_x >= half_width_at(std::min(box.bottom, below)) ? Covered::No : Covered::Partly;
    }
    // The area right of the triangle's left edge minus the area right of its right edge.
    double area(const Extent& box) const {
        const double top = std::max(box.top, -above);
        const double bottom = std::min(box.bottom, below);
        if (top >= bottom) return 0;
        const double width = box.right - box.left;
        const double from = half_width_at(top);
        const double to = half_width_at(bottom);
        // Mean over y of the length within [left, right] that lies left of an edge running from x0 to x1.
        const auto left_of = [&](double x0, double x1) { return mean_clamped(x0 - box.left, x1 - box.left, width); };
        return (left_of(from, to) - left_of(-from, -to)) * (bottom - top);
    }

private:
    // ∫ of clamp(u, 0, most) du from 0 to u
    static double clamped_integral(double u, double most) {
        if (u <= 0) return 0;
        return u <= most ? u * u / 2 : most * u - most * most / 2;
    }
    // The mean of clamp(u, 0, most) for u evenly from u0 to u1.
    static double mean_clamped(double u0, double u1, double most) {
        if (std::abs(u1 - u0) < 1e-9 * most) return std::clamp(u0, 0.0, most);
        return (clamped_integral(u1, most) - clamped_integral(u0, most)) / (u1 - u0);
    }
};

struct Range {
    unsigned first, end;
};

// The pixels that an interval of the unit square touches.
Range pixels(double from, double to, unsigned count) {
    const auto number = [&](double at) {
        return static_cast<unsigned>(std::clamp(at * count, 0.0, static_cast<double>(count)));
    };
    return {number(from), std::min(count, number(to) + 1)};
}

void blend(std::uint8_t* pixel, const Color& color, double share) {
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const double mixed = pixel[channel] + share * (color[channel] - pixel[channel]);
        pixel[channel] = static_cast<std::uint8_t>(std::lround(std::clamp(mixed, 0.0, 255.0)));
    }
}

template <class Shape>
void draw(const Shape& shape, double x, double y, const Color& color, Image& image) {
    const Extent bounds = shape.bounds();
    const Range columns = pixels(x + bounds.left, x + bounds.right, image.width);
    const Range rows = pixels(y + bounds.top, y + bounds.bottom, image.height);
    const double pixel_area = 1 / (static_cast<double>(image.width) * image.height);
    for (unsigned row = rows.first; row < rows.end; ++row) {
        Extent box{0, 0, static_cast<double>(row) / image.height - y, (row + 1.0) / image.height - y};
        std::uint8_t* pixel = image.at(columns.first, row);
        for (unsigned column = columns.first; column < columns.end; ++column, pixel += 3) {
            box.left = static_cast<double>(column) / image.width - x;
            box.right = (column + 1.0) / image.width - x;
            switch (shape.covers(box)) {
            case Covered::No:
                break;
            case Covered::Wholly:
                std::copy(color.begin(), color.end(), pixel);
                break;
            case Covered::Partly:
                blend(pixel, color, std::clamp(shape.area(box) / pixel_area, 0.0, 1.0));
                break;
            }
        }
    }
}

const Color& color_named(const std::string& name) {
    const auto found = std::ranges::find(palette, name, &FigureColor::name);
    if (found == palette.end()) throw std::invalid_argument("flat figures have no color '" + name + "'");
    return found->color;
}

Image draw_square(const Scene& figure, unsigned side_length) {
    Image image = Image::blank(side_length, side_length, 3);
    std::ranges::fill(image.data, ground);
    for (const SceneObject& object : figure.objects) {
        const Color& color = color_named(object.color);
        const double x = object.position[0];
        const double y = object.position[1];
        const double side = object.extent;
        if (object.shape == "square") {
            draw(SquareShape{side / 2}, x, y, color, image);
        } else if (object.shape == "circle") {
            draw(CircleShape{side * figure_proportions.circle_radius}, x, y, color, image);
        } else if (object.shape == "triangle") {
            draw(TriangleShape{side * figure_proportions.triangle_half_width, side * figure_proportions.triangle_above,
                               side * figure_proportions.triangle_below},
                 x, y, color, image);
        } else {
            throw std::invalid_argument("flat figures have no shape '" + object.shape + "'");
        }
    }
    return image;
}

// A figure is square: an image of another shape has more ground on two sides.
Image in_the_middle(const Image& square, unsigned width, unsigned height) {
    Image image = Image::blank(width, height, 3);
    std::ranges::fill(image.data, ground);
    const unsigned left = (width - square.width) / 2;
    const unsigned top = (height - square.height) / 2;
    for (unsigned y = 0; y < square.height; ++y)
        std::copy_n(square.at(0, y), std::size_t{3} * square.width, image.at(left, top + y));
    return image;
}

}  // namespace

Image draw_figure(const Scene& figure, unsigned width, unsigned height) {
    if (width == 0 || height == 0) {
        throw std::invalid_argument("a picture of " + std::to_string(width) + " by " + std::to_string(height) +
                                    " pixels cannot be drawn");
    }
    if (width != height) return in_the_middle(draw_square(figure, std::min(width, height)), width, height);
    return draw_square(figure, width);
}

std::vector<Box> figure_boxes(const Scene& figure, unsigned width, unsigned height) {
    const unsigned size = std::min(width, height);
    const auto pixel = [size](double place) {
        return static_cast<unsigned>(std::clamp(place * size, 0.0, static_cast<double>(size)));
    };
    const unsigned left = (width - size) / 2;
    const unsigned top = (height - size) / 2;
    std::vector<Box> boxes;
    for (const SceneObject& object : figure.objects) {
        const FigureProportions& of = figure_proportions;
        const bool circle = object.shape == "circle";
        const bool square = object.shape == "square";
        const double across = object.extent * (circle ? of.circle_radius : square ? 0.5 : of.triangle_half_width);
        const double above = object.extent * (circle ? of.circle_radius : square ? 0.5 : of.triangle_above);
        const double below = object.extent * (circle ? of.circle_radius : square ? 0.5 : of.triangle_below);
        const auto [x, y, z] = object.position;
        Box box{left + pixel(x - across), top + pixel(y - above), left + pixel(std::ceil((x + across) * size) / size),
                top + pixel(std::ceil((y + below) * size) / size), 0};
        box.pixels = std::size_t{box.right - box.left} * (box.bottom - box.top);
        boxes.push_back(box);
    }
    return boxes;
}

}  // namespace neumann
