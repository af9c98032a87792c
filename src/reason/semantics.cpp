#include "reason/semantics.h"

#include <algorithm>

namespace neumann {
namespace {

constexpr SemanticsInfo list[] = {
    {Semantics::SoftOr, "softor", "product for AND; leak-free log-sum-exp with the initial value for OR", true, true,
     false},
    {Semantics::Paper, "paper", "the paper's equations, every OR clamped to [0,1]; false atoms creep up", true, false,
     false},
    {Semantics::MaxProduct, "max-product", "product and maximum: the value of the best proof", false, true, true},
    {Semantics::NoisyOr, "noisy-or", "product and noisy-or: as if all proofs were independent", false, true, false},
    {Semantics::Godel, "godel", "minimum and maximum", false, true, true},
    {Semantics::Lukasiewicz, "lukasiewicz", "bounded difference and bounded sum", false, true, false},
    {Semantics::Clausewise, "clausewise", "product; the best instance of each clause, noisy-or between clauses", false,
     true, false},
};

}  // namespace

std::span<const SemanticsInfo> all_semantics() { return list; }

const SemanticsInfo& info(Semantics semantics) {
    return *std::ranges::find(list, semantics, &SemanticsInfo::semantics);
}

std::optional<Semantics> find_semantics(std::string_view name) {
    const auto* found = std::ranges::find(list, name, &SemanticsInfo::name);
    if (found == std::end(list)) return std::nullopt;
    return found->semantics;
}

}  // namespace neumann
