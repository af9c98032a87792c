// Labelled samples for learning relations: the feature that a detector would measure between objects of generated
// scenes, and whether the relation truly holds between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datasets/split.h"
#include "valuation/valuation_registry.h"

namespace neumann {

struct RelationSample {
    double feature = 0;  // of the relation, from measured centres in the image
    bool holds = false;
};

struct RelationSampling {
    std::uint64_t seed = 1;
    Split split = Split::Train;  // samples that differ in it share no scene
    std::size_t samples = 4000;
    double noise = 0.004;  // a detector's error: standard deviation of x and y, as shares of the image
    // Share of flat samples that are drawn near the threshold, from no pattern: patterns keep away from it, so they do
    // not reveal where it is.
    double near_share = 0.5;
    double near_width = 0.06;  // how far the true feature is from the threshold at most
};

// Between flat objects: some of a generated figure's, chosen at random.
std::vector<RelationSample> flat_relation_samples(const ValuationFunction& relation, const RelationSampling& sampling);

// Between solid objects: half in rows, half anywhere on the ground. Whether the relation holds is decided on the ground
// in the directions of the scene's own camera, while the feature is of centres in that camera's image: because of
// perspective the two can disagree.
std::vector<RelationSample> solid_relation_samples(const ValuationFunction& relation, const RelationSampling& sampling);

}  // namespace neumann
