#include "session/asked_queries.h"

#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/problems.h"

namespace neumann {

std::vector<AtomNames::QueryAtoms> asked_queries(const std::vector<std::string>& texts, const char* option,
                                                 Model::State& model) {
    Diagnostics diagnostics;
    std::vector<AtomNames::QueryAtoms> queries;
    for (const std::string& text : texts) {
        std::optional<AtomNames::QueryAtoms> query = model.names.query(text, diagnostics, option);
        if (!query) continue;
        if (!query->answerable)
            throw Error(fmt::format(
                "error: {} was saved for the queries {}: it does not know about {}; ask the program, or save the graph"
                " with --query \"{}\"",
                model.file, fmt::join(model.compiled().queries, ", "), query->text, query->text));
        queries.push_back(std::move(*query));
    }
    if (diagnostics.has_errors()) throw error_of(diagnostics, *model.compiled().program.sources, model.shown);
    return queries;
}

std::vector<AtomNames::QueryAtoms> own_queries(Model::State& model, const char* option) {
    if (std::optional<std::vector<AtomNames::QueryAtoms>> own = model.names.own_queries()) return std::move(*own);
    return asked_queries(model.compiled().queries, option, model);
}

ExampleBinder shared_binder(Model::State& model) {
    return {[&model](std::string_view text) {
                const std::scoped_lock lock(model.mutex);
                return model.names.look_up(text);
            },
            [&model](PredicateId predicate) {
                const std::scoped_lock lock(model.mutex);
                return model.names.indicator(predicate);
            }};
}

}  // namespace neumann
