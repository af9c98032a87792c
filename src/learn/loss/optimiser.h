// Optimisers of gradient descent: from a gradient to the next parameters, with a state that can be saved.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <neumann/learn_options.h>

namespace neumann {

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
