#include "learn/readers/task_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text_file.h"
#include "resolution/rule_reader.h"

namespace neumann::search {

std::uint32_t TaskFiles::load(const std::filesystem::path& path) {
    Diagnostics diagnostics;
    const auto file = load_text(path, sources_, diagnostics);
    if (!file) throw TaskError(rendered(diagnostics));
    return *file;
}

std::string TaskFiles::rendered(const Diagnostics& diagnostics) const {
    std::string text = render(diagnostics, sources_);
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

void TaskFiles::read_into(resolution::Rules& rules, const std::string& name, std::string text, bool strict) {
    Diagnostics diagnostics;
    const std::uint32_t file = sources_.add(name, std::move(text));
    resolution::read_rules(sources_, file, rules, diagnostics);
    if (strict && diagnostics.has_errors()) throw TaskError(rendered(diagnostics));
    for (const Diagnostic& one : diagnostics.sorted())
        note(fmt::format("{}: left out '{}': {}", std::filesystem::path(name).filename().string(),
                         one.span.is_none() ? "" : sources_.file(file).line_text(sources_.line(one.span)),
                         one.message));
}

void TaskFiles::fail(const Span& span, const std::string& message, const std::string& advice) const {
    Diagnostics diagnostics;
    diagnostics.report(codes::syntax, span, message, advice);
    throw TaskError(rendered(diagnostics));
}

std::string TaskFiles::all_texts() const {
    std::string all;
    for (std::uint32_t file = 0; file < sources_.size(); ++file) all += sources_.file(file).text();
    return all;
}

void TaskFiles::note(std::string text) {
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
}

}  // namespace neumann::search
