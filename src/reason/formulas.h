// The semantics as formulas on single numbers in double precision: written to be compared with docs/semantics.md, not
// to be fast. The reference reasoner and the tensor engine are made of these; the kernels are tested against them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reason/semantics.h"

namespace neumann::formulas {

// AND of a clause weight and the body values, and its derivatives.
double conjunction(Semantics semantics, double weight, std::span<const double> body);
void conjunction_gradient(Semantics semantics, double weight, std::span<const double> body, double gradient,
                          double& weight_gradient, std::span<double> body_gradient);  // added to

// Whether a single factor could lift the conjunction: no two of them are 0.
bool can_rise(double weight, std::span<const double> body);

// clausewise: the place of the instance that stands for its clause, for each run of equal clauses: of those with the
// largest body product the first, at 0 the first that can rise if there is one. can_rise may be empty where all equals
// are as good.
std::vector<std::size_t> best_instances(std::span<const std::uint32_t> clauses, std::span<const double> products,
                                        const std::vector<bool>& can_rise);

// OR of the initial value and the conjunctions; under clausewise, of the best instances. May exceed 1 under softor and
// paper: whoever calls it clamps.
double disjunction(Semantics semantics, double gamma, double initial, std::span<const double> values);
// The derivatives of that number before it is clamped. can_rise is needed where 0 is the largest of many.
void disjunction_gradient(Semantics semantics, double gamma, double initial, std::span<const double> values,
                          const std::vector<bool>& can_rise, double gradient, double& initial_gradient,
                          std::span<double> value_gradient);  // set

// γ·log Σ e^{x/γ}: the paper's soft-or, of at least one value, and its derivatives e^{(x_i − result)/γ}.
double softor(double gamma, std::span<const double> values);
double softor_share(double gamma, double value, double result);

}  // namespace neumann::formulas
