#include "datasets/kandinsky_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace neumann {

namespace {

// Second moments about the mean.
struct Moments {
    double xx = 0;
    double xy = 0;
    double yy = 0;
};

Moments moments(std::span<const FigurePlace> places) {
    double mean_x = 0;
    double mean_y = 0;
    for (const FigurePlace& place : places) {
        mean_x += place.x;
        mean_y += place.y;
    }
    mean_x /= static_cast<double>(places.size());
    mean_y /= static_cast<double>(places.size());
    Moments sums;
    for (const FigurePlace& place : places) {
        const double dx = place.x - mean_x;
        const double dy = place.y - mean_y;
        sums.xx += dx * dx;
        sums.xy += dx * dy;
        sums.yy += dy * dy;
    }
    return sums;
}

Follows on_one_line(const Scene& figure, const FigureLimits& limits) {
    const std::vector<FigurePlace> places = places_of(figure);
    if (line_residual_along_y(places) <= limits.on_line_most) return Follows::Yes;
    return line_residual(places) >= limits.off_line_least ? Follows::No : Follows::Unclear;
}

// Whether two of the objects for which `counts(first, second)` holds are close.
template <class Counts>
Follows some_close_pair(const Scene& figure, const FigureLimits& limits, const Counts& counts) {
    const std::vector<FigurePlace> places = places_of(figure);
    Follows answer = Follows::No;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < places.size(); ++j) {
            if (i == j || !counts(figure.objects[i], figure.objects[j])) continue;
            const double apart = centre_distance(places[i], places[j]);
            if (apart <= limits.close_most) return Follows::Yes;
            if (apart < limits.apart_least) answer = Follows::Unclear;
        }
    }
    return answer;
}

}  // namespace

FigureLimits borderline_limits() {
    FigureLimits limits;
    limits.close_least = limits.close_most;
    limits.near_miss_apart_most = limits.apart_least;
    limits.close_most = limits.apart_least = .224;
    limits.line_jitter = .08;
    limits.on_line_least = limits.on_line_most;
    limits.near_miss_off_line_most = limits.off_line_least;
    limits.on_line_most = limits.off_line_least = .157;
    return limits;
}

double centre_distance(const FigurePlace& a, const FigurePlace& b) { return std::hypot(a.x - b.x, a.y - b.y); }

double line_residual_along_y(std::span<const FigurePlace> places) {
    const Moments sums = moments(places);
    const double left_over = sums.xx > 0 ? sums.yy - sums.xy * sums.xy / sums.xx : sums.yy;
    return std::sqrt(std::max(0.0, left_over));
}

// The smaller eigenvalue of the matrix of moments is the sum of squares at right angles to the best line.
double line_residual(std::span<const FigurePlace> places) {
    const Moments sums = moments(places);
    const double half_trace = (sums.xx + sums.yy) / 2;
    return std::sqrt(std::max(0.0, half_trace - std::hypot((sums.xx - sums.yy) / 2, sums.xy)));
}

double radius_around(double side) { return side / std::numbers::sqrt2; }

bool inside_unit_square(const FigurePlace& place) {
    const double radius = radius_around(place.side);
    return std::min(place.x, place.y) >= radius && std::max(place.x, place.y) <= 1 - radius;
}

bool clear_of_each_other(const FigurePlace& a, const FigurePlace& b, const FigureLimits& limits) {
    return centre_distance(a, b) >= radius_around(a.side) + radius_around(b.side) + limits.gap_least;
}

bool same_look(const SceneObject& a, const SceneObject& b) { return a.shape == b.shape && a.color == b.color; }
bool same_shape_other_color(const SceneObject& a, const SceneObject& b) {
    return a.shape == b.shape && a.color != b.color;
}
bool is_red_triangle(const SceneObject& object) { return object.color == "red" && object.shape == "triangle"; }

bool has_same_look_pair(const Scene& figure) {
    for (std::size_t i = 0; i < figure.objects.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (same_look(figure.objects[i], figure.objects[j])) return true;
        }
    }
    return false;
}

std::vector<FigurePlace> places_of(const Scene& figure) {
    std::vector<FigurePlace> places;
    places.reserve(figure.objects.size());
    for (const SceneObject& object : figure.objects) {
        places.push_back({object.position[0], object.position[1], object.extent});
    }
    return places;
}

// The published clause does not keep its two pairs apart, the published figures do. A figure is clear where both agree.
Follows two_pairs_rule(const Scene& figure, const FigureLimits&) {
    const std::vector<SceneObject>& objects = figure.objects;
    if (objects.size() != 4) return Follows::No;
    constexpr std::array<std::array<std::size_t, 4>, 3> splits = {{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}}};
    bool some_same = false;
    bool some_other = false;
    for (const auto& [a, b, c, d] : splits) {
        const bool same_first = same_look(objects[a], objects[b]);
        const bool same_second = same_look(objects[c], objects[d]);
        const bool other_first = same_shape_other_color(objects[a], objects[b]);
        const bool other_second = same_shape_other_color(objects[c], objects[d]);
        if ((same_first && other_second) || (same_second && other_first)) return Follows::Yes;
        some_same = some_same || same_first || same_second;
        some_other = some_other || other_first || other_second;
    }
    return some_same && some_other ? Follows::Unclear : Follows::No;
}

Follows close_by_rule(const Scene& figure, const FigureLimits& limits) {
    return some_close_pair(figure, limits, [](const SceneObject&, const SceneObject&) { return true; });
}

Follows red_triangle_rule(const Scene& figure, const FigureLimits& limits) {
    return some_close_pair(figure, limits, [](const SceneObject& first, const SceneObject& second) {
        return is_red_triangle(first) && second.color != first.color && second.shape != first.shape;
    });
}

Follows online_pair_rule(const Scene& figure, const FigureLimits& limits) {
    const Follows line = on_one_line(figure, limits);
    return line == Follows::Yes && !has_same_look_pair(figure) ? Follows::No : line;
}

Follows long_line_rule(const Scene& figure, const FigureLimits& limits) { return on_one_line(figure, limits); }

}  // namespace neumann
