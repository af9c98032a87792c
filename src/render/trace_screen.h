// Conversion of linear light to sRGB in 8 bits.
#pragma once

#include <array>
#include <cstdint>

namespace neumann::trace {

inline constexpr unsigned screen_steps = 255;

// From which light on a value is at least 1, 2, …, 255.
const std::array<float, screen_steps>& screen_thresholds();

// The number of thresholds that the light reaches.
constexpr std::uint8_t screen_value(const float* thresholds, float light) {
    unsigned reached = 0;
    unsigned left = screen_steps;
    while (left > 0) {
        const unsigned half = left / 2;
        if (light < thresholds[reached + half]) {
            left = half;
        } else {
            reached += half + 1;
            left -= half + 1;
        }
    }
    return static_cast<std::uint8_t>(reached);
}

}  // namespace neumann::trace
