#include "render/trace_screen.h"

#include <cmath>

namespace neumann::trace {
namespace {

std::array<float, screen_steps> make_thresholds() {
    std::array<float, screen_steps> thresholds{};
    for (unsigned k = 0; k < screen_steps; ++k) {
        const double value = (k + 0.5) / screen_steps;
        thresholds[k] = static_cast<float>(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
    }
    return thresholds;
}

}  // namespace

const std::array<float, screen_steps>& screen_thresholds() {
    static const std::array<float, screen_steps> thresholds = make_thresholds();
    return thresholds;
}

}  // namespace neumann::trace
