#include "experiment_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "draw/table.h"
#include "experiment_check.h"
#include "experiment_numbers.h"

namespace neumann::app {
namespace {

// One of the rows (or columns) that a declared one becomes.
struct Expanded {
    const TableLine* line = nullptr;
    Bindings bindings;
    std::string title;
    std::optional<std::size_t> full_index;  // its number without --quick, if it is there
};

std::vector<Expanded> expand(const std::vector<TableLine>& lines, const Placeholders& placeholders) {
    std::vector<Expanded> result;
    std::size_t before = 0;
    for (const TableLine& line : lines) {
        const std::vector<Bindings> full = combinations(line.loops, true);
        for (Bindings& bindings : combinations(line.loops)) {
            Expanded one{&line, bindings, placeholders.fill(line.title, bindings), std::nullopt};
            const auto found = std::ranges::find(full, bindings);
            if (found != full.end()) one.full_index = before + static_cast<std::size_t>(found - full.begin());
            result.push_back(std::move(one));
        }
        before += full.size();
    }
    return result;
}

TableCell published_cell(const TableLine& line, std::optional<std::size_t> index) {
    if (!index) return {"–", std::nullopt};
    const Json& value = line.published->at(*index);
    if (value.is_null()) return {"–", std::nullopt};
    if (value.is_string()) return {value.get<std::string>(), std::nullopt};
    return {published_number(value.get<double>()), value.get<double>()};
}

std::string failure_text(const StepRecord& record) {
    if (record.timed_out) return fmt::format("> {}", format_duration(record.seconds));
    return fmt::format("failed ({})", record.exit_code);
}

class TableFinisher {
public:
    TableFinisher(const TableDeclaration& table, const Experiment& experiment, const ExperimentResults& results,
                  const Placeholders& placeholders)
        : table_(table), experiment_(experiment), results_(results), rows_(expand(table.rows, placeholders)),
          columns_(expand(table.columns, placeholders)) {}

    FinishedTable finish() {
        out_.title = table_.title;
        out_.corner = table_.corner;
        out_.note = table_.note;
        for (const Expanded& column : columns_) out_.columns.push_back(column.title);
        for (const Expanded& row : rows_) {
            out_.rows.push_back(row.title);
            std::vector<TableCell>& cells = out_.cells.emplace_back();
            for (const Expanded& column : columns_) cells.push_back(cell(row, column));
        }
        fill_ratios();
        for (const Claim& claim : table_.claims) {
            const bool there = index_of(claim.of_row ? rows_ : columns_, claim.title).has_value();
            if (there && (claim.quick || !experiment_.quick)) out_.claims.push_back(check(claim));
        }
        return std::move(out_);
    }

private:
    static std::optional<std::size_t> index_of(const std::vector<Expanded>& lines, const std::string& title) {
        const auto found = std::ranges::find(lines, title, &Expanded::title);
        if (found == lines.end()) return std::nullopt;
        return static_cast<std::size_t>(found - lines.begin());
    }

    TableCell cell(const Expanded& row, const Expanded& column) const {
        if (row.line->published) return published_cell(*row.line, column.full_index);
        if (column.line->published) return published_cell(*column.line, row.full_index);
        if (row.line->ratio || column.line->ratio) return {};
        Bindings bound = row.bindings;
        bound.insert(bound.end(), column.bindings.begin(), column.bindings.end());
        const Lookup lookup = combined(row.line->lookup, column.line->lookup);
        const std::string& format = row.line->format.empty() ? column.line->format : row.line->format;
        const std::string& failed = row.line->failed.empty() ? column.line->failed : row.line->failed;
        return measured_cell(results_.matching(lookup, bound), lookup.value, format, failed);
    }

    static TableCell measured_cell(const std::vector<const StepRecord*>& records, const std::string& value,
                                   const std::string& format, const std::string& failed) {
        if (records.empty()) return {"not run", std::nullopt};
        std::vector<double> numbers;
        std::vector<std::string> texts;
        const StepRecord* failure = nullptr;
        std::size_t failures = 0;
        for (const StepRecord* record : records) {
            const Json found = record->values.value(value, Json());
            if (found.is_number()) {
                numbers.push_back(shown_units(found.get<double>(), format));
            } else if (!found.is_null()) {
                const std::string text = plain_text(found);
                if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
            } else if (record->failed()) {
                failure = record;
                ++failures;
            }
        }
        if (!numbers.empty()) {
            const std::string unit = format == "seconds" ? " s" : "";
            const std::string text = format_spread(numbers, format) + unit;
            if (failures == 0) return {text, spread(numbers).mean};
            return {fmt::format("{} ({} of {} failed)", text, failures, records.size()), std::nullopt};
        }
        if (!texts.empty()) return {fmt::format("{}", fmt::join(texts, "; ")), std::nullopt};
        if (failure != nullptr) return {failed.empty() ? failure_text(*failure) : failed, std::nullopt};
        return {"–", std::nullopt};
    }

    void fill_ratios() {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                const bool of_rows = rows_[r].line->ratio.has_value();
                const auto& ratio = of_rows ? rows_[r].line->ratio : columns_[c].line->ratio;
                if (!ratio || (!of_rows && rows_[r].line->published)) continue;
                const auto number = [&](const std::string& title) -> std::optional<double> {
                    const auto index = index_of(of_rows ? rows_ : columns_, title);
                    if (!index) return std::nullopt;
                    return of_rows ? out_.cells[*index][c].number : out_.cells[r][*index].number;
                };
                const std::optional<double> above = number(ratio->first);
                const std::optional<double> below = number(ratio->second);
                TableCell& cell = out_.cells[r][c];
                cell = {"–", std::nullopt};
                if (!above || !below || *below == 0) continue;
                cell = {format_number(*above / *below, "seconds") + "×", *above / *below};
            }
        }
    }

    CheckedClaim check(const Claim& claim) const {
        const std::vector<Expanded>& lines = claim.of_row ? rows_ : columns_;
        const std::vector<Expanded>& across = claim.of_row ? columns_ : rows_;
        const std::size_t index = *index_of(lines, claim.title);
        const auto at = [&](std::size_t line, std::size_t k) -> const TableCell& {
            return claim.of_row ? out_.cells[line][k] : out_.cells[k][line];
        };
        const char* words = claim.bound == Claim::Bound::AtLeast  ? "at least"
                            : claim.bound == Claim::Bound::AtMost ? "at most"
                                                                  : "exactly";
        CheckedClaim result;
        result.why = claim.why;
        std::vector<std::string> limits;
        std::size_t checked = 0;
        if (claim.limits.size() == 1) limits.push_back(published_number(claim.limits.front().get<double>()));
        for (std::size_t k = 0; k < across.size(); ++k) {
            const bool one = claim.limits.size() == 1;
            const std::optional<std::size_t> place = one ? 0 : across[k].full_index;
            const Json limit = place ? claim.limits[*place] : Json();
            if (limit.is_null()) continue;
            ++checked;
            if (!one) limits.push_back(fmt::format("{} ({})", published_number(limit.get<double>()), across[k].title));
            double bound = limit.get<double>();
            if (!claim.times.empty()) {
                const std::optional<std::size_t> other = index_of(lines, claim.times);
                const std::optional<double> factor = other ? at(*other, k).number : std::nullopt;
                if (!factor) {
                    add_problem(result, across[k].title, fmt::format("'{}' has no number", claim.times));
                    continue;
                }
                bound *= *factor;
            }
            const TableCell& cell = at(index, k);
            if (!cell.number) {
                add_problem(result, across[k].title, cell.text);
                continue;
            }
            const double slack = 1e-9 * std::abs(bound);  // the last digits of means are noise
            const bool low = *cell.number < bound - slack && claim.bound != Claim::Bound::AtMost;
            const bool high = *cell.number > bound + slack && claim.bound != Claim::Bound::AtLeast;
            if (low || high) add_problem(result, across[k].title, cell.text);
        }
        result.text = fmt::format("{}: {} {}{}", claim.title, words, fmt::join(limits, ", "),
                                  claim.times.empty() ? "" : fmt::format(" times '{}'", claim.times));
        if (checked == 0) result.problem = "nothing to check";
        result.holds = result.problem.empty();
        return result;
    }

    static void add_problem(CheckedClaim& claim, const std::string& where, const std::string& what) {
        claim.problem += fmt::format("{}{}: {}", claim.problem.empty() ? "" : "; ", where, what);
    }

    const TableDeclaration& table_;
    const Experiment& experiment_;
    const ExperimentResults& results_;
    std::vector<Expanded> rows_, columns_;
    FinishedTable out_;
};

}  // namespace

FinishedTable finish_table(const TableDeclaration& table, const Experiment& experiment,
                           const ExperimentResults& results, const Placeholders& placeholders) {
    return TableFinisher(table, experiment, results, placeholders).finish();
}

std::string markdown_cell(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') {
            out += "\\|";
        } else if (c == '\n') {
            out += "<br>";
        } else {
            out += c;
        }
    }
    return out;
}

std::string markdown(const FinishedTable& table) {
    std::string out = fmt::format("| {} |", markdown_cell(table.corner));
    for (const std::string& title : table.columns) out += fmt::format(" {} |", markdown_cell(title));
    out += "\n|---|";
    for (std::size_t c = 0; c < table.columns.size(); ++c) out += "---:|";
    out += '\n';
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out += fmt::format("| {} |", markdown_cell(table.rows[r]));
        for (const TableCell& cell : table.cells[r]) out += fmt::format(" {} |", markdown_cell(cell.text));
        out += '\n';
    }
    return out;
}

}  // namespace neumann::app
