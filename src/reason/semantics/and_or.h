// Generic step of a semantics that is an AND of the weight and the body and an OR of the initial value and the
// conjunctions, in double precision.
//     And::value(weight, body), And::gradient(weight, body, gradient, weight_gradient, body_gradient)    added to
//     Or::value(gamma, initial, values, clamp)
//     Or::gradient(gamma, initial, values, can_rise, gradient, initial_gradient, value_gradient)         set
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "reason/formulas.h"

namespace neumann::formulas {

// Whether a single factor could lift the conjunction: no two of them are 0.
inline bool can_rise(double weight, std::span<const double> body) {
    return std::ranges::count(body, 0.0) + (weight == 0 ? 1 : 0) <= 1;
}

template <class And>
std::vector<double> conjunctions_of(const AtomView& atom) {
    std::vector<double> result;
    for (std::size_t c = 0; c < atom.size(); ++c) result.push_back(And::value(atom.weight[c], atom.body(c)));
    return result;
}

template <class And>
void pass_to_conjunctions(const AtomView& atom, std::span<const double> by_conjunction, AtomGradient& result) {
    for (std::size_t c = 0; c < atom.size(); ++c) {
        result.weight[c] = 0;
        And::gradient(atom.weight[c], atom.body(c), by_conjunction[c], result.weight[c], result.body(atom, c));
    }
}

template <class And, class Or>
struct AndOr {
    static double forward(const AtomView& atom, std::span<double> /*state*/, Clamp& clamp) {
        return Or::value(atom.gamma, atom.initial, conjunctions_of<And>(atom), clamp);
    }
    static void backward(const AtomView& atom, std::span<const double> /*before*/, std::span<const double> /*after*/,
                         double gradient, AtomGradient& result) {
        std::vector<double> by_conjunction(atom.size());
        or_gradient(atom, gradient, result.initial, by_conjunction);
        pass_to_conjunctions<And>(atom, by_conjunction, result);
    }
    static void shares(const AtomView& atom, std::span<double> result) {
        double by_initial = 0;
        or_gradient(atom, 1, by_initial, result);
    }

private:
    static void or_gradient(const AtomView& atom, double gradient, double& initial, std::span<double> by_conjunction) {
        std::vector<bool> rises;
        for (std::size_t c = 0; c < atom.size(); ++c) rises.push_back(can_rise(atom.weight[c], atom.body(c)));
        Or::gradient(atom.gamma, atom.initial, conjunctions_of<And>(atom), rises, gradient, initial, by_conjunction);
    }
};

}  // namespace neumann::formulas
