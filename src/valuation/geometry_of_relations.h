// Geometric features of relations between objects: one number for each kind of relation, and its derivative. Shared by
// all decisions from such a number: the threshold on the true scene and the logistic function on detections.
#pragma once

#include <span>

namespace neumann {

// The place of an object in a relation: x to the right with 0.5 in the middle, y to the front. In an image both are
// shares of its sides, y downwards.
struct RelationPlace {
    double x = 0;
    double y = 0;
};

// One place for each argument. The derivative adds `by` times itself to the gradients, which are as many as the places;
// where there is none (objects in one spot, a perfect line) it adds nothing.
struct RelationFeature {
    double (*value)(std::span<const RelationPlace> places);
    void (*derivative)(std::span<const RelationPlace> places, double by, std::span<RelationPlace> gradients);
    bool any_order = false;  // the order of the places does not matter
};

extern const RelationFeature centre_distance_feature;  // of two
// Root of the sum of squares that the best line y = a x + b leaves over, as the published function measures it.
extern const RelationFeature line_residual_feature;
extern const RelationFeature to_the_right_feature;     // how far the second is right of the first
extern const RelationFeature from_the_middle_feature;  // how far it is right of the middle
extern const RelationFeature to_the_front_feature;     // how far the first is in front of the second

}  // namespace neumann
