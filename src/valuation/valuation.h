// Valuation functions of scenes: the values of the atoms of a program's neural predicates, from the ground truth. They
// replace perception: crisp, softened by noise, or with random errors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "logic/signature.h"
#include "scene/place_objects.h"
#include "scene/scene.h"
#include "valuation/valuation_registry.h"

namespace neumann {

struct ValuationOptions {
    // The true value of an attribute gets 1 - noise, the others share noise; a relation gets 1 - noise or noise.
    // Presence in the image and the queried atom stay certain. The most likely value stays the true one below 1/2.
    double noise = 0;
    // With this probability an attribute of an object takes another value, each as likely, and a relation its opposite.
    double flip = 0;
    // Relations in flat figures by the published one-input logistic functions instead of their thresholds.
    bool logistic = false;
    GroundDirections directions = {};  // left and front, for solid objects
};

// The scenes of each image: that of `_img1` or of predicates without such an ending comes first. `query` is the queried
// atom, query2(q,q_sort,2nd), or empty.
struct Perception {
    std::vector<const Scene*> images;
    std::string query;
};

// The place of an object in relations: a flat one in its image, a solid one on the ground in camera directions.
RelationPlace relation_place(const SceneObject& object, const GroundDirections& directions);

class Valuation {
public:
    // Takes the neural predicates, their types and constants from a program. The k-th constant of an object type is the
    // k-th object of the image. Throws ValuationError for an unknown predicate, or one with other arguments than its
    // function expects.
    explicit Valuation(const Signature& signature, const ValuationOptions& options = {});

    // All atoms of the neural predicates, in the order of the values.
    const std::vector<std::string>& atoms() const { return atoms_.names; }

    // The probability of each atom. `chance` is needed where flip is not 0. Throws ValuationError if the program has no
    // constant for an object or for an attribute's value, or refers to a missing image.
    void evaluate(const Perception& perception, std::span<double> values, Rng* chance = nullptr) const;

    // The atoms with a nonzero value, with their probability.
    std::vector<std::pair<std::string, double>> nonzero(const Perception& perception, Rng* chance = nullptr) const;

private:
    ValuationOptions options_;
    NeuralAtoms atoms_;
};

// A line of examples for `neumann reason --examples`: {"id": …, "atoms": {…} MORE}. `more` is JSON text that begins
// with a comma, or empty.
std::string example_line(std::string_view id, const std::vector<std::pair<std::string, double>>& atoms,
                         std::string_view more = {});

}  // namespace neumann
