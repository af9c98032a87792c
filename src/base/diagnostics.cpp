#include "base/diagnostics.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/excerpt.h"
#include "base/utf8.h"

namespace neumann {
namespace {

constexpr std::size_t widest_excerpt = 120;  // bytes of a source line that are shown

const char* severity_name(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Note:
        return "note";
    }
    return "";
}

// The start of the character that the byte belongs to.
std::size_t character_start(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && continues_character(text[at])) --at;
    return at;
}

// Splits UTF-8 text into characters. Control characters other than a tab become '?' and broken ones '�', so that
// nothing a file contains can drive the terminal.
std::vector<std::string> characters(std::string_view text) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t length = 1;
        while (i + length < text.size() && continues_character(text[i + length])) ++length;
        const auto first = static_cast<unsigned char>(text[i]);
        const bool control = (first < 0x20 && first != '\t') || first == 0x7F ||
                             (first == 0xC2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xA0);
        const std::size_t expected = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
        result.push_back(length != expected ? "�" : control ? "?" : std::string(text.substr(i, length)));
        i += length;
    }
    return result;
}

// Messages quote the contents of files, which may hold control characters.
std::string harmless(const std::string& text) {
    std::string out;
    for (const std::string& character : characters(shortened(text))) out += character;
    return out;
}

class Renderer {
public:
    Renderer(const SourceSet& sources, const RenderOptions& options) : sources_(sources), options_(options) {}

    void add(Severity severity, Span span, const std::string& message, std::string_view code) {
        const std::string place = describe_place(sources_, span);
        if (!place.empty()) out_ += place + ": ";
        out_ += paint(severity, fmt::format("{}:", severity_name(severity))) + " " + harmless(message);
        if (!code.empty()) out_ += fmt::format(" [{}]", code);
        out_ += '\n';
        margin_ = excerpt(span);
    }
    void advice(const std::string& text) { out_ += fmt::format("{:>{}} = {}\n", "", margin_, harmless(text)); }
    void line(const std::string& text) { out_ += text + '\n'; }
    std::string take() { return std::move(out_); }

private:
    std::string paint(Severity severity, const std::string& text) const {
        if (!options_.color) return text;
        const char* color = severity == Severity::Error ? "31" : severity == Severity::Warning ? "35" : "36";
        return fmt::format("\033[1;{}m{}\033[0m", color, text);
    }

    // Shows the first line of the span with carets under it; returns the width of the line number's column.
    std::size_t excerpt(Span span) {
        if (span.is_none() || span.begin == span.end) return 3;
        const SourceFile& file = sources_.file(span.file);
        const std::uint32_t line_number = file.locate(span.begin).line;
        const std::string_view line = file.line_text(line_number);
        // Only the neighbourhood of the span is read: the line may be gigabytes long.
        const auto begin = static_cast<std::size_t>(file.text().data() + span.begin - line.data());
        const std::size_t end = std::min(begin + (span.end - span.begin), line.size());
        const bool too_wide = line.size() > widest_excerpt;
        const std::size_t first =
            character_start(line, too_wide && begin > widest_excerpt / 2 ? begin - widest_excerpt / 2 : 0);
        const std::size_t last = character_start(line, std::min(line.size(), first + widest_excerpt));
        const std::vector<std::string> before = characters(line.substr(first, std::min(begin, line.size()) - first));
        const std::vector<std::string> marked =
            characters(line.substr(std::min(begin, line.size()), std::min(end, last) - std::min(begin, last)));
        const std::string_view after = line.substr(std::min(end, last), last - std::min(end, last));

        const std::string number = fmt::format("{:>3}", line_number);
        out_ += fmt::format("{} | {}", number, first > 0 ? "…" : "");
        for (const auto* part : {&before, &marked}) {
            for (const std::string& character : *part) out_ += character;
        }
        for (const std::string& character : characters(after)) out_ += character;
        out_ += fmt::format("{}\n{:>{}} | {}", last < line.size() ? "…" : "", "", number.size(), first > 0 ? " " : "");
        for (const std::string& character : before) out_ += character == "\t" ? "\t" : " ";
        out_ += std::string(std::max<std::size_t>(marked.size(), 1), '^') + '\n';
        return number.size();
    }

    const SourceSet& sources_;
    const RenderOptions& options_;
    std::string out_;
    std::size_t margin_ = 3;
};

}  // namespace

void Diagnostics::report(Code code, Span span, std::string message, std::string advice,
                         std::vector<Diagnostic::Related> related) {
    if (code.severity == Severity::Warning && (switched_off_.contains(code.name) || switched_off_.contains("all"))) {
        return;
    }
    has_errors_ = has_errors_ || code.severity == Severity::Error;
    told_.emplace(code.name, message);
    all_.push_back({code, span, std::move(message), std::move(advice), std::move(related)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
    std::vector<Diagnostic> result = all_;
    const auto key = [](const Diagnostic& d) { return std::tie(d.span.file, d.span.begin, d.span.end); };
    std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto same = [&](const Diagnostic& a, const Diagnostic& b) {
        return key(a) == key(b) && a.code.name == b.code.name && a.message == b.message;
    };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return result;
}

std::string describe_place(const SourceSet& sources, Span span) {
    if (span.is_none()) return {};
    const SourceFile& file = sources.file(span.file);
    if (span.begin == span.end) return file.name();
    const LineColumn first = file.locate(span.begin);
    const LineColumn last = file.locate(span.end - 1);
    if (last.line != first.line) {
        return fmt::format("{}:{}:{}-{}:{}", file.name(), first.line, first.column, last.line, last.column);
    }
    if (last.column == first.column) return fmt::format("{}:{}:{}", file.name(), first.line, first.column);
    return fmt::format("{}:{}:{}-{}", file.name(), first.line, first.column, last.column);
}

std::string render(const Diagnostics& diagnostics, const SourceSet& sources, const RenderOptions& options) {
    Renderer renderer(sources, options);
    std::size_t shown = 0;
    std::size_t hidden = 0;
    for (const Diagnostic& diagnostic : diagnostics.sorted()) {
        const bool error = diagnostic.code.severity == Severity::Error;
        if (error && options.max_errors != 0 && shown >= options.max_errors) {
            ++hidden;
            continue;
        }
        shown += error ? 1 : 0;
        renderer.add(diagnostic.code.severity, diagnostic.span, diagnostic.message, diagnostic.code.name);
        if (!diagnostic.advice.empty()) renderer.advice(diagnostic.advice);
        for (const auto& related : diagnostic.related) {
            renderer.add(Severity::Note, related.span, related.message, {});
        }
    }
    if (hidden > 0) {
        renderer.line(fmt::format("… and {} more error{} (--max-errors 0 shows all)", hidden, hidden == 1 ? "" : "s"));
    }
    return renderer.take();
}

}  // namespace neumann
