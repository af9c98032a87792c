#include "base/source.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace neumann {

Span cover(Span first, Span last) {
    return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

const std::vector<std::uint32_t>& SourceFile::line_starts() const {
    std::call_once(lines_found_, [this] {
        line_starts_.push_back(0);
        for (std::size_t i = 0; i < text_.size(); ++i) {
            if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
        }
    });
    return line_starts_;
}

LineColumn SourceFile::locate(std::uint32_t offset) const {
    offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
    const std::vector<std::uint32_t>& starts = line_starts();
    const auto after = std::upper_bound(starts.begin(), starts.end(), offset);
    const std::uint32_t start = *(after - 1);
    const auto is_lead_byte = [](char c) { return !continues_character(c); };
    while (offset > start && offset < text_.size() && !is_lead_byte(text_[offset])) --offset;
    const auto before = std::count_if(text_.begin() + start, text_.begin() + offset, is_lead_byte);
    return {static_cast<std::uint32_t>(after - starts.begin()), static_cast<std::uint32_t>(before) + 1};
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
    const std::vector<std::uint32_t>& starts = line_starts();
    const std::size_t begin = starts[line - 1];
    std::size_t end = line < starts.size() ? starts[line] - 1 : text_.size();
    if (end > begin && text_[end - 1] == '\r') --end;
    return std::string_view(text_).substr(begin, end - begin);
}

std::uint32_t SourceSet::add(std::string name, std::string text) {
    files_.emplace_back(std::move(name), std::move(text));
    return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view SourceSet::text(Span span) const {
    return file(span.file).text().substr(span.begin, span.end - span.begin);
}

}  // namespace neumann
