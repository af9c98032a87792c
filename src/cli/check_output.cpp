#include "cli/check_output.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace neumann {
namespace {

using ReportedJson = nlohmann::json;

constexpr std::size_t most_constants = 10;

std::string terms_of(const CheckedType& type) {
    const std::size_t shown = std::min(type.constants.size(), most_constants);
    std::vector<std::string> terms(type.constants.begin(), type.constants.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < type.constants.size()) terms.push_back(fmt::format("… ({} in all)", type.constants.size()));
    terms.insert(terms.end(), type.functors.begin(), type.functors.end());
    return terms.empty() ? "no terms" : fmt::format("{}", fmt::join(terms, ", "));
}

void add_place(ReportedJson& entry, const Problem::Place& place) {
    if (place.file.empty()) return;
    entry["file"] = place.file;
    if (place.line == 0) return;
    entry["line"] = place.line;
    entry["column"] = place.column;
    entry["end_line"] = place.end_line;
    entry["end_column"] = place.end_column;
}

ReportedJson problem_json(const Problem& problem) {
    ReportedJson entry = {{"severity", problem.severity == Problem::Severity::Error ? "error" : "warning"},
                          {"code", problem.code},
                          {"message", problem.message}};
    if (!problem.advice.empty()) entry["advice"] = problem.advice;
    add_place(entry, problem.place);
    for (const Problem::Related& related : problem.related) {
        ReportedJson note = {{"message", related.message}};
        add_place(note, related.place);
        entry["related"].push_back(std::move(note));
    }
    return entry;
}

void add_types(const ProgramCheck& check, ReportedJson& report) {
    report["predicates"] = ReportedJson::array();
    for (const CheckedPredicate& predicate : check.all_predicates)
        report["predicates"].push_back({{"predicate", predicate.text}, {"origin", predicate.origin}});
    report["types"] = ReportedJson::array();
    for (const CheckedType& type : check.all_types) {
        report["types"].push_back({{"name", type.name},
                                   {"origin", type.origin},
                                   {"open", type.open},
                                   {"constants", type.constants},
                                   {"functors", type.functors},
                                   {"places", type.places}});
    }
}

}  // namespace

std::string types_text(const ProgramCheck& check) {
    std::size_t width = 0;
    for (const CheckedPredicate& predicate : check.all_predicates) width = std::max(width, predicate.text.size());
    std::string text = "predicates\n";
    for (const CheckedPredicate& predicate : check.all_predicates)
        text += fmt::format("  {:{}}  {}\n", predicate.text, width, predicate.origin);
    width = 0;
    for (const CheckedType& type : check.all_types) width = std::max(width, type.name.size());
    text += "types\n";
    for (const CheckedType& type : check.all_types) {
        text += fmt::format("  {:{}}  {}{}: {}\n", type.name, width, type.origin,
                            type.open && type.origin == "declared" ? ", open" : "", terms_of(type));
        for (const std::string& place : type.places) text += fmt::format("  {:{}}    {}\n", "", width, place);
    }
    return text;
}

std::string check_json(const std::vector<ProgramCheck>& checks, bool types) {
    ReportedJson problems = ReportedJson::array();
    for (const ProgramCheck& check : checks)
        for (const Problem& problem : check.problems) problems.push_back(problem_json(problem));
    ReportedJson report = std::move(problems);
    if (types) {
        report = {{"diagnostics", std::move(report)}};
        for (const ProgramCheck& check : checks) {
            add_types(check, report);
            if (!check.grounding.empty()) report["grounding"] = check.grounding;
        }
    }
    return report.dump(2, ' ', false, ReportedJson::error_handler_t::replace) + "\n";
}

}  // namespace neumann
