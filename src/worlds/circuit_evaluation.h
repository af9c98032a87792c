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
        ways_.resize(circuit_.ways());
        for (const Circuit::Distribution& one : circuit_.distributions) {
            double rest = 1;
            for (std::size_t i = 0; i < one.parameters.size(); ++i) {
                const std::uint32_t p = one.parameters[i];
                const double chance = p < facts.size() ? facts[p] : clauses[p - facts.size()];
                ways_[one.first_way + i + 1] = Number(chance);
                rest -= chance;
            }
            ways_[one.first_way] = Number(std::max(rest, 0.0));
        }
        values_.assign(circuit_.nodes(), Number(0.0));
        values_[Circuit::always] = Number(1.0);
        for (std::size_t node = 2; node < circuit_.nodes(); ++node) {
            Number sum(0.0);
            std::size_t way = circuit_.first_way[node];
            for (std::uint32_t b = circuit_.branch_begin[node]; b < circuit_.branch_begin[node + 1]; ++b, ++way)
                sum += ways_[way] * values_[circuit_.branches[b]];
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
        std::vector<Number> by_way(circuit_.ways(), Number(0.0));
        for (std::size_t node = circuit_.nodes(); node-- > 2;) {
            std::size_t way = circuit_.first_way[node];
            for (std::uint32_t b = circuit_.branch_begin[node]; b < circuit_.branch_begin[node + 1]; ++b, ++way) {
                const Circuit::Node branch = circuit_.branches[b];
                by_way[way] += gradients[node] * values_[branch];
                gradients[branch] += gradients[node] * ways_[way];
            }
        }
        std::vector<Number> by_parameter(circuit_.parameters(), Number(0.0));
        for (const Circuit::Distribution& one : circuit_.distributions)
            for (std::size_t i = 0; i < one.parameters.size(); ++i)
                by_parameter[one.parameters[i]] += by_way[one.first_way + i + 1] - by_way[one.first_way];
        return by_parameter;
    }

private:
    const Circuit& circuit_;
    std::vector<Number> ways_;
    std::vector<Number> values_;
};

}  // namespace neumann
