#include "resolution/rule_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/budget.h"
#include "syntax/lexer.h"
#include "syntax/refused.h"
#include "syntax/shape.h"

namespace neumann::resolution {
namespace {

using syntax::SyntaxError;
using syntax::Token;
using syntax::TokenKind;

struct Infix {
    unsigned priority;
    unsigned left;  // the most that stands on its left, and on its right
    unsigned right;
};

struct NamedInfix {
    std::string_view name;
    Infix infix;
};

constexpr unsigned argument = 999;
constexpr unsigned deepest_nesting = 500;
constexpr unsigned most_operators = 10'000;  // of a clause: 1+1+1+… is as deep as it is long
constexpr std::array<NamedInfix, 28> operators = {{
    {";", {1100, 1099, 1100}}, {",", {1000, 999, 1000}},  {"=", {700, 699, 699}},  {"\\=", {700, 699, 699}},
    {"==", {700, 699, 699}},   {"\\==", {700, 699, 699}}, {"is", {700, 699, 699}}, {"=:=", {700, 699, 699}},
    {"=\\=", {700, 699, 699}}, {"<", {700, 699, 699}},    {">", {700, 699, 699}},  {"=<", {700, 699, 699}},
    {">=", {700, 699, 699}},   {"=..", {700, 699, 699}},  {"@<", {700, 699, 699}}, {"@>", {700, 699, 699}},
    {"@=<", {700, 699, 699}},  {"@>=", {700, 699, 699}},  {"+", {500, 500, 499}},  {"-", {500, 500, 499}},
    {"*", {400, 400, 399}},    {"/", {400, 400, 399}},    {"//", {400, 400, 399}}, {"mod", {400, 400, 399}},
    {"rem", {400, 400, 399}},  {"**", {200, 199, 199}},   {"^", {200, 199, 200}},  {"div", {400, 400, 399}},
}};

// Of Prolog alone.
constexpr std::array<NamedInfix, 4> control_operators = {{
    {"->", {1050, 1049, 1050}},
    {"*->", {1050, 1049, 1050}},
    {"|", {1100, 1099, 1100}},
    {"xor", {500, 500, 499}},
}};

std::optional<Infix> infix_of(const Token& token, RuleLanguage language) {
    const bool symbol = token.kind != TokenKind::Number && token.kind != TokenKind::Variable &&
                        token.kind != TokenKind::EndOfFile && token.kind != TokenKind::End && !token.quoted;
    const auto found = std::ranges::find(operators, token.text, &NamedInfix::name);
    if (symbol && found != operators.end()) return found->infix;
    const auto control = std::ranges::find(control_operators, token.text, &NamedInfix::name);
    if (!symbol || language != RuleLanguage::Prolog || control == control_operators.end()) return std::nullopt;
    return control->infix;
}

class RuleReader {
public:
    RuleReader(const SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics,
               RuleLanguage language)
        : lexer_(sources, file, {}, diagnostics), source_(sources.file(file).text()), rules_(rules),
          terms_(rules.terms), diagnostics_(diagnostics), language_(language) {
        advance();
    }

    void read_all() {
        while (!is(TokenKind::EndOfFile)) {
            require_budget("reading a program");
            try {
                variables_.clear();
                next_variable_ = depth_ = operators_ = 0;
                read_item();
            } catch (const SyntaxError&) {
                while (!is(TokenKind::End) && !is(TokenKind::EndOfFile)) advance();
                if (is(TokenKind::End)) advance();
            }
        }
    }

    void read_asked() {
        try {
            const Span first = token_.span;
            const Term goal = parse(argument);
            if (is(TokenKind::End)) advance();
            if (!is(TokenKind::EndOfFile)) fail("the end of the query");
            add_rule({{no_term, terms_.compound("query", std::array{goal})}}, terms_.constant("true"), first);
        } catch (const SyntaxError&) {
        }
    }

private:
    void advance() {
        token_ = ahead_ ? *std::exchange(ahead_, std::nullopt) : lexer_.next();
        if (language_ != RuleLanguage::Prolog || !is(TokenKind::Star)) return;
        ahead_ = lexer_.next();  // *-> is one operator
        if (ahead_->text != "->" || ahead_->span.begin != token_.span.end) return;
        token_ = *std::exchange(ahead_, std::nullopt);
        token_.text = "*->";
    }
    bool is(TokenKind kind) const { return token_.kind == kind; }
    bool is(std::string_view text) const { return token_.text == text && !token_.quoted; }

    [[noreturn]] void fail(const std::string& expected) {
        if (is(TokenKind::Refused) || is(TokenKind::Hash) || is(TokenKind::Range))
            syntax::report_refused(token_.text, token_.span, diagnostics_);
        else if (!is(TokenKind::Bad))
            diagnostics_.report(
                codes::syntax, token_.span,
                fmt::format("expected {}, found {}", expected,
                            is(TokenKind::EndOfFile) ? "the end of the file" : fmt::format("'{}'", token_.text)));
        throw SyntaxError();
    }

    void read_item() {
        const Span first = token_.span;
        if (is(TokenKind::If)) {
            advance();
            const Term directive = parse_directive();
            const Span span = cover(first, token_.span);
            expect_end();
            return read_directive(directive, span);
        }
        std::vector<Head> heads = {parse_head()};
        while (is(TokenKind::Semicolon)) {
            advance();
            heads.push_back(parse_head());
        }
        for (const Head& head : heads) {
            if (heads.size() > 1 && head.weight == no_term) {
                diagnostics_.report(codes::bad_weight, first, "every head of an annotated disjunction needs a weight",
                                    "write it like 0.3::a ; 0.7::b :- c.");
                throw SyntaxError();
            }
        }
        Term body = terms_.constant("true");
        if (is(TokenKind::If)) {
            advance();
            body = parse(1200);
        }
        const Span span = cover(first, token_.span);
        expect_end();
        add_rule(std::move(heads), body, span);
    }

    // :- dynamic p/1. as well as :- dynamic(p/1).
    Term parse_directive() {
        constexpr std::array<std::string_view, 4> prefix = {"dynamic", "discontiguous", "multifile", "table"};
        const Token name = token_;
        if (!is(TokenKind::Name) || std::ranges::find(prefix, name.text) == prefix.end()) return parse(1200);
        advance();
        if (is(TokenKind::Open)) return parse_call(std::string(name.text), name.span);
        return terms_.compound(name.text, std::array{parse(1200)});
    }

    void add_rule(std::vector<Head> heads, Term body, Span span) {
        rules_.add({std::move(heads), body, next_variable_, span});
    }

    void expect_end() {
        if (!is(TokenKind::End)) fail("'.'");
        advance();
    }

    Head parse_head() {
        Head head;
        const Span first = token_.span;
        head.atom = parse(argument);
        if (is("::")) {
            head.weight = learned_weight(head.atom, first);
            advance();
            head.atom = parse(argument);
        }
        if (!terms_.is_callable(head.atom) || infix_name(head.atom)) {
            diagnostics_.report(codes::syntax, first, "the head of a clause is an atom");
            throw SyntaxError();
        }
        if (terms_.is(head.atom, "\\+", 1) || terms_.is(head.atom, "not", 1)) {
            diagnostics_.report(codes::unsupported, first, "the head of a clause cannot be negated",
                                "say when it holds: 0.7::a for 0.3::\\+a, and conditions on what prevents it");
            throw SyntaxError();
        }
        return head;
    }

    // t(0.5), which learning starts from, is 0.5; t(_) has no value yet.
    Term learned_weight(Term weight, Span place) {
        if (!terms_.is_callable(weight) || terms_.name(weight) != "t" || terms_.args(weight).empty()) return weight;
        const Term first = terms_.args(weight)[0];
        if (terms_.is_number(first)) return first;
        diagnostics_.report(codes::bad_weight, place, "a probability to be learned has no value",
                            "give it a first one: t(0.5)::p.");
        throw SyntaxError();
    }

    bool infix_name(Term t) const {
        return terms_.args(t).size() == 2 &&
               std::ranges::find(operators, terms_.name(t), &NamedInfix::name) != operators.end();
    }

    Term parse(unsigned most) {
        if (++depth_ > deepest_nesting || operators_ > most_operators) {
            diagnostics_.report(codes::too_deep, token_.span, "terms are nested too deep");
            throw SyntaxError();
        }
        Term left = parse_operand(most);
        while (const std::optional<Infix> infix = infix_of(token_, language_)) {
            if (infix->priority > most) break;
            const std::string name(token_.text == "|" ? ";" : token_.text);
            ++operators_;
            note_name(name, 2, token_.span);
            advance();
            const Term right = parse(infix->right);
            left = terms_.compound(name, std::array{left, right});
        }
        --depth_;
        return left;
    }

    Term parse_operand(unsigned most) {
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

    void expect(TokenKind kind, const char* what) {
        if (!is(kind)) fail(what);
        advance();
    }

    Term parse_variable() {
        const std::string name(token_.text);
        advance();
        if (name == "_") return terms_.variable(next_variable_++);
        const auto [found, added] = variables_.try_emplace(name, next_variable_);
        if (added) ++next_variable_;
        return terms_.variable(found->second);
    }

    // In front of '::' the lexer gives a weight, which is the end of an expression: 1/6::a.
    Term parse_number() {
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

    Number weight_number() const {
        const std::optional<Number> exact = neumann::parse_number(token_.text);
        return exact ? *exact : Number(token_.number);
    }

    Term parse_sign() {
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

    Term parse_prefix(std::string_view name) {
        note_name(name, 1, token_.span);
        advance();
        return terms_.compound(name, std::array{parse(900)});
    }

    Term parse_list() {
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

    Term parse_name(unsigned most) {
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

    Term parse_call(const std::string& name, Span span) {
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

    void note_name(std::string_view name, std::size_t arity, Span span) {
        rules_.names.push_back({std::string(name), arity, span});
    }

    void read_directive(Term directive, Span first) {
        constexpr std::array<std::string_view, 5> harmless = {"discontiguous", "multifile", "table", "style_check",
                                                              "set_prolog_flag"};
        if (!terms_.is_callable(directive)) fail("the name of a directive");
        const std::string& name = terms_.name(directive);
        if (std::ranges::find(harmless, name) != harmless.end()) return;
        if (name == "dynamic") return declare(terms_.args(directive));
        if (terms_.is(directive, "use_module", 1) || terms_.is(directive, "use_module", 2))
            return use_library(terms_.args(directive)[0], first);
        if (terms_.is(directive, "query", 1) || name == "evidence")
            return add_rule({{no_term, directive}}, terms_.constant("true"), first);
        if (!syntax::report_refused_directive(name, first, diagnostics_))
            diagnostics_.report(codes::unknown_directive, first, fmt::format("unknown directive '{}'", name),
                                "what is asked stands in facts: query(p(X)).");
    }

    // :- dynamic a/1, b/2.
    void declare(std::span<const Term> indicators) {
        const std::vector<Term> parts(indicators.begin(), indicators.end());
        for (const Term one : parts) {
            const std::vector<Term> args(terms_.args(one).begin(), terms_.args(one).end());
            if (terms_.is(one, "/", 2) && terms_.is_callable(args[0]) && terms_.is_number(args[1]))
                rules_.declared.insert(
                    {terms_.name(args[0]), static_cast<std::size_t>(as_double(terms_.value(args[1])))});
            else if (terms_.is(one, ",", 2) || terms_.is(one, "[|]", 2))
                declare(args);
        }
    }

    void use_library(Term what, Span span) {
        constexpr std::array<std::string_view, 2> known = {"lists", "apply"};
        const bool library = terms_.is(what, "library", 1);
        const std::string name = terms_.print(library ? terms_.args(what)[0] : what);
        if (library && std::ranges::find(known, name) != known.end()) return;
        diagnostics_.report(codes::unsupported, span, fmt::format("there is no module {}", name),
                            library ? "the libraries are lists and apply; what else is needed stands in the program"
                                    : "code in other languages is not called, and a program is one file: put its "
                                      "clauses here");
    }

    syntax::Lexer lexer_;
    std::string_view source_;
    Rules& rules_;
    Terms& terms_;
    Diagnostics& diagnostics_;
    RuleLanguage language_;
    Token token_;
    std::optional<Token> ahead_;
    std::map<std::string, std::uint32_t> variables_;
    std::uint32_t next_variable_ = 0;
    unsigned depth_ = 0;
    unsigned operators_ = 0;
};

}  // namespace

void read_rules(const SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics,
                RuleLanguage language) {
    RuleReader(sources, file, rules, diagnostics, language).read_all();
}

void read_asked(const SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics) {
    RuleReader(sources, file, rules, diagnostics, RuleLanguage::ProbLog).read_asked();
}

}  // namespace neumann::resolution
