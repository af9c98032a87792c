#include "oracle/seeds.h"

#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace neumann::oracle {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

}  // namespace

void for_each_seed(std::uint64_t first, std::uint64_t count, const std::function<void(std::uint64_t)>& visit) {
    const std::uint64_t begin = setting("NEUMANN_ORACLE_SEED", first);
    const std::uint64_t end = begin == first ? begin + count * setting("NEUMANN_ORACLE_TIMES", 1) : begin + 1;
    std::cout << "seeds " << begin << " to " << end - 1 << std::endl;
    for (std::uint64_t seed = begin; seed < end && !testing::Test::HasFatalFailure(); ++seed) {
        SCOPED_TRACE(fmt::format("seed {} (NEUMANN_ORACLE_SEED={})", seed, seed));
        visit(seed);
    }
}

}  // namespace neumann::oracle
