// Valuation functions of object vectors: the probability of each atom of a program's neural predicates, given a
// network's output; and backwards, the gradient by the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "logic/signature.h"
#include "valuation/object_vectors.h"
#include "valuation/predicates.h"
#include "valuation/valuation_registry.h"

namespace neumann {

struct SoftValuationOptions {
    // Smaller values are 0: nothing that is so unlikely makes a difference, and few atoms are quickly reasoned with.
    // Derivatives are those of the value before.
    double least_value = 1e-6;
};

// The k-th constant of an object type is the k-th row of the image. Rows come with the most certain first, so if an
// image has more rows than the program has constants, the least certain ones are left out.
//   in(O,I)        the row's presence
//   color(O,red)   the row's probability of red, and likewise for the other attributes; 0 for words that the network
//                  does not know
//   relations      the logistic function of their feature; 0 where an object is named twice
//   query2, query3 1 for the queried atom
// Attributes and relations are not multiplied by presence: a rule that requires presence has an `in` atom. But a row
// with a presence below `absent_below` counts as absent, and all its atoms have value 0.
class SoftValuation {
public:
    static constexpr double absent_below = 0.05;

    // Throws ValuationError for the cases that neural_atoms() refuses, for predicates that objects of this layout do
    // not have, and for attributes of which the network knows none of the program's words.
    SoftValuation(const Signature& signature, const ObjectLayout& layout, const PredicateWeights& weights = {},
                  const SoftValuationOptions& options = {});

    const std::vector<std::string>& atoms() const { return atoms_.names; }  // in the order of the values
    const ObjectLayout& layout() const { return *layout_; }
    // The program's words that the network does not know, each with its known alternatives; atoms with them stay 0.
    const std::vector<std::string>& unknown_words() const { return unknown_words_; }

    // The detected objects of each image: that of `_img1`, or of predicates without such an ending, comes first.
    struct Looked {
        std::vector<const SeenObjects*> images;
        std::string query;  // the atom that is asked, as atoms() spells it; empty: none
    };

    // All throw ValuationError for a predicate about a missing image, and std::invalid_argument for objects of another
    // layout or a span of another size.
    void evaluate(const Looked& looked, std::span<double> values) const;
    // From the derivative of a loss by every value to that by every entry of the rows: added to `gradients`, one for
    // each image, each as long as that image's rows.
    void backward(const Looked& looked, std::span<const double> value_gradients,
                  std::span<std::vector<float>> gradients) const;
    // Whether there is a predicate of questions, such as query2: `query` is then the queried atom.
    bool waits_for_question() const;
    // How many objects with a presence of at least ½ are left out because some predicate has no constant for them.
    std::size_t left_out(const Looked& looked) const;

private:
    // Data that is computed once for a predicate.
    struct Prepared {
        std::vector<int> columns;  // attributes: the column of each word, or -1
        LogisticFunction logistic;
        // Relations: the distinct choices of objects, arity numbers each, and which of them each atom is about, or
        // none. Where the order does not matter, all orders are one case.
        std::vector<std::uint32_t> cases;
        std::vector<std::optional<std::uint32_t>> case_of;
    };

    void prepare_attribute(const NeuralPredicate& predicate, Prepared& prepared);
    void prepare_relation(const NeuralPredicate& predicate, const PredicateWeights& weights, Prepared& prepared) const;
    void require(const Looked& looked) const;
    static void evaluate_relation(const NeuralPredicate& predicate, const Prepared& prepared, const SeenObjects& seen,
                                  std::span<double> values);
    static void differentiate_relation(const NeuralPredicate& predicate, const Prepared& prepared,
                                       const SeenObjects& seen, std::span<const double> by_value,
                                       std::span<float> by_row);

    const ObjectLayout* layout_;
    SoftValuationOptions options_;
    NeuralAtoms atoms_;
    std::vector<Prepared> prepared_;  // one for each predicate
    std::vector<std::string> unknown_words_;
    std::vector<std::size_t> constants_;  // for each image: the largest number of objects for which every predicate has
                                          // constants
};

}  // namespace neumann
