#include "valuation/geometry_of_relations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace neumann {
namespace {

using Places = std::span<const RelationPlace>;
using Gradients = std::span<RelationPlace>;

double centre_distance(Places places) { return std::hypot(places[0].x - places[1].x, places[0].y - places[1].y); }

void centre_distance_derivative(Places places, double by, Gradients gradients) {
    const double distance = centre_distance(places);
    if (distance == 0) return;
    const double x = by * (places[0].x - places[1].x) / distance;
    const double y = by * (places[0].y - places[1].y) / distance;
    gradients[0].x += x;
    gradients[0].y += y;
    gradients[1].x -= x;
    gradients[1].y -= y;
}

struct LineFit {
    double mean_x = 0;
    double mean_y = 0;
    double slope = 0;
    double residual_norm = 0;
};

LineFit fit_line(Places places) {
    const auto count = static_cast<double>(places.size());
    LineFit fit;
    for (const RelationPlace& place : places) {
        fit.mean_x += place.x / count;
        fit.mean_y += place.y / count;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (const RelationPlace& place : places) {
        const double x = place.x - fit.mean_x;
        const double y = place.y - fit.mean_y;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if (xx > 0) fit.slope = xy / xx;
    fit.residual_norm = std::sqrt(std::max(0.0, xx > 0 ? yy - xy * xy / xx : yy));
    return fit;
}

// The line is the best one, so moving it changes nothing to first order: only the places themselves count.
void line_residual_derivative(Places places, double by, Gradients gradients) {
    const LineFit fit = fit_line(places);
    // The rounding error of a perfect line has no direction.
    if (fit.residual_norm < 1e-7) return;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double off = places[i].y - fit.mean_y - fit.slope * (places[i].x - fit.mean_x);
        gradients[i].y += by * off / fit.residual_norm;
        gradients[i].x -= by * off / fit.residual_norm * fit.slope;
    }
}

}  // namespace

constinit const RelationFeature centre_distance_feature{centre_distance, centre_distance_derivative, true};

constinit const RelationFeature line_residual_feature{[](Places places) { return fit_line(places).residual_norm; },
                                                      line_residual_derivative, true};

constinit const RelationFeature to_the_right_feature{[](Places places) { return places[1].x - places[0].x; },
                                                     [](Places, double by, Gradients gradients) {
                                                         gradients[1].x += by;
                                                         gradients[0].x -= by;
                                                     }};

constinit const RelationFeature from_the_middle_feature{
    [](Places places) { return places[0].x - 0.5; },
    [](Places, double by, Gradients gradients) { gradients[0].x += by; }};

constinit const RelationFeature to_the_front_feature{[](Places places) { return places[0].y - places[1].y; },
                                                     [](Places, double by, Gradients gradients) {
                                                         gradients[0].y += by;
                                                         gradients[1].y -= by;
                                                     }};

}  // namespace neumann
