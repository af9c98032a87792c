// Seeds of randomised tests: printed, repeatable one by one, and as many as the environment asks for.
#pragma once

#include <cstdint>
#include <functional>

namespace neumann::oracle {

// Calls `visit` with `count` seeds from `first` on. NEUMANN_ORACLE_SEED=N visits that one alone,
// NEUMANN_ORACLE_TIMES=N visits N times as many. Ends when the test has failed.
void for_each_seed(std::uint64_t first, std::uint64_t count, const std::function<void(std::uint64_t)>& visit);

}  // namespace neumann::oracle
