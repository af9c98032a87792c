#include "learn/readers/task_files.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/text_file.h"
#include "base/utf8.h"
#include "logic/print.h"
#include "resolution/rule_reader.h"

namespace neumann::search {

void quote(Predicate& predicate) {
    const std::string quoted = quote_name(predicate.name);
    if (quoted == predicate.name) return;
    predicate.pattern.assign(predicate.types.size() + 1, ",");
    predicate.pattern.front() = quoted + (predicate.types.empty() ? "" : "(");
    if (!predicate.types.empty()) predicate.pattern.back() = ")";
}

bool TaskFiles::has(const std::filesystem::path& path) const {
    std::error_code ignored;
    return texts_.contains(path) || std::filesystem::is_regular_file(path, ignored);
}

std::uint32_t TaskFiles::load(const std::filesystem::path& path) {
    if (const auto found = texts_.find(path); found != texts_.end()) return sources_.add(path.string(), found->second);
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
    // What Prolog has and this reader has not may be left out; a text that no Prolog reads is a mistake.
    const bool mistaken = std::ranges::any_of(diagnostics.sorted(), [](const Diagnostic& one) {
        return one.code.name == codes::syntax.name || one.code.name == codes::unclosed.name;
    });
    if ((strict && diagnostics.has_errors()) || mistaken) throw TaskError(rendered(diagnostics));
    for (const Diagnostic& one : diagnostics.sorted()) {
        std::size_t longest = 120;
        const std::uint32_t line = one.span.is_none() ? 1 : sources_.line(one.span);
        const std::string_view text = sources_.file(file).line_text(line);
        while (longest < text.size() && continues_character(text[longest])) --longest;
        note(fmt::format("{}:{}: left out '{}{}': {}", std::filesystem::path(name).filename().string(), line,
                         text.substr(0, longest), text.size() > longest ? "…" : "", one.message));
    }
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

std::string TaskFiles::notes_text(const std::filesystem::path& about) const {
    std::string text;
    for (const std::string& note : notes_) {
        if (note.starts_with(about.filename().string() + ":")) text += "\n    = " + note;
    }
    return text;
}

void TaskFiles::note(std::string text) {
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
}

}  // namespace neumann::search
