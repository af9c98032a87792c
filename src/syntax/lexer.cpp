#include "syntax/lexer.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "logic/arithmetic.h"

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
constexpr std::array<Spelling, 45> spellings = {{
    {"@=<", TokenKind::Refused},  {"@>=", TokenKind::Refused}, {"@<", TokenKind::Refused},
    {"@>", TokenKind::Refused},   {"=:=", TokenKind::Compare}, {"=\\=", TokenKind::Compare},
    {"\\==", TokenKind::Compare}, {"-->", TokenKind::Refused}, {"=..", TokenKind::Refused},
    {":-", TokenKind::If},        {"<-", TokenKind::If},       {"!=", TokenKind::Refused},
    {"..", TokenKind::Range},     {"\\=", TokenKind::Compare}, {"\\+", TokenKind::Not},
    {"->", TokenKind::Refused},   {"==", TokenKind::Compare},  {"=<", TokenKind::Compare},
    {">=", TokenKind::Compare},   {"<=", TokenKind::Refused},  {"=>", TokenKind::Refused},
    {"::", TokenKind::Refused},   {"?-", TokenKind::Refused},  {"//", TokenKind::DoubleSlash},
    {"**", TokenKind::Refused},   {"(", TokenKind::Open},      {")", TokenKind::Close},
    {"[", TokenKind::OpenList},   {"]", TokenKind::CloseList}, {"|", TokenKind::Bar},
    {",", TokenKind::Comma},      {".", TokenKind::End},       {"=", TokenKind::Compare},
    {"/", TokenKind::Slash},      {"+", TokenKind::Plus},      {"-", TokenKind::Minus},
    {"#", TokenKind::Hash},       {"*", TokenKind::Star},      {";", TokenKind::Semicolon},
    {"!", TokenKind::Refused},    {"<", TokenKind::Compare},   {">", TokenKind::Compare},
    {"{", TokenKind::Refused},    {"}", TokenKind::Refused},   {"^", TokenKind::Refused},
}};
// Of Prolog alone: those that begin other spellings, and those that are tried last.
constexpr std::array<std::string_view, 7> long_operators = {"*->", "=@=", "/\\", "\\/", "><", "<<", ">>"};
constexpr std::array<std::string_view, 4> short_operators = {":", "?", "~", "\\"};

int base_of(std::string_view number) {
    if (number.size() < 3 || number[0] != '0') return 0;
    return number[1] == 'x' ? 16 : number[1] == 'o' ? 8 : number[1] == 'b' ? 2 : 0;
}

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
    if (c == '\'' || c == '"') return quoted_name(begin);
    return symbol(begin);
}

Token Lexer::word(std::size_t begin) {
    while (is_word(at(position_))) ++position_;
    return make(is_upper(text_[begin]) || text_[begin] == '_' ? TokenKind::Variable : TokenKind::Name, begin);
}

// 0.54 in front of '::' is a weight, and so is 1 there; 1st is a name; the rest are numbers.
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
    std::size_t digits = begin;
    while (is_digit(at(digits))) ++digits;
    // from_chars takes the dot of `p :- q(X), X > 1.` for part of the number.
    const std::size_t real_end = text_[number_end - 1] == '.' ? digits : number_end;
    if (!is_word(at(real_end))) return number(begin, real_end);
    Token token = word(begin);
    if (const int base = dialect_.prolog ? base_of(token.text) : 0) return number_of_base(begin, base);
    token.kind = TokenKind::Name;
    return token;
}

Token Lexer::number_of_base(std::size_t begin, int base) {
    Token token = make(TokenKind::Number, begin);
    const std::string_view digits = token.text.substr(2);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        diagnostics_.report(codes::bad_number, token.span,
                            error == std::errc::result_out_of_range
                                ? "an integer of more than 64 bits"
                                : fmt::format("'{}' is no number of base {}", token.text, base));
        token.kind = TokenKind::Bad;
        return token;
    }
    token.text = texts_->emplace_back(std::to_string(value));
    return token;
}

Token Lexer::number(std::size_t begin, std::size_t end) {
    position_ = end;
    Token token = make(TokenKind::Number, begin);
    const std::optional<Number> value = parse_number(token.text);
    if (!value) {
        const bool whole = token.text.find_first_not_of("0123456789") == std::string_view::npos;
        diagnostics_.report(codes::bad_number, token.span,
                            whole ? "an integer of more than 64 bits" : "a number that is too large or too small",
                            "quote it to use it as a name");
        token.kind = TokenKind::Bad;
        return token;
    }
    std::string canonical = print(*value);
    if (canonical != token.text) token.text = texts_->emplace_back(std::move(canonical));
    return token;
}

// Reads the character behind a backslash; false for an unknown escape.
bool Lexer::escape(std::string& value) {
    const char escaped = at(++position_);
    constexpr std::string_view known = "nt\\'\"";
    constexpr std::string_view meaning = "\n\t\\'\"";
    const std::size_t found = escaped == '\0' ? std::string_view::npos : known.find(escaped);
    if (found != std::string_view::npos) {
        value += meaning[found];
        return true;
    }
    const auto at_escape = static_cast<std::uint32_t>(position_);
    if (escaped == '\n' || position_ >= text_.size()) {
        --position_;  // the quote ends here, and that is reported
        return true;
    }
    diagnostics_.report(codes::syntax, {file_, at_escape - 1, at_escape + 1}, "unknown escape in a quoted name",
                        "known are \\n, \\t, \\\\, \\' and \\\"");
    return false;
}

Token Lexer::quoted_name(std::size_t begin) {
    const char quote = text_[begin];
    std::string value;
    bool bad_escape = false;
    for (++position_;; ++position_) {
        const char c = at(position_);
        if (position_ >= text_.size() || c == '\n') {
            diagnostics_.report(
                codes::unclosed, {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
                "this quote is never closed", fmt::format("a quoted name ends with {} on the same line", quote));
            return make(TokenKind::Bad, begin);
        }
        if (c == quote) {
            ++position_;
            if (at(position_) != quote) break;
            value += quote;
        } else if (c == '\\') {
            bad_escape = !escape(value) || bad_escape;
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

bool Lexer::scan_operator(std::string_view spelling) {
    if (!text_.substr(position_).starts_with(spelling)) return false;
    position_ += spelling.size();
    return true;
}

Token Lexer::symbol(std::size_t begin) {
    const std::string_view rest = text_.substr(begin);
    if (dialect_.starred_names && rest[0] == '*') {
        while (at(position_) == '*') ++position_;
        return make(TokenKind::Name, begin);
    }
    for (const std::string_view spelling : long_operators) {
        if (dialect_.prolog && scan_operator(spelling)) return make(TokenKind::Refused, begin);
    }
    for (const Spelling& spelling : spellings) {
        if (spelling.text[0] != rest[0] || !rest.starts_with(spelling.text)) continue;  // most differ at once
        if (spelling.text == "<-" && is_digit(at(begin + 2))) continue;                 // X<-3
        position_ += spelling.text.size();
        return make(spelling.kind, begin);
    }
    if (dialect_.colons && rest[0] == ':') {
        ++position_;
        return make(TokenKind::Refused, begin);
    }
    for (const std::string_view spelling : short_operators) {
        if (dialect_.prolog && scan_operator(spelling)) return make(TokenKind::Refused, begin);
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
    while (text_.substr(position_, character.size()) == character) position_ += character.size();  // one error for all
    return make(TokenKind::Bad, begin);
}

}  // namespace neumann::syntax
