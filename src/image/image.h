// An image as a flat array: rows from top to bottom, pixels from left to right, channels side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neumann {

// Where an object is visible. Empty (pixels = 0) where it is hidden or outside.
struct Box {
    unsigned left = 0;
    unsigned top = 0;
    unsigned right = 0;  // one past the last column
    unsigned bottom = 0;
    std::size_t pixels = 0;

    friend bool operator==(const Box&, const Box&) = default;
};

struct Image {
    unsigned width = 0;
    unsigned height = 0;
    unsigned channels = 0;  // 3: red, green, blue as a screen takes them (sRGB); 1: grey, or numbers
    std::vector<std::uint8_t> data;

    static Image blank(unsigned width, unsigned height, unsigned channels) {
        return {width, height, channels, std::vector<std::uint8_t>(std::size_t{width} * height * channels)};
    }
    std::uint8_t* at(unsigned x, unsigned y) { return data.data() + offset(x, y); }
    const std::uint8_t* at(unsigned x, unsigned y) const { return data.data() + offset(x, y); }

    friend bool operator==(const Image&, const Image&) = default;

private:
    std::size_t offset(unsigned x, unsigned y) const { return (std::size_t{y} * width + x) * channels; }
};

}  // namespace neumann
