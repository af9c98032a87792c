#include "perceive/assignment.h"

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

void check(std::span<const float> costs, std::size_t rows, std::size_t columns) {
    if (rows > columns)
        throw std::invalid_argument(fmt::format("{} rows cannot have a column each: there are {}", rows, columns));
    const bool fits = columns == 0 ? costs.empty() : costs.size() % columns == 0 && costs.size() / columns == rows;
    if (!fits) throw std::invalid_argument(fmt::format("{} costs are not {} × {}", costs.size(), rows, columns));
    for (const float cost : costs)
        if (!std::isfinite(cost)) throw std::invalid_argument(fmt::format("a cost is {}", cost));
}

// Rows join one by one. Prices of rows and columns keep every reduced cost (cost − price of row − price of column) at
// zero or more, and at zero for assigned pairs; then a shortest path from the new row to a free column, along which
// rows change their columns, leaves the assignment of the rows so far the least one.
class Assigner {
public:
    Assigner(std::span<const float> costs, std::size_t rows, std::size_t columns)
        : costs_(costs), columns_(columns), row_price_(rows), column_price_(columns), owner_(columns),
          distance_(columns), before_(columns), done_(columns) {}

    void add(std::size_t row) {
        const std::size_t free = find_path(row);
        // Back along the path: each column goes to the row that came before it.
        for (std::optional<std::size_t> column = free; column;) {
            const std::optional<std::size_t> previous = before_[*column];
            owner_[*column] = previous ? owner_[*previous] : row;
            column = previous;
        }
    }
    std::vector<std::size_t> result() const {
        std::vector<std::size_t> columns(row_price_.size());
        for (std::size_t column = 0; column < columns_; ++column)
            if (owner_[column]) columns[*owner_[column]] = column;
        return columns;
    }

private:
    // Dijkstra's search over columns; before_ then leads from the free column found back to the new row.
    std::size_t find_path(std::size_t new_row) {
        distance_.assign(columns_, unreached);
        done_.assign(columns_, false);
        std::size_t row = new_row;
        std::optional<std::size_t> from;
        double so_far = 0;
        while (true) {
            std::optional<std::size_t> next;
            for (std::size_t column = 0; column < columns_; ++column) {
                if (done_[column]) continue;
                const double length =
                    so_far + (costs_[row * columns_ + column] - row_price_[row] - column_price_[column]);
                if (length < distance_[column]) {
                    distance_[column] = length;
                    before_[column] = from;
                }
                if (!next || distance_[column] < distance_[*next]) next = column;
            }
            const std::size_t nearest = *next;  // there are more columns than rows that have joined
            so_far = distance_[nearest];
            if (!owner_[nearest]) {
                raise_prices(new_row, so_far);
                return nearest;
            }
            done_[nearest] = true;
            row = *owner_[nearest];
            from = nearest;
        }
    }
    void raise_prices(std::size_t new_row, double length) {
        row_price_[new_row] += length;
        for (std::size_t column = 0; column < columns_; ++column) {
            if (!done_[column]) continue;
            row_price_[*owner_[column]] += length - distance_[column];
            column_price_[column] -= length - distance_[column];
        }
    }

    std::span<const float> costs_;
    std::size_t columns_;
    std::vector<double> row_price_;
    std::vector<double> column_price_;
    std::vector<std::optional<std::size_t>> owner_;   // of a column: its row
    std::vector<double> distance_;                    // of a column from the new row
    std::vector<std::optional<std::size_t>> before_;  // the column before it on the path
    std::vector<char> done_;
};

}  // namespace

std::vector<std::size_t> least_assignment(std::span<const float> costs, std::size_t rows, std::size_t columns) {
    check(costs, rows, columns);
    Assigner assigner(costs, rows, columns);
    for (std::size_t row = 0; row < rows; ++row) assigner.add(row);
    return assigner.result();
}

}  // namespace neumann
