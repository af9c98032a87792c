// Evaluation of a circuit for one example, in any type of numbers: values of all nodes, and derivatives by parameters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "worlds/circuit.h"

namespace neumann {

template <class Number>
class CircuitEvaluation {
public:
    explicit CircuitEvaluation(const Circuit& circuit) : circuit_(circuit) {}

    // Values of all nodes; `facts` and `clauses` are the parameters.
    void forward(std::span<const double> facts, std::span<const double> clauses) {
        values_.assign(circuit_.nodes(), Number(0.0));
        values_[Circuit::always] = Number(1.0);
        for (const Circuit::Distribution& one : circuit_.distributions) {
            double rest = 1;
            const Circuit::Node none = Circuit::node_of_way(one.first_way);
            for (std::size_t i = 0; i < one.parameters.size(); ++i) {
                const std::uint32_t p = one.parameters[i];
                const double chance = p < facts.size() ? facts[p] : clauses[p - facts.size()];
                values_[none + i + 1] = Number(chance);
                rest -= chance;
            }
            values_[none] = Number(std::max(rest, 0.0));
        }
        for (std::size_t node = circuit_.first_sum(); node < circuit_.nodes(); ++node) {
            Number sum(0.0);
            for (std::uint32_t t = circuit_.term_begin[node]; t < circuit_.term_begin[node + 1]; ++t)
                sum += values_[circuit_.left[t]] * values_[circuit_.right[t]];
            values_[node] = sum;
        }
    }
    const Number& value(Circuit::Node node) const { return values_[node]; }

    // Derivatives of the sum of seeds times values, after forward(): a seed for each node of Circuit::asked, and one
    // for Circuit::observed.
    std::vector<Number> backward(std::span<const Number> seeds) {
        std::vector<Number> gradients(circuit_.nodes(), Number(0.0));
        for (std::size_t i = 0; i < circuit_.asked.size(); ++i) gradients[circuit_.asked[i]] += seeds[i];
        gradients[circuit_.observed] += seeds.back();
        for (std::size_t node = circuit_.nodes(); node-- > circuit_.first_sum();) {
            for (std::uint32_t t = circuit_.term_begin[node]; t < circuit_.term_begin[node + 1]; ++t) {
                const Circuit::Node left = circuit_.left[t];
                const Circuit::Node right = circuit_.right[t];
                gradients[left] += gradients[node] * values_[right];
                gradients[right] += gradients[node] * values_[left];
            }
        }
        std::vector<Number> by_parameter(circuit_.parameters(), Number(0.0));
        for (const Circuit::Distribution& one : circuit_.distributions) {
            const Circuit::Node none = Circuit::node_of_way(one.first_way);
            for (std::size_t i = 0; i < one.parameters.size(); ++i)
                by_parameter[one.parameters[i]] += gradients[none + i + 1] - gradients[none];
        }
        return by_parameter;
    }

private:
    const Circuit& circuit_;
    std::vector<Number> values_;
};

}  // namespace neumann
