// The tables of an experiment: published numbers beside ours, and the claims made about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment_file.h"
#include "experiment_results.h"

namespace neumann::app {

struct TableCell {
    std::string text;
    std::optional<double> number;  // in the units shown: the mean; none if a run failed
};

struct CheckedClaim {
    std::string text;  // what is claimed
    bool holds = false;
    std::string problem;  // where it does not hold
    std::string why;
};

struct FinishedTable {
    std::string title, corner, note;
    std::vector<std::string> columns, rows;     // titles
    std::vector<std::vector<TableCell>> cells;  // by row
    std::vector<CheckedClaim> claims;           // under --quick only those made for it
};

FinishedTable finish_table(const TableDeclaration& table, const Experiment& experiment,
                           const ExperimentResults& results, const Placeholders& placeholders);

std::string markdown(const FinishedTable& table);  // with neither title nor claims
std::string markdown_cell(const std::string& text);

}  // namespace neumann::app
