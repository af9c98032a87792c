#include <neumann/reasoner.h>

#include "reason/weights.h"

namespace neumann {

std::vector<double> SlotWeights::compose(std::span<const double> logits) const {
    return WeightComposition{slots, gamma, leak_free}.compose(logits, clauses);
}

std::vector<double> SlotWeights::gradient(std::span<const double> logits,
                                          std::span<const double> weight_gradient) const {
    return WeightComposition{slots, gamma, leak_free}.compose_gradient(logits, clauses, weight_gradient);
}

}  // namespace neumann
