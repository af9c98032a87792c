// Writer of the gradients of one example to the caller's arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reason/reasoner.h"

namespace neumann {

// `by_atom(atom)` gives the gradient by the initial value of an atom, `by_clause` has those by all weights.
template <class ByAtom>
void write_gradients(std::size_t example, const ReasoningGraph& graph, const GradientRequest& wanted,
                     const ByAtom& by_atom, std::span<const double> by_clause) {
    const std::size_t inputs = wanted.by_input.size() == 0 ? 0 : wanted.inputs.size();
    for (std::size_t i = 0; i < inputs; ++i) wanted.by_input.set(example * inputs + i, by_atom(wanted.inputs[i]));
    for (std::uint32_t a = 0; wanted.by_atom.size() > 0 && a < graph.atom_count(); ++a)
        wanted.by_atom.set(example * graph.atom_count() + a, by_atom(a));
    for (std::size_t k = 0; wanted.by_clause.size() > 0 && k < by_clause.size(); ++k)
        wanted.by_clause.set(example * by_clause.size() + k, by_clause[k]);
    for (const GradientSums& sums : wanted.sums) {
        const double factor = sums.factors.empty() ? 1.0 : sums.factors[example];
        for (std::size_t k = 0; k < sums.by_clause.size(); ++k)
            sums.by_clause[k] += factor * by_clause[sums.first_clause + k];
        for (std::size_t i = 0; i < sums.atoms.size(); ++i) sums.by_atom[i] += factor * by_atom(sums.atoms[i]);
    }
}

}  // namespace neumann
