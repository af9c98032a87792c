// Weights as choices: softmax over logits, a slot at a time, and for NEUMANN one weight per clause from all slots.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "reason/weights.h"

namespace neumann {

class ChoiceWeights {
public:
    // How many each slot chooses from. With a composition all slots choose from the same clauses.
    explicit ChoiceWeights(std::vector<std::size_t> sizes, std::optional<WeightComposition> composition = {})
        : sizes_(std::move(sizes)), composition_(composition) {}

    std::size_t logit_count() const;
    std::vector<double> weights(std::span<const double> logits) const;
    // From a gradient by the weights to that by the logits.
    std::vector<double> gradient(std::span<const double> logits, std::span<const double> by_weight) const;
    std::vector<std::size_t> chosen(std::span<const double> logits) const;  // by each slot: its largest

private:
    std::vector<std::size_t> sizes_;
    std::optional<WeightComposition> composition_;
};

}  // namespace neumann
