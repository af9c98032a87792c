// A small seeded random generator (SplitMix64). Passed explicitly wherever chance is involved; the same seed gives the
// same sequence on every platform, which std::uniform_int_distribution does not promise.
#pragma once

#include <cstdint>

namespace neumann {

class Rng {
public:
    explicit Rng(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    // Uniform in [0, bound); bound must not be 0.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    bool chance(double probability) { return uniform() < probability; }
    std::uint64_t state() const { return state_; }  // Rng(state()) goes on as this one does

private:
    std::uint64_t state_;
};

}  // namespace neumann
