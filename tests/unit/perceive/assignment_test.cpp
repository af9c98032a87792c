#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "perceive/assignment.h"

namespace neumann {
namespace {

double total(const std::vector<float>& costs, std::size_t columns, const std::vector<std::size_t>& chosen) {
    double sum = 0;
    for (std::size_t row = 0; row < chosen.size(); ++row) sum += costs[row * columns + chosen[row]];
    return sum;
}

// All ways there are.
double least_of_all(const std::vector<float>& costs, std::size_t rows, std::size_t columns) {
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), 0);
    double least = std::numeric_limits<double>::infinity();
    do {
        least =
            std::min(least, total(costs, columns, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rows)}));
    } while (std::ranges::next_permutation(order).found);
    return least;
}

TEST(Assignment, IsTheLeastOfAll) {
    const std::uint64_t seed = 4711;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int round = 0; round < 600; ++round) {
        const std::size_t columns = 1 + rng.below(round % 20 == 0 ? 7 : 6);
        const std::size_t rows = rng.below(static_cast<std::uint32_t>(columns) + 1);
        const bool ties = round % 3 == 0;
        std::vector<float> costs(rows * columns);
        for (float& cost : costs)
            cost = ties ? static_cast<float>(rng.below(3)) : static_cast<float>(rng.uniform() * 20 - 10);
        const std::vector<std::size_t> chosen = least_assignment(costs, rows, columns);
        ASSERT_EQ(chosen.size(), rows);
        ASSERT_EQ(std::set<std::size_t>(chosen.begin(), chosen.end()).size(), rows) << "round " << round;
        for (const std::size_t column : chosen) ASSERT_LT(column, columns);
        ASSERT_NEAR(total(costs, columns, chosen), least_of_all(costs, rows, columns), 1e-9)
            << "round " << round << ": " << rows << " × " << columns;
    }
}

TEST(Assignment, LargeNumbersAndManyRows) {
    EXPECT_EQ(least_assignment(std::vector<float>{3e38F, -3e38F, -3e38F, 3e38F}, 2, 2),
              (std::vector<std::size_t>{1, 0}));
    // Against a hidden assignment that costs nothing.
    const std::uint64_t seed = 12;
    Rng rng(seed);
    const std::size_t n = 120;
    std::vector<std::size_t> hidden(n);
    std::iota(hidden.begin(), hidden.end(), 0);
    for (std::size_t k = n; k > 1; --k) std::swap(hidden[k - 1], hidden[rng.below(static_cast<std::uint32_t>(k))]);
    std::vector<float> costs(n * n);
    for (float& cost : costs) cost = static_cast<float>(0.001 + rng.uniform());
    for (std::size_t row = 0; row < n; ++row) costs[row * n + hidden[row]] = 0;
    EXPECT_EQ(least_assignment(costs, n, n), hidden) << "seed " << seed;
}

TEST(Assignment, Nothing) {
    EXPECT_TRUE(least_assignment({}, 0, 0).empty());
    EXPECT_TRUE(least_assignment({}, 0, 5).empty());
    EXPECT_EQ(least_assignment(std::vector<float>{7}, 1, 1), std::vector<std::size_t>{0});
    EXPECT_EQ(least_assignment(std::vector<float>(12, 1.5F), 3, 4).size(), 3U);
}

TEST(Assignment, ImpossibleInputIsRefused) {
    const float infinite = std::numeric_limits<float>::infinity();
    EXPECT_THROW(least_assignment(std::vector<float>(6), 3, 2), std::invalid_argument);
    EXPECT_THROW(least_assignment(std::vector<float>(5), 2, 3), std::invalid_argument);
    EXPECT_THROW(least_assignment(std::vector<float>(5), 0, 0), std::invalid_argument);
    EXPECT_THROW(least_assignment({}, 1, 1), std::invalid_argument);
    EXPECT_THROW(least_assignment({}, std::size_t{1} << 32, std::size_t{1} << 32), std::invalid_argument);
    EXPECT_THROW(least_assignment(std::vector<float>{1, infinite}, 1, 2), std::invalid_argument);
    EXPECT_THROW(least_assignment(std::vector<float>{1, -infinite}, 1, 2), std::invalid_argument);
    EXPECT_THROW(least_assignment(std::vector<float>{infinite - infinite, 1}, 1, 2), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
