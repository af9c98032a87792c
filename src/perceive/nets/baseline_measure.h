// Accuracy of a baseline.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

namespace neumann {

struct MeasuredClasses {
    double accuracy = 0;
    double loss = 0;                // the mean cross entropy
    std::vector<double> per_class;  // accuracies; NaN for a class without images
};

// Of logits (images × classes); the prediction is the class of the largest logit.
MeasuredClasses measure_classes(const torch::Tensor& logits, const torch::Tensor& labels);

// Of two classes: the threshold between the two logits by which most are right, and how many are by a given one.
double best_threshold(const torch::Tensor& logits, const torch::Tensor& labels);
double accuracy_by_threshold(const torch::Tensor& logits, const torch::Tensor& labels, double threshold);

}  // namespace neumann
