#include "datasets/kandinsky_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/random_draws.h"

namespace neumann {

namespace {

// How often a step is tried before the layout starts anew. No label plays a role in that.
constexpr int tries_per_object = 50;
constexpr int tries_per_exchange = 60;
// Nearer to an axis hardly any exchange takes objects far enough off the line.
constexpr double least_angle = std::numbers::pi / 12;
constexpr double least_length = .45;
constexpr double most_length = 1.15;

double draw_side(const SideRange& sides, Rng& rng) {
    double share = 1;
    for (int i = 0; i < sides.skew; ++i) share = std::min(share, rng.uniform());
    return sides.least + (sides.most - sides.least) * share;
}

FigurePlace anywhere(double side, Rng& rng) {
    const double radius = radius_around(side);
    const double x = between(radius, 1 - radius, rng);
    return {x, between(radius, 1 - radius, rng), side};
}

bool all_inside(const std::vector<FigurePlace>& places) { return std::ranges::all_of(places, inside_unit_square); }

bool all_clear(const std::vector<FigurePlace>& places, const FigureLimits& limits) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!clear_of_each_other(places[i], places[j], limits)) return false;
        }
    }
    return true;
}

// The smallest distance between two centres, or 0 as soon as it is below `least`.
double nearest_pair(const std::vector<FigurePlace>& places, double least) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            nearest = std::min(nearest, centre_distance(places[i], places[j]));
            if (nearest < least) return 0;
        }
    }
    return nearest;
}

// Adds one object at a place for which `fits` holds; returns whether it found one.
template <class Fits>
bool add_one(std::vector<FigurePlace>& places, double side, const Fits& fits, Rng& rng) {
    for (int tried = 0; tried < tries_per_object; ++tried) {
        const FigurePlace place = anywhere(side, rng);
        if (std::ranges::all_of(places, [&](const FigurePlace& other) { return fits(place, other); })) {
            places.push_back(place);
            return true;
        }
    }
    return false;
}

std::optional<std::vector<FigurePlace>> try_close_pair(unsigned objects, const SideRange& sides,
                                                       const FigureLimits& limits, Rng& rng) {
    std::vector<FigurePlace> places;
    places.reserve(objects);
    const FigurePlace first = anywhere(draw_side(sides, rng), rng);
    const double side = draw_side(sides, rng);
    const double touching = radius_around(first.side) + radius_around(side) + limits.gap_least;
    const double apart = between(std::max(touching, limits.close_least), limits.close_most, rng);
    const double angle = between(0, 2 * std::numbers::pi, rng);
    const FigurePlace second{first.x + apart * std::cos(angle), first.y + apart * std::sin(angle), side};
    if (apart > limits.close_most || !inside_unit_square(second)) return std::nullopt;
    places.push_back(first);
    places.push_back(second);
    const auto is_apart = [&](const FigurePlace& a, const FigurePlace& b) {
        return centre_distance(a, b) >= limits.apart_least;
    };
    while (places.size() < objects) {
        if (!add_one(places, draw_side(sides, rng), is_apart, rng)) return std::nullopt;
    }
    return places;
}

// Exchanges y at random until all objects are apart, but some only just.
std::optional<std::vector<FigurePlace>> taken_apart(std::vector<FigurePlace> places, const FigureLimits& limits,
                                                    Rng& rng) {
    for (int tried = 0; tried < tries_per_exchange; ++tried) {
        for (std::size_t left = places.size(); left > 1; --left) {
            std::swap(places[left - 1].y, places[rng.below(static_cast<std::uint32_t>(left))].y);
        }
        const double nearest = nearest_pair(places, limits.apart_least);
        if (nearest > 0 && nearest <= limits.near_miss_apart_most && all_inside(places)) return places;
    }
    return std::nullopt;
}

std::optional<std::vector<FigurePlace>> try_line(unsigned objects, const SideRange& sides, const FigureLimits& limits,
                                                 Rng& rng) {
    std::vector<FigurePlace> places(objects);
    std::vector<double> along(objects);
    for (FigurePlace& place : places) place.side = draw_side(sides, rng);
    // Neighbours that touch, then the rest of the length in parts of random size between them.
    std::vector<double> slack(objects);
    double slack_sum = 0;
    double touching_sum = 0;
    for (unsigned i = 1; i < objects; ++i) {
        along[i] = radius_around(places[i - 1].side) + radius_around(places[i].side) + 2 * limits.gap_least;
        touching_sum += along[i];
        slack[i] = rng.uniform();
        slack_sum += slack[i];
    }
    const double length = between(std::max(touching_sum, least_length), most_length, rng);
    if (touching_sum > length) return std::nullopt;
    double angle = between(least_angle, std::numbers::pi / 2 - least_angle, rng);
    if (rng.chance(.5)) angle = std::numbers::pi - angle;
    double reached = 0;
    for (unsigned i = 0; i < objects; ++i) {
        if (i > 0) reached += along[i] + (length - touching_sum) * slack[i] / slack_sum;
        const double off = between(-limits.line_jitter, limits.line_jitter, rng);
        places[i].x = reached * std::cos(angle) - off * std::sin(angle);
        places[i].y = reached * std::sin(angle) + off * std::cos(angle);
    }
    // Where the line may start so that all objects are inside.
    double x_least = -std::numeric_limits<double>::infinity();
    double x_most = std::numeric_limits<double>::infinity();
    double y_least = x_least;
    double y_most = x_most;
    for (const FigurePlace& place : places) {
        const double radius = radius_around(place.side);
        x_least = std::max(x_least, radius - place.x);
        x_most = std::min(x_most, 1 - radius - place.x);
        y_least = std::max(y_least, radius - place.y);
        y_most = std::min(y_most, 1 - radius - place.y);
    }
    if (x_least > x_most || y_least > y_most) return std::nullopt;
    const double x = between(x_least, x_most, rng);
    const double y = between(y_least, y_most, rng);
    for (FigurePlace& place : places) {
        place.x += x;
        place.y += y;
    }
    const double residual = line_residual_along_y(places);
    const bool good = residual >= limits.on_line_least && residual <= limits.on_line_most && all_inside(places) &&
                      all_clear(places, limits);
    return good ? std::optional(places) : std::nullopt;
}

// Exchanges y of two objects: both leave the line, to opposite sides.
std::optional<std::vector<FigurePlace>> taken_off_line(const std::vector<FigurePlace>& places,
                                                       const FigureLimits& limits, Rng& rng) {
    std::vector<std::pair<std::size_t, std::size_t>> exchanges;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) exchanges.emplace_back(i, j);
    }
    shuffle_in_place(exchanges, rng);
    for (const auto& [i, j] : exchanges) {
        std::vector<FigurePlace> changed = places;
        std::swap(changed[i].y, changed[j].y);
        const double residual = line_residual(changed);
        if (residual < limits.off_line_least || residual > limits.near_miss_off_line_most) continue;
        if (all_inside(changed) && all_clear(changed, limits)) return changed;
    }
    return std::nullopt;
}

std::optional<std::vector<FigurePlace>> try_scattered(unsigned objects, const SideRange& sides,
                                                      const FigureLimits& limits, Rng& rng) {
    const auto clear = [&](const FigurePlace& a, const FigurePlace& b) { return clear_of_each_other(a, b, limits); };
    std::vector<FigurePlace> places;
    places.reserve(objects);
    while (places.size() < objects) {
        if (!add_one(places, draw_side(sides, rng), clear, rng)) return std::nullopt;
    }
    return places;
}

// The result of the first successful try.
template <class Try>
auto until_made(unsigned objects, const FigureLimits& limits, const Try& try_once) {
    for (unsigned start = 0; start < limits.restarts; ++start) {
        if (auto made = try_once()) return std::move(*made);
    }
    throw std::runtime_error(std::to_string(objects) + " objects found no place in " + std::to_string(limits.restarts) +
                             " layouts");
}

// A whole layout together with a broken one.
template <class Whole, class Broken>
LayoutPair both_layouts(unsigned objects, const FigureLimits& limits, const Whole& make_whole, const Broken& break_it) {
    return until_made(objects, limits, [&]() -> std::optional<LayoutPair> {
        auto whole = make_whole();
        if (!whole) return std::nullopt;
        auto broken = break_it(*whole);
        if (!broken) return std::nullopt;
        return LayoutPair{std::move(*whole), std::move(*broken)};
    });
}

}  // namespace

std::vector<FigurePlace> scattered_layout(unsigned objects, const SideRange& sides, const FigureLimits& limits,
                                          Rng& rng) {
    return until_made(objects, limits, [&] { return try_scattered(objects, sides, limits, rng); });
}

LayoutPair close_pair_layout(unsigned objects, const SideRange& sides, const FigureLimits& limits, Rng& rng) {
    return both_layouts(
        objects, limits, [&] { return try_close_pair(objects, sides, limits, rng); },
        [&](const std::vector<FigurePlace>& whole) { return taken_apart(whole, limits, rng); });
}

LayoutPair line_layout(unsigned objects, const SideRange& sides, const FigureLimits& limits, Rng& rng) {
    return both_layouts(
        objects, limits, [&] { return try_line(objects, sides, limits, rng); },
        [&](const std::vector<FigurePlace>& whole) { return taken_off_line(whole, limits, rng); });
}

}  // namespace neumann
