// An experiment as its file declares it: settings, commands to run, and what is shown of their results. The file says
// everything; the runner knows nothing about any experiment. docs/experiments.md describes the format.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checked_json.h"
#include "placeholders.h"

namespace neumann::app {

struct Loop {
    std::string variable;
    std::vector<Json> values;       // with the settings of this run
    std::vector<Json> full_values;  // without those of --quick
};
using Loops = std::vector<Loop>;

// All combinations, the first loop outermost. No loops: one combination of nothing.
std::vector<Bindings> combinations(const Loops& loops, bool full = false);

// Where a value of a step comes from.
struct ValueSource {
    enum class Kind { Pointer, Match, Text, Column, Measured, Sum, Ratio };
    enum class Which { First, Last, All };  // of the matches
    Kind kind = Kind::Measured;
    std::string what;                // JSON pointer, regular expression, column, measured quantity
    std::vector<std::string> parts;  // of sums and ratios: values before this one
    bool from_errors = false;        // standard error instead of standard output …
    std::string file;                // … or a file
    std::optional<long> line;        // of JSON lines, negative ones from the end
    Which which = Which::First;
};

struct Step {
    std::string name;
    Loops loops;
    std::vector<std::string> run;
    double limit_seconds = 0;  // 0: none
    bool may_fail = false;
    std::vector<std::pair<std::string, ValueSource>> values;
    std::string values_text;  // what the file says about them

    bool has_variable(const std::string& variable) const;
    bool has_value(const std::string& value) const;
};

// What is looked up: a value of all runs of a step, or of a baseline, that agree with the variables bound.
struct Lookup {
    std::string step, baseline, value;  // empty in a row: the column says it, and the other way round
    Bindings where;
};

// A row or a column, once for each combination of its loops.
struct TableLine {
    std::string title;
    Loops loops;
    Lookup lookup;
    std::string format;                                        // how numbers are written
    std::string failed;                                        // what stands where all runs failed
    std::optional<std::vector<Json>> published;                // one per column of a row, per row of a column
    std::optional<std::pair<std::string, std::string>> ratio;  // titles of two rows, or columns, that are divided
};

struct Claim {
    enum class Bound { AtLeast, AtMost, Equal };
    bool of_row = true;  // else of a column
    std::string title;
    Bound bound = Bound::AtLeast;
    std::vector<Json> limits;  // one, or one per cell; null: none. In the units that the table shows
    std::string times;         // the title of another row (or column): limits are multiples of its cells
    std::string why;           // what is said where it does not hold
    bool quick = false;        // holds under --quick, too
};

struct TableDeclaration {
    std::string title, corner, note;
    std::vector<TableLine> columns, rows;
    std::vector<Claim> claims;
};

struct TextDeclaration {
    std::string title;
    Lookup lookup;
    std::vector<std::string> by;  // variables that are told with each text
};

struct SeriesDeclaration {
    std::string title;
    Loops loops;
    Lookup lookup;
    std::string x;  // "index", a variable or a value
    bool band = false;
    std::vector<Json> published;  // pairs of x and y instead of a lookup
};

struct PlotDeclaration {
    std::string file, title, x_title, y_title;
    bool bars = false, log_x = false, log_y = false;
    bool overview = false;  // shown there, too
    std::vector<SeriesDeclaration> series;
};

struct FigureDeclaration {
    std::string step, file, as, caption;
    Loops loops;
    bool overview = false;
};

struct Experiment {
    std::string name, title, paper;
    int order = 0;                   // among all experiments
    std::vector<std::string> about;  // paragraphs of Markdown
    std::string meaning;             // what came out, for the overview
    std::vector<std::string> needs;  // experiments whose files are used
    Json settings = Json::object();
    bool quick = false;
    std::vector<Step> steps, baselines;
    std::vector<TableDeclaration> tables;
    std::vector<TextDeclaration> texts;
    std::vector<PlotDeclaration> plots;
    std::vector<FigureDeclaration> figures;

    const Step* find_step(const std::string& name) const;  // null: none
    const Step* find_baseline(const std::string& name) const;
};

// Checked as far as that is possible before anything runs. Throws JsonFileError with file and key path.
Experiment read_experiment(const std::filesystem::path& path, bool quick);

}  // namespace neumann::app
