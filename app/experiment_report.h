// The page of an experiment: tables, plots and pictures, and how they were made. Also its place on the overview page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment_file.h"
#include "experiment_results.h"
#include "experiment_tables.h"

namespace neumann::app {

struct ExperimentReport {
    const Experiment& experiment;
    const ExperimentResults& results;
    const Placeholders& placeholders;  // filled in, to find pictures
    std::vector<FinishedTable> tables;
};

// Writes NAME.md and its pictures into a folder; the same results give the same bytes. Returns the page's path. Throws
// FileError.
std::filesystem::path write_report(const ExperimentReport& report, const std::filesystem::path& folder);

// The part of an overview page between <!-- results --> and <!-- end --> with what this experiment showed; other
// experiments' parts stay. `order` lists all experiments. A page without the two markers is returned as it is.
std::string with_overview(const std::string& page, const ExperimentReport& report,
                          const std::vector<std::string>& order);

}  // namespace neumann::app
