#include "resolution/term_parser.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "syntax/refused.h"
#include "syntax/shape.h"

namespace neumann::resolution {
namespace {

using syntax::SyntaxError;

struct Infix {
    unsigned priority;
    unsigned left;  // the most that stands on its left, and on its right
    unsigned right;
};

struct NamedInfix {
    std::string_view name;
    Infix infix;
};

constexpr unsigned deepest_nesting = 500;
constexpr unsigned most_operators = 10'000;  // of a clause: 1+1+1+… is as deep as it is long
constexpr std::array<NamedInfix, 38> operators = {{
    {";", {1100, 1099, 1100}},  {",", {1000, 999, 1000}},    {"=", {700, 699, 699}},   {"\\=", {700, 699, 699}},
    {"==", {700, 699, 699}},    {"\\==", {700, 699, 699}},   {"is", {700, 699, 699}},  {"=:=", {700, 699, 699}},
    {"=\\=", {700, 699, 699}},  {"<", {700, 699, 699}},      {">", {700, 699, 699}},   {"=<", {700, 699, 699}},
    {">=", {700, 699, 699}},    {"=..", {700, 699, 699}},    {"@<", {700, 699, 699}},  {"@>", {700, 699, 699}},
    {"@=<", {700, 699, 699}},   {"@>=", {700, 699, 699}},    {"+", {500, 500, 499}},   {"-", {500, 500, 499}},
    {"*", {400, 400, 399}},     {"/", {400, 400, 399}},      {"//", {400, 400, 399}},  {"mod", {400, 400, 399}},
    {"rem", {400, 400, 399}},   {"**", {200, 199, 199}},     {"^", {200, 199, 200}},   {"div", {400, 400, 399}},
    {"->", {1050, 1049, 1050}}, {"*->", {1050, 1049, 1050}}, {"=>", {700, 699, 699}},  {":", {200, 199, 200}},
    {"/\\", {500, 500, 499}},   {"\\/", {500, 500, 499}},    {"xor", {500, 500, 499}}, {"><", {500, 500, 499}},
    {"<<", {400, 400, 399}},    {">>", {400, 400, 399}},
}};

std::optional<Infix> infix_of(const Token& token, RuleLanguage language) {
    const bool symbol = token.kind != TokenKind::Number && token.kind != TokenKind::Variable &&
                        token.kind != TokenKind::EndOfFile && token.kind != TokenKind::End && !token.quoted;
    const auto found = std::ranges::find(operators, token.text, &NamedInfix::name);
    if (symbol && found != operators.end()) return found->infix;
    if (language == RuleLanguage::Prolog && token.kind == TokenKind::Bar) return Infix{1100, 1099, 1100};
    return std::nullopt;
}

}  // namespace

TermParser::TermParser(const SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics,
                       RuleLanguage language)
    : lexer_(sources, file, {.prolog = true}, diagnostics), source_(sources.file(file).text()), rules_(rules),
      terms_(rules.terms), diagnostics_(diagnostics), language_(language) {
    advance();
}

void TermParser::begin_clause() {
    variables_.clear();
    next_variable_ = depth_ = operators_ = 0;
}

void TermParser::fail(const std::string& expected) {
    if (is(TokenKind::Refused) || is(TokenKind::Hash) || is(TokenKind::Range))
        syntax::report_refused(token_.text, token_.span, diagnostics_);
    else if (!is(TokenKind::Bad))
        diagnostics_.report(
            codes::syntax, token_.span,
            fmt::format("expected {}, found {}", expected,
                        is(TokenKind::EndOfFile) ? "the end of the file" : fmt::format("'{}'", token_.text)));
    throw SyntaxError();
}

bool TermParser::infix_name(Term t) const {
    return terms_.args(t).size() == 2 &&
           std::ranges::find(operators, terms_.name(t), &NamedInfix::name) != operators.end();
}

Term TermParser::parse(unsigned most) {
    if (++depth_ > deepest_nesting || operators_ > most_operators) {
        diagnostics_.report(codes::too_deep, token_.span, "terms are nested too deep");
        throw SyntaxError();
    }
    Term left = parse_operand(most);
    while (const std::optional<Infix> infix = infix_of(token_, language_)) {
        const std::string name(is(TokenKind::Bar) ? ";" : token_.text);
        const bool alternative =
            most == argument && !is(TokenKind::Bar) && (name == ";" || name == "->" || name == "*->");
        if (infix->priority > most && !alternative) break;
        ++operators_;
        note_name(name, 2, token_.span);
        advance();
        const Term right = parse(alternative ? argument : infix->right);
        left = terms_.compound(name == "<" && is_aggregate_end() ? aggregate_argument : std::string_view(name),
                               std::array{left, right});
        if (terms_.is(left, aggregate_argument, 2)) advance();
    }
    --depth_;
    return left;
}

std::optional<Term> TermParser::parse_operator_name() {
    const bool name =
        infix_of(token_, language_) && !is(TokenKind::Comma) && !is(TokenKind::Semicolon) && !is(TokenKind::Name);
    if (!name || token_.span.end >= source_.size()) return std::nullopt;
    const char next = source_[token_.span.end];
    const bool sign = is(TokenKind::Minus) || is(TokenKind::Plus);
    if (next != ',' && next != ')' && (next != '(' || sign)) return std::nullopt;
    const Token token = token_;
    advance();
    return parse_call(std::string(token.text), token.span);
}

Term TermParser::parse_operand(unsigned most) {
    if (const std::optional<Term> name = parse_operator_name()) return *name;
    switch (token_.kind) {
    case TokenKind::Variable:
        return parse_variable();
    case TokenKind::Number:
    case TokenKind::Weight:
        return parse_number();
    case TokenKind::Minus:
    case TokenKind::Plus:
        return parse_sign();
    case TokenKind::Not:
        return parse_prefix("\\+");
    case TokenKind::Open: {
        advance();
        const Term inside = parse(1200);
        expect(TokenKind::Close, "')'");
        return inside;
    }
    case TokenKind::OpenList:
        return parse_list();
    case TokenKind::Name:
        return parse_name(most);
    default:
        if (is_prefix("\\")) {
            advance();
            return terms_.compound("\\", std::array{parse(200)});
        }
        if (is_prefix("?")) fail_at_question();
        if (language_ == RuleLanguage::Prolog && is("!")) {
            advance();
            return terms_.constant("!");
        }
        if (language_ == RuleLanguage::Prolog && infix_of(token_, language_)) {  // as in sort(0, @>=, L, S)
            const std::string name(token_.text);
            advance();
            return terms_.constant(name);
        }
        fail("a term");
    }
}

bool TermParser::is_aggregate_end() const {
    const std::size_t behind = source_.find_first_not_of(" \t\r\n", token_.span.end);
    return is(">") && behind != std::string_view::npos && source_[behind] == ')';
}

void TermParser::expect(TokenKind kind, const char* what) {
    if (!is(kind)) fail(what);
    advance();
}

Term TermParser::parse_variable() {
    const std::string name(token_.text);
    advance();
    if (name == "_") return terms_.variable(next_variable_++);
    const auto [found, added] = variables_.try_emplace(name, next_variable_);
    if (added) ++next_variable_;
    return terms_.variable(found->second);
}

Term TermParser::parse_number() {
    if (is(TokenKind::Weight)) {
        const Term value = terms_.number(weight_number());
        token_.kind = TokenKind::Refused;  // skip the rest
        token_.text = "::";
        return value;
    }
    const Term value = terms_.number(*neumann::parse_number(token_.text));
    advance();
    return value;
}

Number TermParser::weight_number() const {
    const std::optional<Number> exact = neumann::parse_number(token_.text);
    return exact ? *exact : Number(token_.number);
}

Term TermParser::parse_sign() {
    const bool minus = is(TokenKind::Minus);
    const Span sign = token_.span;
    advance();
    if (minus && is(TokenKind::Number) && sign.end == token_.span.begin) {
        const Number value = neumann::apply(Operation::Negate, *neumann::parse_number(token_.text), {});
        advance();
        return terms_.number(value);
    }
    return terms_.compound(minus ? "-" : "+", std::array{parse(200)});
}

Term TermParser::parse_prefix(std::string_view name) {
    note_name(name, 1, token_.span);
    advance();
    return terms_.compound(name, std::array{parse(900)});
}

Term TermParser::parse_list() {
    advance();
    std::vector<Term> elements;
    Term tail = terms_.constant("[]");
    while (!is(TokenKind::CloseList)) {
        elements.push_back(parse(argument));
        if (is(TokenKind::Comma)) {
            advance();
        } else if (is(TokenKind::Bar)) {
            advance();
            tail = parse(argument);
            if (!is(TokenKind::CloseList)) fail("']'");
        } else if (!is(TokenKind::CloseList)) {
            fail("',', '|' or ']'");
        }
    }
    advance();
    for (std::size_t i = elements.size(); i-- > 0;) tail = terms_.cell(elements[i], tail);
    return tail;
}

Term TermParser::parse_name(unsigned most) {
    const Token name = token_;
    std::string text(name.text);
    if (name.quoted && source_[name.span.begin] == '"') text = '"' + text + '"';  // a string is no atom
    if (text == "not" && !name.quoted) {
        advance();
        const bool call = is(TokenKind::Open) && token_.span.begin == name.span.end;
        if (call || most < 900) return parse_call(text, name.span);
        note_name("\\+", 1, name.span);
        return terms_.compound("\\+", std::array{parse(900)});
    }
    advance();
    return parse_call(text, name.span);
}

Term TermParser::parse_call(const std::string& name, Span span) {
    std::vector<Term> args;
    if (is(TokenKind::Open)) {
        do {
            advance();
            args.push_back(parse(argument));
        } while (is(TokenKind::Comma));
        expect(TokenKind::Close, "',' or ')'");
    }
    note_name(name, args.size(), span);
    return terms_.compound(name, args);
}

void TermParser::note_name(std::string_view name, std::size_t arity, Span span) {
    rules_.names.push_back({std::string(name), arity, span});
}

}  // namespace neumann::resolution
