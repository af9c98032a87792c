#include "render/trace_samples.h"

#include <numeric>
#include <utility>

#include "base/rng.h"

namespace neumann::trace {
namespace {

std::uint32_t reversed(std::uint32_t x) {
    x = (x >> 16) | (x << 16);
    x = ((x & 0x00ff00ffU) << 8) | ((x & 0xff00ff00U) >> 8);
    x = ((x & 0x0f0f0f0fU) << 4) | ((x & 0xf0f0f0f0U) >> 4);
    x = ((x & 0x33333333U) << 2) | ((x & 0xccccccccU) >> 2);
    return ((x & 0x55555555U) << 1) | ((x & 0xaaaaaaaaU) >> 1);
}

// Flips each bit by a hash of the bits above it: a nested uniform scramble (Laine and Karras; constants by Vegdahl).
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
    x = reversed(x);
    x ^= x * 0x3d20adeaU;
    x += seed;
    x *= (seed >> 16) | 1U;
    x ^= x * 0x05526c56U;
    x ^= x * 0x53a22864U;
    return reversed(x);
}

std::uint32_t second_sobol(std::uint32_t index) {
    std::uint32_t result = 0;
    for (std::uint32_t column = 1U << 31; index != 0; index >>= 1, column ^= column >> 1)
        if ((index & 1U) != 0) result ^= column;
    return result;
}

}  // namespace

std::vector<std::uint32_t> scrambled_points(unsigned samples, unsigned sets) {
    Rng rng(0x706f696e7473ULL);
    std::vector<std::uint32_t> points(std::size_t{2} * samples * sets);
    std::vector<std::uint32_t> order(samples);
    for (unsigned set = 0; set < sets; ++set) {
        const auto first = static_cast<std::uint32_t>(rng.next());
        const auto second = static_cast<std::uint32_t>(rng.next());
        std::iota(order.begin(), order.end(), 0U);
        for (unsigned k = samples; k > 1; --k) std::swap(order[k - 1], order[rng.below(k)]);
        std::uint32_t* out = points.data() + std::size_t{2} * samples * set;
        for (unsigned k = 0; k < samples; ++k) {
            out[k] = scrambled(reversed(order[k]), first);
            out[samples + k] = scrambled(second_sobol(order[k]), second);
        }
    }
    return points;
}

}  // namespace neumann::trace
