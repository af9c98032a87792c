// Source texts and places in them. A SourceSet owns the texts of one program; a Span points into it by number, so that
// every syntax node, clause and diagnostic can carry its place as a plain value.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

// A half-open range of bytes of one file. A default span points nowhere (a diagnostic about a whole program).
struct Span {
    static constexpr std::uint32_t no_file = 0xffffffffU;
    std::uint32_t file = no_file;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool is_none() const { return file == no_file; }
    friend auto operator<=>(const Span&, const Span&) = default;
};

// The smallest span that covers both; they must lie in the same file.
Span cover(Span first, Span last);

// 1-based; columns count characters (UTF-8 code points), not bytes.
struct LineColumn {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

class SourceFile {
public:
    SourceFile(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    LineColumn locate(std::uint32_t offset) const;
    std::string_view line_text(std::uint32_t line) const;  // 1-based, without its line break

private:
    // Found when the first place is asked for: of a table of millions of facts most are never asked about.
    const std::vector<std::uint32_t>& line_starts() const;

    std::string name_;
    std::string text_;
    mutable std::once_flag lines_found_;
    mutable std::vector<std::uint32_t> line_starts_;
};

class SourceSet {
public:
    std::uint32_t add(std::string name, std::string text);
    const SourceFile& file(std::uint32_t index) const { return files_[index]; }
    std::size_t size() const { return files_.size(); }

    Span whole_file(std::uint32_t file) const { return {file, 0, 0}; }
    std::string_view text(Span span) const;
    std::uint32_t line(Span span) const { return file(span.file).locate(span.begin).line; }

private:
    std::deque<SourceFile> files_;  // a deque: views into the texts stay valid
};

}  // namespace neumann
