// Gradient descent: from a gradient to the next parameters, with a state that can be saved.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace neumann {

enum class OptimiserKind : std::uint8_t { RmsProp, Adam, Sgd };
std::optional<OptimiserKind> find_optimiser(std::string_view name);  // rmsprop, adam, sgd

struct OptimiserOptions {
    OptimiserKind kind = OptimiserKind::RmsProp;
    double rate = 1e-2;
    double decay = 0.99;  // RMSProp: of the mean square
    double beta1 = 0.9;   // Adam
    double beta2 = 0.999;
    double epsilon = 1e-8;
};

class Optimiser {
public:
    Optimiser(const OptimiserOptions& options, std::size_t parameters);

    void step(std::span<double> parameters, std::span<const double> gradient);

    std::vector<double> state() const;  // all that the next step depends on
    void restore(std::span<const double> state);

private:
    OptimiserOptions options_;
    double steps_ = 0;
    std::vector<double> mean_;
    std::vector<double> mean_square_;
};

}  // namespace neumann
