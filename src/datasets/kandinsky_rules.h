// Conditions in the rules of flat figures: pairs of equal look, nearness, lines; and whether a figure follows a
// pattern's rule.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scene/scene.h"

namespace neumann {

// Distances in the unit square. Between the distances that count as close (on a line) and those that do not lies a gap
// that no figure enters, so that neither a detector's error nor the choice of a triangle's centre (centroid here,
// middle of the box in a detector: .162 of its side above) changes a label. The published soft predicates switch at a
// distance of .224 and a residual of .157: inside the gaps.
struct FigureLimits {
    double close_least = 0;  // centres of a close pair
    double close_most = .15;
    double apart_least = .24;           // centres of all other pairs, where closeness matters
    double near_miss_apart_most = .34;  // the nearest pair of a figure whose closeness was broken
    double line_jitter = .002;          // how far an object may be off its line
    double on_line_least = 0;           // residual norm of the best line, measured along y
    double on_line_most = .02;
    double off_line_least = .21;  // residual norm of the best line, measured at right angles
    double near_miss_off_line_most = .32;
    double gap_least = .004;      // between the circles around two objects
    unsigned restarts = 100'000;  // of one layout; then the limits are taken to be impossible
};

// Figures inside the gaps: on either side of the thresholds of the published predicates. An error in a centre, or
// another definition of a triangle's centre, can change the values of these predicates.
FigureLimits borderline_limits();

struct FigurePlace {
    double x = 0;
    double y = 0;
    double side = 0;  // SceneObject::extent
};

double centre_distance(const FigurePlace& a, const FigurePlace& b);
// Root of the sum of squared residuals of the best line: of y on x, and at right angles to the line.
double line_residual_along_y(std::span<const FigurePlace> places);
double line_residual(std::span<const FigurePlace> places);

// The circle around the corners of the square: no other shape of this side reaches beyond it, so that shapes can be
// exchanged without new overlaps.
double radius_around(double side);
bool inside_unit_square(const FigurePlace& place);
bool clear_of_each_other(const FigurePlace& a, const FigurePlace& b, const FigureLimits& limits);

bool same_look(const SceneObject& a, const SceneObject& b);  // shape and colour
bool same_shape_other_color(const SceneObject& a, const SceneObject& b);
bool is_red_triangle(const SceneObject& object);
bool has_same_look_pair(const Scene& figure);
std::vector<FigurePlace> places_of(const Scene& figure);

// Yes, no, or in the gap between both: a figure in the gap of its limits is never handed out.
enum class Follows { Yes, No, Unclear };

Follows two_pairs_rule(const Scene& figure, const FigureLimits& limits);
Follows close_by_rule(const Scene& figure, const FigureLimits& limits);
Follows red_triangle_rule(const Scene& figure, const FigureLimits& limits);
Follows online_pair_rule(const Scene& figure, const FigureLimits& limits);
Follows long_line_rule(const Scene& figure, const FigureLimits& limits);

}  // namespace neumann
