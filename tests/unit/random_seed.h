// Seed of a randomised test: fixed, unless NEUMANN_ORACLE_SEED names another one.
#pragma once

#include <cstdlib>

namespace neumann {

inline unsigned random_seed(unsigned fixed) {
    const char* given = std::getenv("NEUMANN_ORACLE_SEED");
    return given == nullptr ? fixed : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

}  // namespace neumann
