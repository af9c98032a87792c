// Whether the parts of an experiment's file fit together: tables name steps, values and variables that exist. All throw
// JsonFileError with file and key path.
#pragma once

#include <string>
#include <vector>

#include "checked_json.h"
#include "experiment_file.h"

namespace neumann::app {

// What only a run knows, each standing for itself.
std::vector<std::pair<std::string, std::string>> unfilled_folders(const Experiment& experiment);

void require_step(const CheckedJson& json, const std::string& name, const std::vector<Step>& steps,
                  const std::string& kind);
void require_format(const CheckedJson& json, const std::string& format);

// The step exists, has the value and loops over the variables that are bound.
void check_lookup(const CheckedJson& json, const Lookup& lookup, const Bindings& bound, const Experiment& experiment);
void check_placeholders(const CheckedJson& json, const Step& step, const Experiment& experiment);
void check_table(const CheckedJson& json, const TableDeclaration& table, const Experiment& experiment);
void check_series(const CheckedJson& json, const SeriesDeclaration& series, const Experiment& experiment);
void check_figure(const CheckedJson& json, const FigureDeclaration& figure, const Experiment& experiment);

// What the cell of a row and a column looks up; the row wins where both say something.
Lookup combined(const Lookup& row, const Lookup& column);

}  // namespace neumann::app
