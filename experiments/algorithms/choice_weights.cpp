#include "algorithms/choice_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neumann {

std::size_t ChoiceWeights::logit_count() const { return std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0}); }

std::vector<double> ChoiceWeights::weights(std::span<const double> logits) const {
    if (composition_) return composition_->compose(logits, sizes_.front());
    std::vector<double> result;
    for (const std::size_t size : sizes_) {
        const std::span<const double> slot = logits.subspan(result.size(), size);
        const double largest = *std::ranges::max_element(slot);
        double sum = 0;
        for (const double logit : slot) sum += std::exp(logit - largest);
        for (const double logit : slot) result.push_back(std::exp(logit - largest) / sum);
    }
    return result;
}

std::vector<double> ChoiceWeights::gradient(std::span<const double> logits, std::span<const double> by_weight) const {
    if (composition_) return composition_->compose_gradient(logits, sizes_.front(), by_weight);
    std::vector<double> result = weights(logits);
    std::size_t at = 0;
    for (const std::size_t size : sizes_) {
        const std::span<double> p = std::span(result).subspan(at, size);
        const std::span<const double> g = by_weight.subspan(at, size);
        const double mean = std::inner_product(p.begin(), p.end(), g.begin(), 0.0);
        for (std::size_t k = 0; k < size; ++k) p[k] *= g[k] - mean;
        at += size;
    }
    return result;
}

std::vector<std::size_t> ChoiceWeights::chosen(std::span<const double> logits) const {
    std::vector<std::size_t> result;
    std::size_t at = 0;
    for (const std::size_t size : sizes_) {
        const std::span<const double> slot = logits.subspan(at, size);
        result.push_back(static_cast<std::size_t>(std::ranges::max_element(slot) - slot.begin()));
        at += size;
    }
    return result;
}

}  // namespace neumann
