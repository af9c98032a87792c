// Lexer for answer set programs: splits a text into tokens, one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/source.h"

namespace neumann::interchange {

enum class AspTokenKind : std::uint8_t {
    Identifier,
    Variable,  // _ too
    Number,
    String,   // `text` is the content, without quotes and escapes
    Command,  // #show, #count
    Symbol,   // punctuation, operators; `text` is their spelling
    Bad,      // already reported
    EndOfFile,
};

struct AspToken {
    AspTokenKind kind = AspTokenKind::EndOfFile;
    Span span;
    std::string text;
};

class AspLexer {
public:
    AspLexer(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics);

    AspToken next();

private:
    char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
    Span span_from(std::size_t begin) const;
    AspToken make(AspTokenKind kind, std::size_t begin) const;
    void skip_blanks();
    AspToken word(std::size_t begin);
    AspToken number(std::size_t begin);
    AspToken string(std::size_t begin);
    AspToken symbol(std::size_t begin);

    std::string_view text_;
    std::uint32_t file_;
    Diagnostics& diagnostics_;
    std::size_t position_ = 0;
};

}  // namespace neumann::interchange
