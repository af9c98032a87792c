// Plots of an experiment's results: lines with bands, and bars.
#pragma once

#include <string>

#include "experiment_file.h"
#include "experiment_results.h"

namespace neumann::app {

// As SVG; the same bytes for the same results.
std::string draw_plot(const PlotDeclaration& plot, const ExperimentResults& results, const Placeholders& placeholders,
                      bool quick);

}  // namespace neumann::app
