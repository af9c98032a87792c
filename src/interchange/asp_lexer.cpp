#include "interchange/asp_lexer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/utf8.h"

namespace neumann::interchange {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool continues_word(char c) { return is_digit(c) || is_lower(c) || is_upper(c) || c == '_' || c == '\''; }

// Longer spellings first.
constexpr std::array<std::string_view, 33> symbols = {":-", ":~", "..", "!=", "<=", ">=", "==", "**", "(", ")", "{",
                                                      "}",  "[",  "]",  ",",  ";",  ":",  ".",  "=",  "<", ">", "+",
                                                      "-",  "*",  "/",  "\\", "|",  "@",  "&",  "^",  "?", "~", "$"};

}  // namespace

AspLexer::AspLexer(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics)
    : text_(sources.file(file).text()), file_(file), diagnostics_(diagnostics) {}

Span AspLexer::span_from(std::size_t begin) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(position_)};
}

AspToken AspLexer::make(AspTokenKind kind, std::size_t begin) const {
    return {kind, span_from(begin), std::string(text_.substr(begin, position_ - begin))};
}

// %* *% spans lines, and nests.
void AspLexer::skip_blanks() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++position_;
        } else if (c == '%' && at(position_ + 1) == '*') {
            const std::size_t begin = position_;
            std::size_t open = 0;
            do {
                const std::string_view two = text_.substr(position_, 2);
                if (two == "%*") ++open;
                if (two == "*%") --open;
                position_ += two == "%*" || two == "*%" ? 2 : 1;
            } while (open > 0 && position_ < text_.size());
            if (open > 0) {
                diagnostics_.report(codes::unclosed,
                                    {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)},
                                    "this comment is never closed", "end it with *%");
            }
        } else if (c == '%') {
            position_ = std::min(text_.find('\n', position_), text_.size());
        } else {
            return;
        }
    }
}

AspToken AspLexer::next() {
    skip_blanks();
    const std::size_t begin = position_;
    if (begin >= text_.size()) return make(AspTokenKind::EndOfFile, begin);
    const char c = text_[begin];
    if (is_digit(c)) return number(begin);
    if (continues_word(c)) return word(begin);
    if (c == '"') return string(begin);
    if (c == '#' && is_lower(at(begin + 1))) {
        ++position_;
        while (is_lower(at(position_))) ++position_;
        if (text_.substr(begin, position_ - begin) == "#sum" && at(position_) == '+') ++position_;
        return make(AspTokenKind::Command, begin);
    }
    return symbol(begin);
}

// An identifier or a variable, by the first letter behind underscores and primes.
AspToken AspLexer::word(std::size_t begin) {
    while (continues_word(at(position_))) ++position_;
    const std::string_view word = text_.substr(begin, position_ - begin);
    const std::size_t letter = word.find_first_not_of("_'");
    const bool variable = word == "_" || (letter != std::string_view::npos && is_upper(word[letter]));
    if (!variable && (letter == std::string_view::npos || !is_lower(word[letter]))) {
        diagnostics_.report(codes::syntax, span_from(begin), fmt::format("'{}' is neither a name nor a variable", word),
                            "a name begins with a lower-case letter, a variable with an upper-case one");
        return make(AspTokenKind::Bad, begin);
    }
    return make(variable ? AspTokenKind::Variable : AspTokenKind::Identifier, begin);
}

AspToken AspLexer::number(std::size_t begin) {
    while (continues_word(at(position_))) ++position_;
    AspToken token = make(AspTokenKind::Number, begin);
    constexpr std::size_t most_digits = 10;
    constexpr long long largest = 2147483647;
    const bool decimal = token.text.find_first_not_of("0123456789") == std::string::npos;
    if (!decimal || token.text.size() > most_digits || std::stoll(token.text) > largest) {
        diagnostics_.report(codes::bad_number, token.span,
                            decimal ? "an integer of more than 32 bits" : "expected a decimal number",
                            decimal ? "clingo's numbers go up to 2147483647" : "");
        token.kind = AspTokenKind::Bad;
    }
    return token;
}

AspToken AspLexer::string(std::size_t begin) {
    std::string value;
    for (++position_; at(position_) != '"'; ++position_) {
        const char c = at(position_);
        const char escaped = at(position_ + 1);
        if (position_ >= text_.size() || c == '\n') {
            diagnostics_.report(codes::unclosed,
                                {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
                                "this string is never closed", "a string ends with \" on the same line");
            return make(AspTokenKind::Bad, begin);
        }
        if (c == '\\' && (escaped == 'n' || escaped == '\\' || escaped == '"')) {
            value += escaped == 'n' ? '\n' : escaped;
            ++position_;
        } else {
            value += c;
        }
    }
    ++position_;
    return {AspTokenKind::String, span_from(begin), std::move(value)};
}

AspToken AspLexer::symbol(std::size_t begin) {
    for (const std::string_view spelling : symbols) {
        if (!text_.substr(begin).starts_with(spelling)) continue;
        position_ += spelling.size();
        return make(AspTokenKind::Symbol, begin);
    }
    do {
        ++position_;
    } while (position_ - begin < 4 && continues_character(at(position_)));  // the whole character
    const AspToken token = make(AspTokenKind::Bad, begin);
    diagnostics_.report(codes::syntax, token.span, fmt::format("unexpected character '{}'", token.text));
    return token;
}

}  // namespace neumann::interchange
