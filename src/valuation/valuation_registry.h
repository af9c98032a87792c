// Registry of valuation functions by name, and the atoms of a program that they evaluate. Their values depend on the
// caller: a valuation of the scene, or one of object vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "logic/signature.h"
#include "scene/scene.h"
#include "valuation/geometry_of_relations.h"

namespace neumann {

class ValuationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A relation holds on one side of a threshold: where slope·(feature − threshold) is positive. The logistic function of
// that product is the published soft form.
struct RelationFunction {
    const RelationFeature* feature = nullptr;
    double threshold = 0;
    double slope = 0;
    bool flat_only = false;

    bool holds(std::span<const RelationPlace> places) const { return slope * (feature->value(places) - threshold) > 0; }
};

// An entry of the registry.
struct ValuationFunction {
    enum class Kind : std::uint8_t { Presence, Attribute, Relation, Question };
    std::string_view name;
    Kind kind;
    std::size_t arity;                              // 0: any
    std::string SceneObject::*attribute = nullptr;  // where a scene keeps it
    RelationFunction relation = {};
};

std::span<const ValuationFunction> valuation_functions();

// The names of predicates that have a valuation function. Any of them may end in _img1, _img2, …, and then refers to
// the image of that number.
std::vector<std::string> known_valuations();

// The registry's entry for the name of a predicate.
struct NamedValuation {
    const ValuationFunction* function = nullptr;  // null: nothing
    std::string_view name;                        // without the number of an image
    std::uint32_t image = 0;                      // index of the image, counted from 0; the first if the name has none
};
NamedValuation find_valuation(std::string_view predicate);

// A neural predicate of a program, and which of its atoms there are.
struct NeuralPredicate {
    const ValuationFunction* function = nullptr;
    std::string name;
    std::uint32_t image = 0;
    std::vector<std::vector<std::string>> constants;  // of each argument's type
    std::vector<std::uint32_t> arguments;             // arity numbers of constants for each atom
    std::size_t first_atom = 0;
    std::size_t atom_count = 0;

    std::size_t arity() const { return constants.size(); }
    std::span<const std::uint32_t> arguments_of(std::size_t atom) const {  // counted within the predicate
        return std::span(arguments).subspan(atom * arity(), arity());
    }
};

struct NeuralAtoms {
    std::vector<NeuralPredicate> predicates;
    std::vector<std::string> names;  // of the atoms of all predicates, one predicate after the other
};

// Throws ValuationError for an unknown predicate, or one with other arguments than its function expects.
NeuralAtoms neural_atoms(const Signature& signature);

// Throws ValuationError unless there is an image of that number, counted from 0.
void require_image(const NeuralPredicate& predicate, std::size_t image, std::size_t images);

}  // namespace neumann
