#include "reason/formulas.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reason/semantics/registry.h"

namespace neumann::formulas {
namespace {

template <class Semantics>
constexpr AtomFormulas formulas_from() {
    using Not = typename Semantics::Not;
    using Formulas = typename Semantics::Formulas;
    return {Not::template value<double>, Not::template gradient<double>, Formulas::forward, Formulas::backward,
            Formulas::shares};
}

template <std::size_t... Number>
constexpr std::array<AtomFormulas, semantics_count> collect(std::index_sequence<Number...>) {
    return {formulas_from<RegisteredSemantics<Number>>()...};
}
constexpr auto list = collect(std::make_index_sequence<semantics_count>());

}  // namespace

void AtomBuffer::clear() {
    clause_.clear();
    weight_.clear();
    literals_.clear();
    body_end_.clear();
}

void AtomBuffer::end_conjunction(std::uint32_t clause, double weight) {
    clause_.push_back(clause);
    weight_.push_back(weight);
    body_end_.push_back(static_cast<std::uint32_t>(literals_.size()));
}

AtomView AtomBuffer::view(double gamma, double initial, double before) const {
    return {gamma, initial, before, clause_, weight_, literals_, body_end_};
}

AtomGradient AtomBuffer::gradient() {
    weight_gradient_.assign(weight_.size(), 0);
    literal_gradient_.assign(literals_.size(), 0);
    AtomGradient result;
    result.weight = weight_gradient_;
    result.literals = literal_gradient_;
    return result;
}

double Clamp::operator()(double value) {
    if (overshoot_ == nullptr) return std::min(1.0, value);
    const double off = frozen_ != nullptr ? (*frozen_)[overshoot_->size()] : std::max(0.0, value - 1);
    overshoot_->push_back(off);
    return frozen_ != nullptr || off == 0 ? value - off : 1.0;
}

const AtomFormulas& formulas_of(Semantics semantics) { return list.at(static_cast<std::size_t>(semantics)); }

}  // namespace neumann::formulas
