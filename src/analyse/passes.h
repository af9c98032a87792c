// Passes of analyse(), each in a file of its name.
#pragma once

#include "analyse/analyse.h"

namespace neumann {

void check_limits(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void check_empty_types(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void check_singletons(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void merge_duplicate_clauses(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void merge_duplicate_facts(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void drop_impossible_facts(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void apply_evidence(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void rewrite_aggregates(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void check_safety(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void check_stratification(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void check_boundedness(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);
void check_derivability(Program& program, const AnalyseOptions& options, Diagnostics& diagnostics);

}  // namespace neumann
