#include "oracle/differences.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/rng.h"

namespace neumann::oracle {

Differences::Differences(const ReferenceReasoner& reasoner, double gamma, std::vector<double> weights,
                         std::vector<double> initial, std::vector<double> seeds)
    : reasoner_(reasoner), step_(1e-4 * gamma), weights_(std::move(weights)), initial_(std::move(initial)),
      seeds_(std::move(seeds)), run_(reasoner.forward(weights_, initial_)), middle_(loss()) {}

double Differences::loss() const {
    const ReferenceRun moved = reasoner_.forward(weights_, initial_, &run_);
    double sum = 0;
    for (std::size_t a = 0; a < seeds_.size(); ++a) sum += seeds_[a] * moved.result()[a];
    return sum;
}

std::string Differences::check(double& place, double derivative, double tolerance) {
    const double value = place;
    place = value + step_;
    const double right = (loss() - middle_) / step_;
    place = value - step_;
    const double left = (middle_ - loss()) / step_;
    place = value;
    const double scale = 1 + std::abs(right) + std::abs(left);
    const bool smooth = std::abs(right - left) <= 2e-3 * scale;
    ++(smooth ? checked_ : kinks_);
    if (!smooth || std::abs(derivative - (left + right) / 2) < tolerance * scale) return {};
    return fmt::format("{} instead of {}", derivative, (left + right) / 2);
}

// Those of a point a hundredth of a step away in every direction.
ReferenceGradients Differences::near(std::uint64_t seed) const {
    Rng rng(seed);
    std::vector<double> weights = weights_;
    std::vector<double> initial = initial_;
    for (std::vector<double>* numbers : {&weights, &initial}) {
        for (double& number : *numbers) number += step_ / 100 * (rng.uniform() - 0.5);
    }
    return reasoner_.backward(reasoner_.forward(weights, initial, &run_), weights, initial, seeds_);
}

bool Differences::jumps(std::vector<double> ReferenceGradients::*part, std::size_t at, double tolerance) {
    for (std::uint64_t seed = neighbours_.size(); seed < 8; ++seed) neighbours_.push_back(near(seed));
    const double first = (neighbours_.front().*part)[at];
    return std::ranges::any_of(neighbours_, [&](const ReferenceGradients& one) {
        return std::abs((one.*part)[at] - first) > tolerance * (1 + std::abs(first));
    });
}

std::string Differences::wrong(const ReferenceGradients& gradients, double tolerance) {
    const auto check_all = [&](const char* what, std::vector<double>& places,
                               std::vector<double> ReferenceGradients::*part) -> std::string {
        for (std::size_t i = 0; i < places.size(); ++i) {
            const std::string text = check(places[i], (gradients.*part)[i], tolerance);
            if (text.empty()) continue;
            if (!jumps(part, i, tolerance)) return fmt::format("by the {} {}: {}", what, i, text);
            --checked_;
            ++kinks_;
        }
        return {};
    };
    std::string found = check_all("input", initial_, &ReferenceGradients::initial);
    return found.empty() ? check_all("weight", weights_, &ReferenceGradients::weights) : found;
}

}  // namespace neumann::oracle
