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

void TaskFiles::read_into(resolution::Rules& rules, const std::string& name, std::string text) {
    Diagnostics diagnostics;
    const std::uint32_t file = sources_.add(name, std::move(text));
    resolution::read_rules(sources_, file, rules, diagnostics, resolution::RuleLanguage::Prolog);
    if (diagnostics.has_errors()) throw TaskError(rendered(diagnostics));
}

BiasRules TaskFiles::read_bias(std::uint32_t file, bool only_note) {
    Diagnostics diagnostics;
    BiasRules read = read_bias_rules(sources_, file, diagnostics);
    if (diagnostics.has_errors() && !only_note) throw TaskError(rendered(diagnostics));
    for (const Diagnostic& one : diagnostics.sorted())
        note(fmt::format("{}:{}: left out: {}", std::filesystem::path(sources_.file(file).name()).filename().string(),
                         sources_.line(one.span), one.message));
    return read;
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

void check_background(const Background& background, const std::vector<resolution::Indicator>& used,
                      const TaskFiles& files) {
    const auto undefined = background.undefined_below(used);
    if (!undefined) return;
    const auto& [rule, goal] = *undefined;
    const resolution::Rules& rules = background.rules;
    const resolution::Indicator indicator = rules.indicator(goal);
    Span place = rule->span;
    for (const resolution::WrittenName& name : rules.names) {
        if (name.name == indicator.first && name.arity == indicator.second && name.span.file == place.file &&
            name.span.begin >= rule->span.begin && name.span.end <= rule->span.end)
            place = name.span;
    }
    files.fail(
        place, fmt::format("unknown predicate '{}/{}'", indicator.first, indicator.second),
        fmt::format("give it clauses here, or declare it: ':- dynamic {}/{}.'", indicator.first, indicator.second));
}

}  // namespace neumann::search
