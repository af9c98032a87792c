#include "perceive/nets/baseline_measure.h"

#include <limits>

namespace neumann {
namespace {

using torch::Tensor;

Tensor advantage_of_second(const Tensor& logits) { return (logits.select(1, 1) - logits.select(1, 0)).to(torch::kCPU); }

}  // namespace

MeasuredClasses measure_classes(const Tensor& logits, const Tensor& labels) {
    const Tensor hits = (logits.argmax(1) == labels).to(torch::kCPU, torch::kFloat64);
    const Tensor truth = labels.to(torch::kCPU);
    MeasuredClasses result;
    result.accuracy = hits.mean().item<double>();
    result.loss = torch::nn::functional::cross_entropy(logits, labels).item<double>();
    for (std::int64_t c = 0; c < logits.size(1); ++c) {
        const Tensor mine = hits.index({truth == c});
        result.per_class.push_back(mine.numel() == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                     : mine.mean().item<double>());
    }
    return result;
}

double best_threshold(const Tensor& logits, const Tensor& labels) {
    const auto [values, order] = advantage_of_second(logits).to(torch::kFloat64).sort();
    const Tensor truth = labels.to(torch::kCPU).index_select(0, order);
    // With the threshold at a value, that one and all before it count as the first class.
    const Tensor right = (1 - 2 * truth).cumsum(0);
    const std::int64_t at = right.argmax().item<std::int64_t>();
    if (right[at].item<std::int64_t>() <= 0) return -std::numeric_limits<double>::infinity();
    return values[at].item<double>();
}

double accuracy_by_threshold(const Tensor& logits, const Tensor& labels, double threshold) {
    const Tensor second = advantage_of_second(logits).to(torch::kFloat64) > threshold;
    return (second == (labels.to(torch::kCPU) == 1)).to(torch::kFloat64).mean().item<double>();
}

}  // namespace neumann
