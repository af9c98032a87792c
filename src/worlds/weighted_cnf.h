// Weighted CNF of the Model Counting Competition: DIMACS clauses, with weights of literals, variables that are shown
// (the others are projected away), and the kind of count. docs/interchange.md describes the format.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"

namespace neumann {

struct WeightedCnf {
    using Clause = std::vector<std::int32_t>;  // variables from 1, negated below 0

    std::uint32_t variables = 0;
    std::vector<Clause> clauses;
    // Per variable (from 0): of its negation, and of itself; empty: all are 1.
    std::vector<std::array<double, 2>> weights;
    std::vector<bool> shown;  // per variable; empty: all

    bool weighted() const { return !weights.empty(); }
    bool projected() const { return !shown.empty(); }
    double weight(std::uint32_t variable, bool value) const {
        return weighted() ? weights[variable][value ? 1 : 0] : 1;
    }
    // "mc", "wmc", "pmc" or "pwmc".
    std::string kind() const { return std::string(projected() ? "p" : "") + (weighted() ? "wmc" : "mc"); }
};

// `notes` lists what is not sure to be meant.
WeightedCnf read_cnf(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics,
                     std::vector<std::string>& notes);
// `comments` are lines that stand before the clauses.
std::string write_cnf(const WeightedCnf& cnf, const std::vector<std::string>& comments);

}  // namespace neumann
