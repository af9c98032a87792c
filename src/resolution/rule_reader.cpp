#include "resolution/rule_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text_file.h"
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
constexpr unsigned head_part = 998;                    // of an annotated disjunction
constexpr std::string_view aggregate_argument = "<>";  // avg<S>
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

std::optional<Infix> infix_of(const Token& token) {
    const bool symbol = token.kind != TokenKind::Number && token.kind != TokenKind::Variable &&
                        token.kind != TokenKind::EndOfFile && token.kind != TokenKind::End && !token.quoted;
    const auto found = std::ranges::find(operators, token.text, &NamedInfix::name);
    if (!symbol || found == operators.end()) return std::nullopt;
    return found->infix;
}

class RuleReader {
public:
    RuleReader(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics)
        : lexer_(sources, file, {.prolog = true}, diagnostics), sources_(sources), file_(file),
          source_(sources.file(file).text()), rules_(rules), terms_(rules.terms), diagnostics_(diagnostics) {
        advance();
    }

    void read_all() {
        while (!is(TokenKind::EndOfFile)) {
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
    void advance() { token_ = lexer_.next(); }
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
            if (heads.size() > 1 && head.weight != no_term && terms_.is(head.weight, decided, 0)) {
                diagnostics_.report(codes::unsupported, first, "a decision stands alone in its head",
                                    "write decisions of their own, ?::a. ?::b., and rules for what follows");
                throw SyntaxError();
            }
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
        for (const Head& head : heads) {
            if (heads.size() == 1 && terms_.is(body, "true", 0) && terms_.is(head.atom, "constraint", 1)) {
                const Term observed = terms_.compound("evidence", std::array{terms_.args(head.atom)[0]});
                return add_rule({{no_term, observed}}, body, span);
            }
        }
        if (std::optional<Rule> aggregating = aggregated(heads, body)) {
            heads = std::move(aggregating->heads);
            body = aggregating->body;
        }
        add_rule(std::move(heads), body, span);
    }

    // p(G,avg<S>) :- body. becomes p(G,R) :- aggregate(avg, S, (G), body, ((G),R)).
    std::optional<Rule> aggregated(const std::vector<Head>& heads, Term body) {
        const std::span<const Term> args = terms_.args(heads[0].atom);
        if (heads.size() != 1 || args.empty() || !terms_.is(args.back(), aggregate_argument, 2)) return std::nullopt;
        const Term argument_of = args.back();
        std::vector<Term> head_args(args.begin(), args.end());
        const Term result = terms_.variable(next_variable_++);
        head_args.back() = result;
        const Term group = terms_.compound("", std::span(head_args).first(head_args.size() - 1));
        const Term function = terms_.args(argument_of)[0];
        const Term value = terms_.args(argument_of)[1];
        Rule rule;
        rule.heads = {{heads[0].weight, terms_.compound(std::string(terms_.name(heads[0].atom)), head_args)}};
        const Term both = terms_.compound(",", std::array{group, result});
        rule.body = terms_.compound("aggregate", std::array{function, value, group, body, both});
        return rule;
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
        if (is("?")) {
            advance();
            if (!is("::")) fail("'::'");
            head.atom = terms_.constant(decided);
        } else {
            head.atom = parse(head_part);
        }
        if (is("~")) refuse_continuous(first);
        if (is("::")) {
            head.weight = learned_weight(head.atom, first);
            advance();
            head.atom = parse(head_part);
        }
        if (!terms_.is_callable(head.atom) || (infix_name(head.atom) && !may_be_head(head.atom))) {
            diagnostics_.report(codes::syntax, first, "the head of a clause is an atom");
            throw SyntaxError();
        }
        if (terms_.is(head.atom, "\\+", 1) || terms_.is(head.atom, "not", 1)) negate(head, first);
        if (head.weight != no_term && is_distribution(head.weight)) refuse_continuous(first);
        return head;
    }

    // \+p(X) :- body. takes p(X) away where the body holds.
    void negate(Head& head, Span place) {
        const Term atom = terms_.args(head.atom)[0];
        if (!terms_.is_callable(atom) || infix_name(atom)) {
            diagnostics_.report(codes::syntax, place, "the negated head of a clause is an atom");
            throw SyntaxError();
        }
        const std::vector<Term> args(terms_.args(atom).begin(), terms_.args(atom).end());
        rules_.negated.insert(rules_.indicator(atom));
        head.atom = terms_.compound(negated_name(terms_.name(atom)), args);
    }

    bool is_distribution(Term weight) const {
        constexpr std::array<std::string_view, 8> known = {"normal", "gaussian", "uniform", "exponential",
                                                           "beta",   "gamma",    "poisson", "continuous"};
        return terms_.is_callable(weight) && !terms_.args(weight).empty() &&
               std::ranges::find(known, terms_.name(weight)) != known.end();
    }
    [[noreturn]] void refuse_continuous(Span place) {
        diagnostics_.report(codes::unsupported, place,
                            "continuous distributions are missing: random choices have finitely many outcomes",
                            "divide the range into intervals, as in 0.3::x(low); 0.5::x(middle); 0.2::x(high).");
        throw SyntaxError();
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

    bool may_be_head(Term operation) const { return terms_.is(operation, ":", 2) || terms_.is(operation, "=>", 2); }

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
        while (const std::optional<Infix> infix = infix_of(token_)) {
            const std::string name(token_.text);
            const bool alternative = most == argument && (name == ";" || name == "->" || name == "*->");
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

    // An operator as a name, call(=, X, 1), and in front of its arguments, =(X, 1).
    std::optional<Term> parse_operator_name() {
        const bool name =
            infix_of(token_) && !is(TokenKind::Comma) && !is(TokenKind::Semicolon) && !is(TokenKind::Name);
        if (!name || token_.span.end >= source_.size()) return std::nullopt;
        const char next = source_[token_.span.end];
        const bool sign = is(TokenKind::Minus) || is(TokenKind::Plus);
        if (next != ',' && next != ')' && (next != '(' || sign)) return std::nullopt;
        const Token token = token_;
        advance();
        return parse_call(std::string(token.text), token.span);
    }

    Term parse_operand(unsigned most) {
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
            fail("a term");
        }
    }
    [[noreturn]] void fail_at_question() { fail("a term; a decision stands in front of a head: ?::a"); }

    // The > of avg<S>, at the end of the arguments.
    bool is_aggregate_end() const {
        const std::size_t behind = source_.find_first_not_of(" \t\r\n", token_.span.end);
        return is(">") && behind != std::string_view::npos && source_[behind] == ')';
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

    bool is_prefix(std::string_view sign) const { return is(TokenKind::Refused) && is(sign); }

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
        constexpr std::array<std::string_view, 7> harmless = {"discontiguous",   "multifile", "table", "style_check",
                                                              "set_prolog_flag", "nocache",   "module"};
        if (!terms_.is_callable(directive)) fail("the name of a directive");
        const std::string name = terms_.name(directive);
        const std::vector<Term> args(terms_.args(directive).begin(), terms_.args(directive).end());
        if (std::ranges::find(harmless, name) != harmless.end()) return;
        if (name == "dynamic") return declare(args);
        if (terms_.is(directive, "unknown", 1)) return handle_unknown(args[0], first);
        if (terms_.is(directive, "consult", 1) || terms_.is(directive, "ensure_loaded", 1))
            return terms_.is(args[0], "library", 1) ? use_library(args[0], first) : consult(args[0], first);
        if (std::vector<Term> files; terms_.is(directive, "[|]", 2) && terms_.elements(directive, files)) {
            for (const Term one : files) consult(one, first);
            return;
        }
        if (terms_.is(directive, "use_module", 1) || terms_.is(directive, "use_module", 2))
            return use_library(args[0], first);
        if (terms_.is(directive, "query", 1) || name == "evidence")
            return add_rule({{no_term, directive}}, terms_.constant("true"), first);
        if (!syntax::report_refused_directive(name, first, diagnostics_))
            diagnostics_.report(codes::unknown_directive, first, fmt::format("unknown directive '{}'", name),
                                "what is asked stands in facts: query(p(X)).");
    }

    // :- unknown(fail). A predicate without rules does not hold.
    void handle_unknown(Term how, Span span) {
        if (terms_.is(how, "fail", 0))
            rules_.unknown_fails = true;
        else if (!terms_.is(how, "error", 0))
            diagnostics_.report(codes::unsupported, span, fmt::format("there is no unknown({})", terms_.print(how)),
                                "write unknown(fail), or unknown(error), which is the default");
    }

    // A file beside this one; the ending .pl may be left out.
    void consult(Term name, Span span) {
        if (!terms_.is_callable(name) || !terms_.args(name).empty()) {
            diagnostics_.report(codes::syntax, span, "expected the name of a file", "write :- consult('file.pl').");
            return;
        }
        std::string text = terms_.name(name);
        if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
        std::filesystem::path path =
            std::filesystem::path(sources_.file(file_).name()).parent_path() / std::filesystem::path(text);
        if (path.extension() == ".py") {
            diagnostics_.report(codes::unsupported, span, fmt::format("'{}' is a program in Python", text),
                                "functions in other languages are not called: write their clauses, or their "
                                "results as facts");
            return;
        }
        std::error_code error;
        if (!path.has_extension() && !std::filesystem::exists(path, error)) path += ".pl";
        if (!rules_.read_files.insert(path.lexically_normal().string()).second) return;
        if (const auto file = load_text(path, sources_, diagnostics_, {}, span))
            RuleReader(sources_, *file, rules_, diagnostics_).read_all();
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
        constexpr std::array<std::string_view, 6> known = {"lists", "apply", "aggregate", "collect", "cut", "scope"};
        if (!terms_.is(what, "library", 1)) return consult(what, span);
        const std::string name = terms_.print(terms_.args(what)[0]);
        rules_.libraries.insert(name);
        if (std::ranges::find(known, name) != known.end()) return;
        diagnostics_.report(codes::unsupported, span, fmt::format("there is no library {}", name),
                            name == "db" ? "write the table as facts; in a file .nm, :- facts(p/2, 'table.csv')."
                            : name == "assert" || name == "record"
                                ? "facts do not change while reasoning"
                                : "the libraries are lists, apply, aggregate, collect, cut and scope; what else is "
                                  "needed stands in the program");
    }

    syntax::Lexer lexer_;
    SourceSet& sources_;
    std::uint32_t file_;
    std::string_view source_;
    Rules& rules_;
    Terms& terms_;
    Diagnostics& diagnostics_;
    Token token_;
    std::map<std::string, std::uint32_t> variables_;
    std::uint32_t next_variable_ = 0;
    unsigned depth_ = 0;
    unsigned operators_ = 0;
};

}  // namespace

void read_rules(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics) {
    rules.read_files.insert(std::filesystem::path(sources.file(file).name()).lexically_normal().string());
    RuleReader(sources, file, rules, diagnostics).read_all();
}

void read_asked(SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics) {
    RuleReader(sources, file, rules, diagnostics).read_asked();
}

}  // namespace neumann::resolution
