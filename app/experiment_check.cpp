#include "experiment_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/suggest.h"
#include "experiment_numbers.h"

namespace neumann::app {
namespace {

template <typename Fill>
void try_placeholders(const CheckedJson& json, const Fill& fill) {
    try {
        fill();
    } catch (const PlaceholderError& error) {
        json.fail(error.what());
    }
}

// How many rows (or columns) these become without --quick.
std::size_t full_count(const std::vector<TableLine>& lines) {
    std::size_t count = 0;
    for (const TableLine& line : lines) count += combinations(line.loops, true).size();
    return count;
}

std::vector<std::string> titles(const std::vector<TableLine>& lines, const Placeholders& placeholders, bool full) {
    std::vector<std::string> result;
    for (const TableLine& line : lines)
        for (const Bindings& bindings : combinations(line.loops, full))
            result.push_back(placeholders.fill(line.title, bindings));
    return result;
}

Bindings variables_of(const TableLine& line) {
    Bindings result = line.lookup.where;
    for (const Loop& loop : line.loops) result.emplace_back(loop.variable, Json());
    return result;
}

void require_title(const CheckedJson& json, const std::string& title, const std::vector<std::string>& known) {
    if (std::ranges::find(known, title) == known.end())
        json.fail(fmt::format("there is no '{}' in this table; {}", title, did_you_mean_or_list(title, known)));
}

// Claims and ratios name rows and columns by their titles. Those that only exist without --quick are fine.
void check_titles(const CheckedJson& json, const TableDeclaration& table, const Placeholders& placeholders) {
    const std::vector<std::string> rows = titles(table.rows, placeholders, true);
    const std::vector<std::string> columns = titles(table.columns, placeholders, true);
    for (std::size_t c = 0; c < table.claims.size(); ++c) {
        const Claim& claim = table.claims[c];
        const CheckedJson place = json.at("claims").elements()[c];
        require_title(place, claim.title, claim.of_row ? rows : columns);
        if (!claim.times.empty()) require_title(place.at("times"), claim.times, claim.of_row ? rows : columns);
        const std::size_t cells = claim.of_row ? columns.size() : rows.size();
        if (claim.limits.size() != 1 && claim.limits.size() != cells)
            place.fail(fmt::format("{} limits for {} cells", claim.limits.size(), cells));
    }
    for (const auto& [key, lines] : {std::pair("rows", &table.rows), std::pair("columns", &table.columns)}) {
        const bool is_row = lines == &table.rows;
        for (std::size_t i = 0; i < lines->size(); ++i) {
            const CheckedJson place = json.at(key).elements()[i];
            const TableLine& line = (*lines)[i];
            const std::size_t cells = full_count(is_row ? table.columns : table.rows);
            if (line.published && line.published->size() != cells)
                place.at("published")
                    .fail(fmt::format("{} numbers for {} {}", line.published->size(), cells,
                                      is_row ? "columns" : "rows"));
            if (!line.ratio) continue;
            require_title(place.at("ratio"), line.ratio->first, is_row ? rows : columns);
            require_title(place.at("ratio"), line.ratio->second, is_row ? rows : columns);
        }
    }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> unfilled_folders(const Experiment& experiment) {
    std::vector<std::pair<std::string, std::string>> result = {
        {"work", "{work}"}, {"root", "{root}"}, {"neumann", "{neumann}"}, {"threads", "{threads}"}};
    for (const std::string& other : experiment.needs)
        result.emplace_back(fmt::format("work[{}]", other), fmt::format("{{work[{}]}}", other));
    return result;
}

void require_step(const CheckedJson& json, const std::string& name, const std::vector<Step>& steps,
                  const std::string& kind) {
    std::vector<std::string> known;
    for (const Step& step : steps) known.push_back(step.name);
    if (std::ranges::find(known, name) != known.end()) return;
    const std::string advice = known.empty() ? "the file has none" : did_you_mean_or_list(name, known);
    json.fail(fmt::format("there is no {} '{}'; {}", kind, name, advice));
}

void require_format(const CheckedJson& json, const std::string& format) {
    const std::vector<std::string>& known = number_formats();
    if (std::ranges::find(known, format) == known.end())
        json.fail(fmt::format("unknown format '{}'; {}", format, did_you_mean_or_list(format, known)));
}

void check_lookup(const CheckedJson& json, const Lookup& lookup, const Bindings& bound, const Experiment& experiment) {
    if (lookup.step.empty() && lookup.baseline.empty()) json.fail("a step or a baseline is missing");
    if (lookup.value.empty()) json.fail("'value' is missing");
    const Step& step =
        *(lookup.step.empty() ? experiment.find_baseline(lookup.baseline) : experiment.find_step(lookup.step));
    std::vector<std::string> values, variables;
    for (const auto& [name, source] : step.values) values.push_back(name);
    for (const Loop& loop : step.loops) variables.push_back(loop.variable);
    if (!step.has_value(lookup.value)) {
        json.fail(fmt::format("'{}' has no value '{}'; {}", step.name, lookup.value,
                              values.empty() ? "it has none" : did_you_mean_or_list(lookup.value, values)));
    }
    // 1 is not "1". (A value that the loop never has is fine: its cell says that nothing has run.)
    for (const Loop& loop : step.loops) {
        const Json* value = binding(bound, loop.variable);
        if (value == nullptr || value->is_null()) continue;
        for (const Json& known : loop.full_values)
            if (known != *value && plain_text(known) == plain_text(*value))
                json.fail(
                    fmt::format("'{}' of '{}' is {}, not {}", loop.variable, step.name, known.dump(), value->dump()));
    }
    for (const auto& [variable, value] : bound) {
        if (step.has_variable(variable)) continue;
        json.fail(fmt::format("'{}' has no loop variable '{}'; {}", step.name, variable,
                              variables.empty() ? "it has none" : did_you_mean_or_list(variable, variables)));
    }
}

void check_placeholders(const CheckedJson& json, const Step& step, const Experiment& experiment) {
    const Placeholders placeholders(experiment.settings, unfilled_folders(experiment));
    for (const Bindings& bindings : combinations(step.loops)) {
        try_placeholders(json.at("run"), [&] {
            if (placeholders.fill_arguments(step.run, bindings).empty())
                json.at("run").fail("nothing is left of the command");
        });
        for (const auto& value : step.values) {
            try_placeholders(json.at("values").at(value.first), [&] {
                placeholders.fill(value.second.file, bindings);
                if (value.second.kind == ValueSource::Kind::Pointer) placeholders.fill(value.second.what, bindings);
            });
        }
    }
}

Lookup combined(const Lookup& row, const Lookup& column) {
    Lookup result = row;
    if (row.step.empty() && row.baseline.empty()) {
        result.step = column.step;
        result.baseline = column.baseline;
    }
    if (result.value.empty()) result.value = column.value;
    result.where.insert(result.where.end(), column.where.begin(), column.where.end());
    return result;
}

void check_table(const CheckedJson& json, const TableDeclaration& table, const Experiment& experiment) {
    const Placeholders placeholders(experiment.settings, unfilled_folders(experiment));
    try_placeholders(json, [&] {
        titles(table.rows, placeholders, false);
        check_titles(json, table, placeholders);
    });
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const TableLine& row = table.rows[r];
            const TableLine& column = table.columns[c];
            if (row.published || column.published || row.ratio || column.ratio) continue;
            Bindings bound = variables_of(row);
            const Bindings more = variables_of(column);
            bound.insert(bound.end(), more.begin(), more.end());
            check_lookup(json.at("rows").elements()[r], combined(row.lookup, column.lookup), bound, experiment);
        }
    }
}

void check_series(const CheckedJson& json, const SeriesDeclaration& series, const Experiment& experiment) {
    Bindings bound = series.lookup.where;
    for (const Loop& loop : series.loops) bound.emplace_back(loop.variable, Json());
    check_lookup(json, series.lookup, bound, experiment);
    const Step& step = *(series.lookup.step.empty() ? experiment.find_baseline(series.lookup.baseline)
                                                    : experiment.find_step(series.lookup.step));
    if (series.x != "index" && !step.has_variable(series.x) && !step.has_value(series.x))
        json.at("x").fail(fmt::format("expected index, or a loop variable or a value of '{}'", step.name));
    const Placeholders placeholders(experiment.settings, unfilled_folders(experiment));
    try_placeholders(json, [&] {
        for (const Bindings& bindings : combinations(series.loops)) placeholders.fill(series.title, bindings);
    });
}

void check_figure(const CheckedJson& json, const FigureDeclaration& figure, const Experiment& experiment) {
    const Placeholders placeholders(experiment.settings, unfilled_folders(experiment));
    try_placeholders(json, [&] {
        for (const Bindings& bindings : combinations(figure.loops)) {
            placeholders.fill(figure.file, bindings);
            placeholders.fill(figure.caption, bindings);
            const std::string name = placeholders.fill(figure.as, bindings);
            if (name.find('/') != std::string::npos || name.starts_with('.'))
                json.at("as").fail("expected a plain file name");
        }
    });
}

}  // namespace neumann::app
