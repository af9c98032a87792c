// Formulas of one step for one atom in double precision: written for comparison with docs/semantics.md, not for speed.
// The reference reasoner, the tensor engine and explanations use them; the kernels are tested against them. Each
// semantics brings its own (reason/semantics).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reason/semantics.h"

namespace neumann::formulas {

// An atom and the conjunctions that derive it, as a step reads them.
struct AtomView {
    double gamma = default_gamma;
    double initial = 0;                       // x⁰
    double before = 0;                        // xᵗ
    std::span<const std::uint32_t> clause;    // of each conjunction; those of one clause are neighbours
    std::span<const double> weight;           // of each conjunction: its clause's
    std::span<const double> literals;         // the values of all bodies, one body after the other
    std::span<const std::uint32_t> body_end;  // of each conjunction: where its body ends among these

    std::size_t size() const { return clause.size(); }
    std::size_t body_begin(std::size_t c) const { return c == 0 ? 0 : body_end[c - 1]; }
    std::span<const double> body(std::size_t c) const {
        return literals.subspan(body_begin(c), body_end[c] - body_begin(c));
    }
};

// Derivatives by the inputs of the step; the arrays have the sizes of the view's.
struct AtomGradient {
    double initial = 0;
    double before = 0;
    std::span<double> weight;    // set
    std::span<double> literals;  // 0 before; added to
    std::span<double> state;     // of each conjunction, if the semantics keeps state: by the new one, then by the old

    std::span<double> body(const AtomView& atom, std::size_t c) const {
        return literals.subspan(atom.body_begin(c), atom.body_end[c] - atom.body_begin(c));
    }
};

// Room for the conjunctions of an atom, which are added one after the other.
class AtomBuffer {
public:
    void clear();
    void add_literal(double value) { literals_.push_back(value); }
    void end_conjunction(std::uint32_t clause, double weight);  // of the literals since the last one
    std::size_t size() const { return clause_.size(); }
    AtomView view(double gamma, double initial, double before) const;
    AtomGradient gradient();  // zeros of the right size, but for the state; they hold until the next call

private:
    std::vector<std::uint32_t> clause_;
    std::vector<double> weight_;
    std::vector<double> literals_;
    std::vector<std::uint32_t> body_end_;
    std::vector<double> weight_gradient_;
    std::vector<double> literal_gradient_;
};

// Clamps to 1 and records the excess; or repeats the record of an earlier run. The derivative is that of the value less
// the excess, as a constant.
class Clamp {
public:
    Clamp() = default;
    explicit Clamp(std::vector<double>& overshoot, const std::vector<double>* frozen = nullptr)
        : overshoot_(&overshoot), frozen_(frozen) {}
    double operator()(double value);

private:
    std::vector<double>* overshoot_ = nullptr;
    const std::vector<double>* frozen_ = nullptr;
};

// The formulas of a semantics for one atom with at least one conjunction.
struct AtomFormulas {
    // The value of a negated literal, and from its gradient to that of the atom, whose value is x.
    double (*negation)(double x);
    double (*negation_gradient)(double x, double gradient);
    // The new value. `state` is that of each conjunction, updated in place; empty if the semantics keeps none.
    double (*forward)(const AtomView& atom, std::span<double> state, Clamp& clamp);
    // From the gradient of the new value, before it was clamped.
    void (*backward)(const AtomView& atom, std::span<const double> state_before, std::span<const double> state_after,
                     double gradient, AtomGradient& result);
    // How much of the value is due to each conjunction: its derivative by the conjunction's, if this step were the only
    // one.
    void (*shares)(const AtomView& atom, std::span<double> result);
};
const AtomFormulas& formulas_of(Semantics semantics);

}  // namespace neumann::formulas
