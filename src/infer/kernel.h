// Convolution kernel: an image's features times packed weights, compiled for each set of instructions.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/lane.h"

namespace neumann::infer {

// Outputs are computed sixteen at a time, whatever the size of vectors, so packed weights fit every kernel.
inline constexpr std::size_t group = 16;

// A feature map has rows of pixels, a pixel its channels. Strides are in floats.
struct ConvolutionJob {
    const float* input = nullptr;  // what the first tap of the first output reads; borders are there, as zeros
    std::size_t input_row = 0;     // from one row of outputs to the next
    std::size_t input_pixel = 0;   // from one output of a row to the next
    std::size_t tap_row = 0;       // from one row of taps to the next
    std::size_t tap_pixel = 0;
    std::size_t taps = 0;  // in a row and in a column
    std::size_t channels = 0;
    const float* weights = nullptr;  // group of outputs × tap × channel × output
    const float* bias = nullptr;     // for each output
    const float* added = nullptr;    // in the places of outputs, or null
    float* output = nullptr;
    std::size_t output_row = 0;
    std::size_t output_pixel = 0;
    std::size_t width = 0;   // outputs in a row
    std::size_t height = 0;  // rows
    std::size_t groups = 0;
    bool rectified = false;  // negative outputs become 0
};

struct Kernel {
    const char* name;
    void (*convolve)(const ConvolutionJob& job);
};

// `Pixels` outputs of a row. An output's sum has one order, whatever its neighbours: its bias, then taps and channels.
template <class V, std::size_t Pixels>
void convolve_pixels(const ConvolutionJob& job, std::size_t first_output, const float* input, float* output,
                     const float* added) {
    constexpr std::size_t vectors = group / V::size;
    V sums[Pixels][vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        const V bias = V::load_aligned(job.bias + first_output + v * V::size);
        for (std::size_t p = 0; p < Pixels; ++p) sums[p][v] = bias;
    }
    const float* weights = job.weights + first_output * job.taps * job.taps * job.channels;
    for (std::size_t row = 0; row < job.taps; ++row) {
        for (std::size_t tap = 0; tap < job.taps; ++tap) {
            const float* from = input + row * job.tap_row + tap * job.tap_pixel;
            for (std::size_t channel = 0; channel < job.channels; ++channel, weights += group) {
                V weight[vectors];
                for (std::size_t v = 0; v < vectors; ++v) weight[v] = V::load_aligned(weights + v * V::size);
                for (std::size_t p = 0; p < Pixels; ++p) {
                    const V value(from[p * job.input_pixel + channel]);
                    for (std::size_t v = 0; v < vectors; ++v)
                        sums[p][v] = LaneTraits<V>::multiply_add(value, weight[v], sums[p][v]);
                }
            }
        }
    }
    for (std::size_t p = 0; p < Pixels; ++p) {
        for (std::size_t v = 0; v < vectors; ++v) {
            V sum = sums[p][v];
            const std::size_t at = p * job.output_pixel + first_output + v * V::size;
            if (added != nullptr) sum += V::load_aligned(added + at);
            if (job.rectified) sum = max(sum, V(0.0F));
            sum.store_aligned(output + at);
        }
    }
}

// As many outputs at once as registers hold sums of.
template <class V, std::size_t Pixels>
void convolve(const ConvolutionJob& job) {
    for (std::size_t first = 0; first < job.groups * group; first += group) {
        for (std::size_t y = 0; y < job.height; ++y) {
            std::size_t x = 0;
            const auto run = [&]<std::size_t Count>() {
                const std::size_t out = y * job.output_row + x * job.output_pixel;
                convolve_pixels<V, Count>(job, first, job.input + y * job.input_row + x * job.input_pixel,
                                          job.output + out, job.added == nullptr ? nullptr : job.added + out);
                x += Count;
            };
            while (x + Pixels <= job.width) run.template operator()<Pixels>();
            while (x < job.width) run.template operator()<1>();
        }
    }
}

template <class V, std::size_t Pixels>
constexpr Kernel make_kernel(const char* name) {
    return {name, &convolve<V, Pixels>};
}

}  // namespace neumann::infer
