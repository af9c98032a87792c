#include "compile/problems.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <neumann/check.h>

#include "base/suggest.h"

namespace neumann {
namespace {

Problem::Place place_of(Span span, const SourceSet& sources) {
    Problem::Place place;
    if (span.is_none()) return place;
    const SourceFile& file = sources.file(span.file);
    place.file = file.name();
    if (span.begin == span.end) return place;
    const LineColumn first = file.locate(span.begin);
    const LineColumn last = file.locate(span.end - 1);
    return {file.name(), first.line, first.column, last.line, last.column};
}

}  // namespace

std::vector<Problem> problems_of(const Diagnostics& diagnostics, const SourceSet& sources) {
    std::vector<Problem> problems;
    for (const Diagnostic& one : diagnostics.sorted()) {
        Problem problem{one.code.severity == Severity::Error ? Problem::Severity::Error : Problem::Severity::Warning,
                        std::string(one.code.name),
                        one.message,
                        one.advice,
                        place_of(one.span, sources),
                        {}};
        for (const Diagnostic::Related& related : one.related)
            problem.related.push_back({related.message, place_of(related.span, sources)});
        problems.push_back(std::move(problem));
    }
    return problems;
}

std::string rendered(const Diagnostics& diagnostics, const SourceSet& sources, const ModelOptions& options) {
    return render(diagnostics, sources, {.max_errors = options.max_errors, .color = options.colours});
}

std::vector<std::string> warning_codes() {
    std::vector<std::string> names;
    for (const Code& code : codes::warnings) names.emplace_back(code.name);
    return names;
}

Diagnostics make_diagnostics(const ModelOptions& options) {
    Diagnostics diagnostics;
    std::vector<std::string> known = warning_codes();
    known.emplace_back("all");
    for (const std::string& name : options.no_warnings) {
        if (std::ranges::find(known, name) == known.end())
            throw std::invalid_argument(
                fmt::format("there is no warning called '{}'; {}", name, did_you_mean_or_list(name, known)));
        diagnostics.switch_off(name);
    }
    return diagnostics;
}

std::string without_last_break(std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

Error error_of(const Diagnostics& diagnostics, const SourceSet& sources, const ModelOptions& options) {
    return {without_last_break(rendered(diagnostics, sources, options)), problems_of(diagnostics, sources)};
}

LoadOptions load_options(const ModelOptions& options) {
    LoadOptions load;
    load.clauses_file = options.clauses_file;
    load.modes_file = options.modes_file;
    load.term_depth = options.term_depth;
    load.allow_repeats = options.allow_repeats;
    load.distinct = options.distinct;
    load.facts = options.tables;
    return load;
}

}  // namespace neumann
