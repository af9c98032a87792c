// Removes noise from indirect light. It varies slowly over a surface, so each pixel takes the average of its neighbours
// on the same surface: the same object, seen by all of their samples, with nearly the same normal and depth.
#pragma once

#include <cstdint>
#include <vector>

namespace neumann::trace {

// Per pixel of the picture; three floats each for colours and normals.
struct Layers {
    unsigned width = 0;
    unsigned height = 0;
    std::vector<float> sharp;
    std::vector<float> soft;
    std::vector<float> whole;
    std::vector<std::int32_t> object;
    std::vector<float> normal;
    std::vector<float> depth;

    Layers(unsigned w, unsigned h);
};

// One row of the smoothed `soft` layer.
void smooth_row(const Layers& layers, unsigned y, unsigned radius, float* out);

}  // namespace neumann::trace
