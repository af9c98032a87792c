// Heat map of values over the steps of reasoning: one column per atom, one row per step, darker towards 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace neumann {

struct HeatMap {
    static constexpr std::size_t max_columns = 2000;  // a cell has at least one pixel, and the image must fit a screen
    static constexpr std::size_t max_rows = 1000;

    std::string title;     // may be empty
    std::string subtitle;  // may be empty
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;  // rows[step][column], in [0, 1] up to 1e-6
};

std::string colour_of(double value);  // the cell's, for a value that is not exactly 0

// The same bytes for the same map, everywhere. Throws std::invalid_argument for a map with nothing in it or with
// too much, for rows of unequal length and for values outside [0, 1].
std::string heat_map_svg(const HeatMap& map);

}  // namespace neumann
