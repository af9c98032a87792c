#include "learn/loss/optimiser.h"

#include <algorithm>
#include <cmath>

namespace neumann {

std::optional<OptimiserKind> find_optimiser(std::string_view name) {
    if (name == "rmsprop") return OptimiserKind::RmsProp;
    if (name == "adam") return OptimiserKind::Adam;
    if (name == "sgd") return OptimiserKind::Sgd;
    return std::nullopt;
}

Optimiser::Optimiser(const OptimiserOptions& options, std::size_t parameters)
    : options_(options), mean_(parameters, 0.0), mean_square_(parameters, 0.0) {}

void Optimiser::step(std::span<double> parameters, std::span<const double> gradient) {
    ++steps_;
    const double correction1 = 1 - std::pow(options_.beta1, steps_);
    const double correction2 = 1 - std::pow(options_.beta2, steps_);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double g = gradient[i];
        switch (options_.kind) {
        case OptimiserKind::RmsProp:
            mean_square_[i] = options_.decay * mean_square_[i] + (1 - options_.decay) * g * g;
            parameters[i] -= options_.rate * g / (std::sqrt(mean_square_[i]) + options_.epsilon);
            break;
        case OptimiserKind::Adam:
            mean_[i] = options_.beta1 * mean_[i] + (1 - options_.beta1) * g;
            mean_square_[i] = options_.beta2 * mean_square_[i] + (1 - options_.beta2) * g * g;
            parameters[i] -= options_.rate * (mean_[i] / correction1) /
                             (std::sqrt(mean_square_[i] / correction2) + options_.epsilon);
            break;
        case OptimiserKind::Sgd:
            parameters[i] -= options_.rate * g;
            break;
        }
    }
}

std::vector<double> Optimiser::state() const {
    std::vector<double> state = {steps_};
    state.insert(state.end(), mean_.begin(), mean_.end());
    state.insert(state.end(), mean_square_.begin(), mean_square_.end());
    return state;
}

void Optimiser::restore(std::span<const double> state) {
    steps_ = state[0];
    std::ranges::copy(state.subspan(1, mean_.size()), mean_.begin());
    std::ranges::copy(state.subspan(1 + mean_.size(), mean_square_.size()), mean_square_.begin());
}

}  // namespace neumann
