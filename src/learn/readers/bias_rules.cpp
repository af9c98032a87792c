#include "learn/readers/bias_rules.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "logic/arithmetic.h"
#include "syntax/lexer.h"
#include "syntax/shape.h"

namespace neumann::search {
namespace {

using resolution::Term;
using resolution::Terms;
using syntax::SyntaxError;
using syntax::Token;
using syntax::TokenKind;

constexpr unsigned deepest_nesting = 100;
constexpr std::string_view tuple_name = "";

// A literal of a body.
struct BodyLiteral {
    enum class Kind : std::uint8_t {
        Atom,
        Assignment,  // left = right: one side gives the other its value
        Test,
        Negation,
        Aggregate,
    };
    Kind kind = Kind::Atom;
    Term goal = resolution::no_term;
    Term left = resolution::no_term;
    Term right = resolution::no_term;
    std::set<std::uint32_t> given = {};  // by an aggregate: N = #count{ … }
};

class BiasReader {
public:
    BiasReader(const SourceSet& sources, std::uint32_t file, BiasRules& to, Diagnostics& diagnostics)
        : lexer_(sources, file, {.colons = true}, diagnostics), to_(to), terms_(to.rules.terms),
          diagnostics_(diagnostics) {
        advance();
    }

    void read_all() {
        while (!is(TokenKind::EndOfFile)) {
            variables_.clear();
            pending_.clear();
            next_variable_ = depth_ = 0;
            try {
                read_statement();
            } catch (const SyntaxError&) {
                while (!is(TokenKind::End) && !is(TokenKind::EndOfFile)) advance();
                if (is(TokenKind::End)) advance();
            }
        }
    }

private:
    void advance() { token_ = lexer_.next(); }
    bool is(TokenKind kind) const { return token_.kind == kind; }
    bool is(std::string_view text) const { return token_.text == text && !token_.quoted; }

    [[noreturn]] void fail(Span span, const std::string& message) {
        diagnostics_.report(codes::syntax, span, message,
                            "--ignore-constraints goes on without what is not understood");
        throw SyntaxError();
    }
    [[noreturn]] void expected(std::string_view what) {
        if (is(TokenKind::Bad)) throw SyntaxError();
        fail(token_.span,
             fmt::format("expected {}, found {}", what,
                         is(TokenKind::EndOfFile) ? "the end of the file" : fmt::format("'{}'", token_.text)));
    }
    void take(TokenKind kind, std::string_view what) {
        if (!is(kind)) expected(what);
        advance();
    }

    void read_statement() {
        const Span first = token_.span;
        if (is(TokenKind::Hash)) return read_directive(first);
        std::optional<Term> head;
        if (!is(TokenKind::If)) {
            if (!is(TokenKind::Name)) expected("a fact, a rule or a constraint");
            head = parse_term();
            if (!terms_.is_callable(*head)) fail(first, "the head of a rule is an atom");
        }
        std::vector<BodyLiteral> body;
        if (is(TokenKind::If)) {
            advance();
            if (!is(TokenKind::End)) body = parse_body();
        }
        const Span span = cover(first, token_.span);
        if (!is(TokenKind::End)) expected("'.'");
        advance();
        add_pending(body);
        add_rule(head, std::move(body), span);
    }

    // #show and #program do not change what clauses may be.
    void read_directive(Span first) {
        advance();
        if (!is("show") && !is("program") && !is("defined"))
            fail(cover(first, token_.span), fmt::format("'#{}' is not understood here", token_.text));
        while (!is(TokenKind::End) && !is(TokenKind::EndOfFile)) advance();
        if (is(TokenKind::End)) advance();
    }

    void add_rule(std::optional<Term> head, std::vector<BodyLiteral> body, Span span) {
        std::set<std::uint32_t> used;
        if (head) add_variables(*head, used);
        std::set<std::uint32_t> bound;
        const Term ordered = conjunction(std::move(body), used, bound, span);
        if (!std::ranges::includes(bound, used)) fail(span, "a variable of the head is not bound by the body");
        if (!head) {
            const Term number = terms_.number(static_cast<std::int64_t>(to_.constraints.size()));
            head = terms_.compound("violated", std::array{number});
            to_.constraints.push_back({*head, span});
        }
        to_.rules.add({{{resolution::no_term, *head}}, ordered, next_variable_, span});
    }

    // In an order in which everything is known when it is evaluated. `elsewhere`: variables that occur outside, too.
    Term conjunction(std::vector<BodyLiteral> body, const std::set<std::uint32_t>& elsewhere,
                     std::set<std::uint32_t>& bound, Span span) {
        std::map<std::uint32_t, std::size_t> literals;
        for (const BodyLiteral& one : body) {
            for (const std::uint32_t variable : variables_of(one.goal)) ++literals[variable];
        }
        for (const std::uint32_t variable : elsewhere) ++literals[variable];
        std::vector<Term> goals;
        while (!body.empty()) {
            const auto ready =
                std::ranges::find_if(body, [&](const BodyLiteral& one) { return is_ready(one, bound, literals); });
            if (ready == body.end()) fail(span, "a variable of this rule is bound by no atom");
            goals.push_back(ready->goal);
            for (const std::uint32_t variable : variables_of(ready->goal)) {
                if (!is_inner(*ready, variable, literals)) bound.insert(variable);
            }
            body.erase(ready);
        }
        Term all = terms_.constant("true");
        for (std::size_t g = goals.size(); g-- > 0;)
            all = terms_.is(all, "true", 0) ? goals[g] : terms_.compound(",", std::array{goals[g], all});
        return all;
    }

    // Variables of negations and aggregates that occur nowhere else are there for any value.
    static bool is_inner(const BodyLiteral& one, std::uint32_t variable,
                         const std::map<std::uint32_t, std::size_t>& literals) {
        const bool closed = one.kind == BodyLiteral::Kind::Negation || one.kind == BodyLiteral::Kind::Aggregate;
        return closed && literals.at(variable) == 1 && !one.given.contains(variable);
    }

    bool is_ready(const BodyLiteral& one, const std::set<std::uint32_t>& bound,
                  const std::map<std::uint32_t, std::size_t>& literals) const {
        const auto known = [&](Term term) {
            return std::ranges::all_of(variables_of(term), [&](std::uint32_t v) {
                return bound.contains(v) || one.given.contains(v) || is_inner(one, v, literals);
            });
        };
        if (one.kind == BodyLiteral::Kind::Atom) return true;
        if (one.kind == BodyLiteral::Kind::Assignment) return known(one.left) || known(one.right);
        return known(one.goal);
    }

    std::set<std::uint32_t> variables_of(Term term) const {
        std::set<std::uint32_t> found;
        add_variables(term, found);
        return found;
    }

    void add_variables(Term term, std::set<std::uint32_t>& to) const {
        if (terms_.is_variable(term)) to.insert(terms_.index(term));
        if (!terms_.is_callable(term)) return;
        for (const Term arg : terms_.args(term)) add_variables(arg, to);
    }

    // Ranges and alternatives within terms are goals in front.
    void add_pending(std::vector<BodyLiteral>& body) {
        for (const Term goal : std::exchange(pending_, {})) body.insert(body.begin(), {BodyLiteral::Kind::Atom, goal});
    }

    std::vector<BodyLiteral> parse_body() {
        std::vector<BodyLiteral> body;
        while (true) {
            body.push_back(parse_literal());
            add_pending(body);
            if (!is(TokenKind::Comma) && !is(TokenKind::Semicolon)) return body;
            advance();
        }
    }

    BodyLiteral parse_literal() {
        const Span first = token_.span;
        if (is("not")) {
            advance();
            const BodyLiteral inside = parse_literal();
            return {BodyLiteral::Kind::Negation, terms_.compound("\\+", std::array{inside.goal})};
        }
        if (is(TokenKind::Hash)) return parse_aggregate(std::nullopt, "");
        const Term left = parse_term();
        const std::optional<std::string> how = comparison();
        if (!how) {
            if (!terms_.is_callable(left) || is_operation(left)) fail(first, "a literal is an atom or a comparison");
            return {BodyLiteral::Kind::Atom, left};
        }
        if (is(TokenKind::Hash)) return parse_aggregate(left, *how);
        return compared(left, *how, parse_term());
    }

    std::optional<std::string> comparison() {
        static constexpr std::array<std::string_view, 8> signs = {"=", "==", "!=", "<", ">", "<=", ">=", "<>"};
        const auto* found = std::ranges::find(signs, token_.text);
        if (found == signs.end() || token_.quoted) return std::nullopt;
        std::string text(token_.text);
        const Span here = token_.span;
        advance();
        if (text == "<" && is(">") && here.end == token_.span.begin) {
            advance();
            text = "!=";
        }
        return text == "==" ? "=" : text;
    }

    bool is_operation(Term term) const {
        static constexpr std::array<std::string_view, 6> names = {"+", "-", "*", "/", "mod", "**"};
        return terms_.is_callable(term) && terms_.args(term).size() == 2 &&
               std::ranges::find(names, terms_.name(term)) != names.end();
    }

    BodyLiteral compared(Term left, const std::string& how, Term right) {
        const bool numbers = is_operation(left) || is_operation(right);
        if (how == "=") {
            if (!numbers)
                return {BodyLiteral::Kind::Assignment, terms_.compound("=", std::array{left, right}), left, right};
            if (is_operation(left)) std::swap(left, right);
            if (is_operation(left)) return test("=:=", left, right);
            return {BodyLiteral::Kind::Assignment, terms_.compound("is", std::array{left, right}), right, right};
        }
        if (how == "!=") return test(numbers ? "=\\=" : "\\==", left, right);
        return test(numbers ? (how == "<=" ? "=<" : how) : how == "<=" ? "@=<" : "@" + how, left, right);
    }
    BodyLiteral test(const std::string& how, Term left, Term right) {
        return {BodyLiteral::Kind::Test, terms_.compound(how, std::array{left, right})};
    }

    static std::string mirrored(const std::string& how) {
        const std::string turned = how.starts_with('<') ? ">" : how.starts_with('>') ? "<" : "";
        return turned.empty() ? how : turned + how.substr(1);
    }

    // #count{ X, Y : p(X), q(Y) ; … } > 1: the different tuples of all elements.
    BodyLiteral parse_aggregate(std::optional<Term> left, const std::string& left_sign) {
        const Span first = token_.span;
        advance();
        const std::string kind(token_.text);
        if (kind != "count" && kind != "sum" && kind != "min" && kind != "max")
            fail(cover(first, token_.span), fmt::format("'#{}' is not understood here", kind));
        advance();
        if (!is("{")) expected("'{'");
        advance();
        std::vector<Term> goals;
        Term all = terms_.constant("[]");
        while (!is("}")) {
            const Term found = fresh();
            const Term next = fresh();
            const Term element = parse_element();
            goals.push_back(
                terms_.compound("findall", std::array{terms_.args(element)[0], terms_.args(element)[1], found}));
            goals.push_back(terms_.compound("append", std::array{all, found, next}));
            all = next;
            if (is(TokenKind::Semicolon))
                advance();
            else if (!is("}"))
                expected("';' or '}'");
        }
        advance();
        const Term value = fresh();
        goals.push_back(terms_.compound("aggregate of", std::array{terms_.constant(kind), all, value}));
        BodyLiteral made;
        made.kind = BodyLiteral::Kind::Aggregate;
        bool compares = false;
        const auto compare_with = [&](const std::string& how, Term other) {
            compares = true;
            const BodyLiteral one = compared(value, how, other);
            goals.push_back(one.goal);
            if (how == "=" && terms_.is_variable(other)) made.given.insert(terms_.index(other));
        };
        if (left) compare_with(mirrored(left_sign), *left);
        if (const std::optional<std::string> how = comparison()) compare_with(*how, parse_term());
        if (!compares) fail(first, fmt::format("'#{}' is compared with nothing", kind));
        made.goal = goals.back();
        for (std::size_t g = goals.size() - 1; g-- > 0;)
            made.goal = terms_.compound(",", std::array{goals[g], made.goal});
        return made;
    }

    // The tuple and the condition.
    Term parse_element() {
        std::vector<Term> tuple;
        std::vector<Term> before = std::exchange(pending_, {});
        while (!is_colon() && !is(TokenKind::Semicolon) && !is("}")) {
            tuple.push_back(parse_term());
            if (is(TokenKind::Comma)) advance();
        }
        std::vector<BodyLiteral> condition;
        if (is_colon()) {
            advance();
            while (true) {
                condition.push_back(parse_literal());
                if (!is(TokenKind::Comma)) break;
                advance();
            }
        }
        add_pending(condition);
        pending_ = std::move(before);
        std::set<std::uint32_t> bound = outer_variables(condition);
        const Term goal = conjunction(std::move(condition), {}, bound, token_.span);
        return terms_.compound("", std::array{terms_.compound(tuple_name, tuple), goal});
    }

    // Tests within an element may be about variables that the rest of the rule binds.
    std::set<std::uint32_t> outer_variables(const std::vector<BodyLiteral>& condition) const {
        std::set<std::uint32_t> by_atoms;
        std::set<std::uint32_t> all;
        for (const BodyLiteral& one : condition) {
            std::set<std::uint32_t>& to = one.kind == BodyLiteral::Kind::Atom ? by_atoms : all;
            add_variables(one.goal, to);
        }
        std::set<std::uint32_t> outer;
        std::set_difference(all.begin(), all.end(), by_atoms.begin(), by_atoms.end(),
                            std::inserter(outer, outer.end()));
        return outer;
    }

    bool is_colon() const { return is(":"); }

    Term fresh() { return terms_.variable(next_variable_++); }

    Term parse_term() {
        if (++depth_ > deepest_nesting) fail(token_.span, "terms are nested too deep");
        Term left = parse_sum();
        if (is(TokenKind::Range)) {
            advance();
            const Term right = parse_sum();
            const Term value = fresh();
            pending_.push_back(terms_.compound("between", std::array{left, right, value}));
            left = value;
        }
        --depth_;
        return left;
    }

    Term parse_sum() {
        Term left = parse_product();
        while (is(TokenKind::Plus) || is(TokenKind::Minus)) {
            const std::string name(token_.text);
            advance();
            left = terms_.compound(name, std::array{left, parse_product()});
        }
        return left;
    }

    Term parse_product() {
        Term left = parse_operand();
        while (is(TokenKind::Star) || is(TokenKind::Slash) || is("\\")) {
            const std::string name = is(TokenKind::Slash) ? "//" : is(TokenKind::Star) ? "*" : "mod";
            advance();
            left = terms_.compound(name, std::array{left, parse_operand()});
        }
        return left;
    }

    Term parse_operand() {
        if (is(TokenKind::Variable)) {
            const std::string name(token_.text);
            advance();
            if (name == "_") return fresh();
            const auto [found, added] = variables_.try_emplace(name, next_variable_);
            if (added) ++next_variable_;
            return terms_.variable(found->second);
        }
        if (is(TokenKind::Number)) {
            const Term value = terms_.number(*neumann::parse_number(token_.text));
            advance();
            return value;
        }
        if (is(TokenKind::Minus)) {
            advance();
            const Term inside = parse_operand();
            if (terms_.is_number(inside))
                return terms_.number(neumann::apply(Operation::Negate, terms_.value(inside), {}));
            return terms_.compound("-", std::array{terms_.number(std::int64_t{0}), inside});
        }
        if (is(TokenKind::Open)) return parse_tuple();
        if (!is(TokenKind::Name)) expected("a term");
        const std::string name(token_.text);
        advance();
        std::vector<Term> args;
        if (is(TokenKind::Open)) {
            advance();
            args = parse_terms();
            take(TokenKind::Close, "',' or ')'");
        }
        return terms_.compound(name, args);
    }

    // (a) is a, (a,) is a tuple of one.
    Term parse_tuple() {
        advance();
        bool ends_with_comma = false;
        const std::vector<Term> parts = parse_terms(&ends_with_comma);
        take(TokenKind::Close, "',' or ')'");
        return parts.size() == 1 && !ends_with_comma ? parts[0] : terms_.compound(tuple_name, parts);
    }

    std::vector<Term> parse_terms(bool* ends_with_comma = nullptr) {
        std::vector<Term> terms;
        while (!is(TokenKind::Close)) {
            terms.push_back(parse_term());
            if (is(TokenKind::Semicolon)) {  // p(a ; b): either
                std::vector<Term> either = {terms.back()};
                while (is(TokenKind::Semicolon)) {
                    advance();
                    either.push_back(parse_term());
                }
                terms.back() = fresh();
                pending_.push_back(terms_.compound("member", std::array{terms.back(), terms_.list(either)}));
            }
            if (!is(TokenKind::Comma)) break;
            advance();
            if (is(TokenKind::Close) && ends_with_comma != nullptr) *ends_with_comma = true;
        }
        return terms;
    }

    syntax::Lexer lexer_;
    BiasRules& to_;
    Terms& terms_;
    Diagnostics& diagnostics_;
    Token token_;
    std::map<std::string, std::uint32_t> variables_;
    std::vector<Term> pending_;
    std::uint32_t next_variable_ = 0;
    unsigned depth_ = 0;
};

}  // namespace

BiasRules read_bias_rules(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
    BiasRules read;
    BiasReader(sources, file, read, diagnostics).read_all();
    return read;
}

}  // namespace neumann::search
