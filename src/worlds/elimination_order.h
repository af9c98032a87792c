// Order in which variables are summed out of factor tables: a tree decomposition of their graph, of small width. The
// best of several greedy orders (least fill, least table) by the estimated number of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "worlds/factor_tables.h"

namespace neumann {

struct EliminationPlan {
    std::vector<std::uint32_t> order;  // of the variables
    double rows = 0;                   // of all tables together, estimated
    double width = 0;                  // binary logarithm of the rows of the largest, estimated
};

EliminationPlan plan_elimination(const FactorTables& tables, const std::function<void()>& watch);

}  // namespace neumann
