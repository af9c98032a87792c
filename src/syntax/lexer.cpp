#include "syntax/lexer.h"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"

namespace neumann::syntax {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word(char c) { return is_digit(c) || is_lower(c) || is_upper(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Of one UTF-8 sequence of at most four bytes.
std::uint32_t code_point(std::string_view character) {
    const auto lead = static_cast<unsigned char>(character[0]);
    std::uint32_t value = character.size() == 1 ? lead : lead & (0xFFU >> (character.size() + 1));
    for (char c : character.substr(1)) value = (value << 6) | (static_cast<unsigned char>(c) & 0x3FU);
    return value;
}

struct Spelling {
    std::string_view text;
    TokenKind kind;
};
// Longer spellings first.
constexpr std::array<Spelling, 35> spellings = {{
    {"=:=", TokenKind::Refused}, {"=\\=", TokenKind::Refused}, {"\\==", TokenKind::Refused},
    {"-->", TokenKind::Refused}, {"=..", TokenKind::Refused},  {":-", TokenKind::If},
    {"!=", TokenKind::Refused},  {"..", TokenKind::Refused},   {"\\=", TokenKind::NotEqual},
    {"\\+", TokenKind::Refused}, {"->", TokenKind::Refused},   {"==", TokenKind::Refused},
    {"=<", TokenKind::Refused},  {">=", TokenKind::Refused},   {"::", TokenKind::Refused},
    {"?-", TokenKind::Refused},  {"(", TokenKind::Open},       {")", TokenKind::Close},
    {"[", TokenKind::OpenList},  {"]", TokenKind::CloseList},  {"|", TokenKind::Bar},
    {",", TokenKind::Comma},     {".", TokenKind::End},        {"=", TokenKind::Equal},
    {"/", TokenKind::Slash},     {"+", TokenKind::Plus},       {"-", TokenKind::Minus},
    {"#", TokenKind::Hash},      {"*", TokenKind::Star},       {";", TokenKind::Refused},
    {"!", TokenKind::Refused},   {"<", TokenKind::Refused},    {">", TokenKind::Refused},
    {"{", TokenKind::Refused},   {"}", TokenKind::Refused},
}};

}  // namespace

Lexer::Lexer(const SourceSet& sources, std::uint32_t file, Dialect dialect, Diagnostics& diagnostics)
    : text_(sources.file(file).text()), file_(file), dialect_(dialect), diagnostics_(diagnostics) {}

Span Lexer::span_from(std::size_t begin) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(position_)};
}

Token Lexer::make(TokenKind kind, std::size_t begin) const {
    return {kind, span_from(begin), text_.substr(begin, position_ - begin)};
}

void Lexer::skip_blanks() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (is_blank(c)) {
            ++position_;
        } else if (c == '%' || (c == '#' && dialect_.hash_comments)) {
            const std::size_t end = text_.find('\n', position_);
            position_ = end == std::string_view::npos ? text_.size() : end;
        } else if (c == '/' && at(position_ + 1) == '*') {
            const std::size_t begin = position_;
            const std::size_t end = text_.find("*/", position_ + 2);
            position_ = end == std::string_view::npos ? text_.size() : end + 2;
            if (end == std::string_view::npos) {
                diagnostics_.report(codes::unclosed,
                                    {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)},
                                    "this comment is never closed", "end it with */");
            }
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    skip_blanks();
    const bool starts_line = position_ == 0 || at(position_ - 1) == '\n';
    Token token = scan();
    token.starts_line = starts_line;
    return token;
}

Token Lexer::scan() {
    const std::size_t begin = position_;
    if (begin >= text_.size()) return make(TokenKind::EndOfFile, begin);
    const char c = text_[begin];
    if (is_digit(c)) return number_or_word(begin);
    if (is_word(c)) return word(begin);
    if (c == '\'') return quoted_name(begin);
    return symbol(begin);
}

Token Lexer::word(std::size_t begin) {
    while (is_word(at(position_))) ++position_;
    return make(is_upper(text_[begin]) || text_[begin] == '_' ? TokenKind::Variable : TokenKind::Name, begin);
}

// 1st is a name, 0.54 in front of '::' is a weight, and so is 1 there.
Token Lexer::number_or_word(std::size_t begin) {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + text_.size(), value);
    const auto number_end = static_cast<std::size_t>(end - text_.data());
    std::size_t after = number_end;
    while (is_blank(at(after))) ++after;
    if (error != std::errc::invalid_argument && at(after) == ':' && at(after + 1) == ':') {
        position_ = number_end;
        Token token = make(TokenKind::Weight, begin);
        // Beyond the range of double it is as good as 0, or no valid weight either.
        const bool tiny =
            token.text.find("e-") != std::string_view::npos || token.text.find("E-") != std::string_view::npos;
        token.number = error == std::errc() ? value : tiny ? 0 : 2;
        position_ = after + 2;
        return token;
    }
    Token token = word(begin);
    const bool digits_only = token.text.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits_only && at(position_) == '.' && is_digit(at(position_ + 1))) {
        ++position_;
        while (is_word(at(position_))) ++position_;
        diagnostics_.report(codes::bad_number, span_from(begin), "a decimal number can only be a weight",
                            fmt::format("write it in front of '::', or quote it to use it as a name: '{}'",
                                        text_.substr(begin, position_ - begin)));
        return make(TokenKind::Bad, begin);
    }
    token.kind = TokenKind::Name;
    return token;
}

Token Lexer::quoted_name(std::size_t begin) {
    std::string value;
    bool bad_escape = false;
    for (++position_;; ++position_) {
        const char c = at(position_);
        if (position_ >= text_.size() || c == '\n') {
            diagnostics_.report(codes::unclosed,
                                {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
                                "this quote is never closed", "a quoted name ends with ' on the same line");
            return make(TokenKind::Bad, begin);
        }
        if (c == '\'') {
            ++position_;
            if (at(position_) != '\'') break;
            value += '\'';
        } else if (c == '\\') {
            const char escaped = at(++position_);
            if (escaped == 'n')
                value += '\n';
            else if (escaped == 't')
                value += '\t';
            else if (escaped == '\\' || escaped == '\'')
                value += escaped;
            else {
                const auto at_escape = static_cast<std::uint32_t>(position_);
                if (escaped == '\n' || position_ >= text_.size()) {
                    --position_;  // the quote ends here, and that is reported
                } else {
                    diagnostics_.report(codes::syntax, {file_, at_escape - 1, at_escape + 1},
                                        "unknown escape in a quoted name", "known are \\n, \\t, \\\\ and \\'");
                    bad_escape = true;
                }
            }
        } else {
            value += c;
        }
    }
    Token token = make(TokenKind::Name, begin);
    token.quoted = true;
    token.text = texts_->emplace_back(std::move(value));
    if (token.text.empty())
        diagnostics_.report(codes::syntax, token.span, "a name cannot be empty", "write something between the quotes");
    if (token.text.empty() || bad_escape) token.kind = TokenKind::Bad;
    return token;
}

Token Lexer::symbol(std::size_t begin) {
    const std::string_view rest = text_.substr(begin);
    if (dialect_.starred_names && rest[0] == '*') {
        while (at(position_) == '*') ++position_;
        return make(TokenKind::Name, begin);
    }
    if (rest[0] == '"') {  // a whole string, so that what stands in it is not read as program text
        const std::size_t end = text_.find_first_of("\"\n", begin + 1);
        position_ = end == std::string_view::npos ? text_.size() : end + (text_[end] == '"' ? 1 : 0);
        Token token = make(TokenKind::Refused, begin);
        token.text = token.text.substr(0, 1);
        return token;
    }
    for (const Spelling& spelling : spellings) {
        if (rest.starts_with(spelling.text)) {
            position_ += spelling.text.size();
            return make(spelling.kind, begin);
        }
    }
    do {
        ++position_;
    } while (position_ - begin < 4 && continues_character(at(position_)));  // the whole character
    const std::string_view character = text_.substr(begin, position_ - begin);
    const bool ascii = static_cast<unsigned char>(character[0]) < 0x80;
    diagnostics_.report(codes::syntax, span_from(begin),
                        ascii ? fmt::format("unexpected character '{}'", character)
                              : fmt::format("unexpected character '{}' (U+{:04X})", character, code_point(character)),
                        ascii ? "" : "names with other letters need quotes: 'like this'");
    return make(TokenKind::Bad, begin);
}

}  // namespace neumann::syntax
