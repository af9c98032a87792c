// Line charts in SVG: curves over steps, such as losses and accuracies, each chart with scales and a legend.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace neumann {

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;  // x rising; the line has a gap where y is not finite
};

struct LineChart {
    std::string heading;
    std::string x_title;
    std::string y_title;
    std::vector<Curve> curves;
    bool up_to_one = false;  // shares: the scale ends at 1
};

// The charts in rows of two. Texts are UTF-8. Of a curve of more points than the chart can show some are drawn, the
// least and the greatest of neighbours.
std::string charts_svg(const std::string& title, const std::string& subtitle, const std::vector<LineChart>& charts);

}  // namespace neumann
