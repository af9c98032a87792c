#include "asked_queries.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "command.h"

namespace neumann::app {

std::vector<AtomNames::QueryAtoms> asked_queries(const std::vector<std::string>& texts, const char* option,
                                                 AtomNames& names, const CompiledProgram& compiled,
                                                 const std::filesystem::path& path, const ReadingOptions& reading) {
    Diagnostics diagnostics;
    std::vector<AtomNames::QueryAtoms> queries;
    for (const std::string& text : texts) {
        std::optional<AtomNames::QueryAtoms> query = names.query(text, diagnostics, option);
        if (!query) continue;
        if (!query->answerable) {
            throw UsageError(fmt::format(
                "{} was saved for the queries {}: it does not know about {}; ask the program, or save the graph with"
                " --query \"{}\"",
                path.string(), fmt::join(compiled.queries, ", "), query->text, query->text));
        }
        queries.push_back(std::move(*query));
    }
    if (diagnostics.has_errors()) {
        reading.show(diagnostics, *compiled.program.sources);
        throw CommandFailed();
    }
    return queries;
}

}  // namespace neumann::app
