// Random seed of a test: fixed, printed, and replaced by the environment variable NEUMANN_ORACLE_SEED.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

namespace neumann {

inline std::uint32_t fixed_seed(std::uint32_t seed) {
    const char* const given = std::getenv("NEUMANN_ORACLE_SEED");
    if (given != nullptr) seed = static_cast<std::uint32_t>(std::stoul(given));
    std::cout << "seed " << seed << '\n';
    return seed;
}

}  // namespace neumann
