// Lexer: splits a text into tokens, one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/source.h"

namespace neumann::syntax {

enum class TokenKind {
    Name,  // lower-case word, quoted name or string
    Variable,
    Number,  // `text` is the canonical numeral
    Weight,  // a decimal number in front of '::'
    Open,
    Close,
    OpenList,
    CloseList,
    Bar,
    Comma,
    End,
    If,
    Semicolon,
    Not,
    Compare,  // = \= < and so on
    Range,    // ..
    Slash,
    DoubleSlash,
    Plus,
    Minus,
    Hash,
    Star,
    Refused,  // something Prolog has and this language does not; `text` is its spelling
    Bad,      // already reported
    EndOfFile,
};

struct Token {
    TokenKind kind = TokenKind::EndOfFile;
    Span span;
    std::string_view text;  // of a name: without quotes and escapes
    bool quoted = false;
    double number = 0;  // of a weight
    bool starts_line = false;
};

// The differences between the single-file language and the clause files of a folder.
struct Dialect {
    bool hash_comments = false;  // # starts a comment
    bool starred_names = false;  // runs of * are names
    bool empty_bodies = false;   // head:-.
    bool colons = false;         // ':' is a token, of kind Refused
    bool prolog = false;         // all operators of Prolog, as refused tokens; 0x10, 0o7 and 0b1 are numbers
};

// Owns the texts of quoted names with escapes and of numbers, which do not occur literally in the source. Code that
// keeps tokens or nodes longer than their lexer must keep this too.
using TextStore = std::shared_ptr<std::deque<std::string>>;

class Lexer {
public:
    Lexer(const SourceSet& sources, std::uint32_t file, Dialect dialect, Diagnostics& diagnostics);

    Token next();
    TextStore texts() const { return texts_; }

private:
    char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
    Span span_from(std::size_t begin) const;
    Token make(TokenKind kind, std::size_t begin) const;
    void skip_blanks();
    Token scan();
    Token word(std::size_t begin);
    Token quoted_name(std::size_t begin);
    Token number_or_word(std::size_t begin);
    Token number(std::size_t begin, std::size_t end);
    Token number_of_base(std::size_t begin, int base);
    bool scan_operator(std::string_view spelling);
    bool escape(std::string& value);
    Token symbol(std::size_t begin);

    std::string_view text_;
    std::uint32_t file_;
    Dialect dialect_;
    Diagnostics& diagnostics_;
    std::size_t position_ = 0;
    TextStore texts_ = std::make_shared<std::deque<std::string>>();
};

}  // namespace neumann::syntax
