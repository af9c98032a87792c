// Terms of answer set programs, by the priorities of their operators.
#include <fmt/format.h>

#include "interchange/asp_parser.h"

namespace neumann::interchange {
namespace {

constexpr unsigned deepest_term = 1000;  // brackets and operators of a statement; keeps recursion far from the end

AspTerm make_term(AspTerm::Kind kind, std::string text, Span span, std::vector<AspTerm> args = {}) {
    return {kind, std::move(text), span, std::move(args), 0};
}

}  // namespace

void AspParser::enter() {
    if (++depth_ + operators_ <= deepest_term) return;
    diagnostics_.report(codes::too_deep, token_.span,
                        fmt::format("more than {} brackets and operators in one statement", deepest_term),
                        "split it into several");
    throw Refusal();
}

void AspParser::refuse_operator() {
    for (const std::string_view symbol : {"**", "^", "?", "&", "~"}) {
        if (is(symbol))
            refuse(token_.span, fmt::format("the operator '{}'", symbol), "arithmetic has + - * / \\ and |X| here");
    }
}

AspTerm AspParser::operation(const AspToken& symbol, AspTerm left, AspTerm right) {
    const Span span = cover(left.span, right.span);
    ++operators_;
    enter();
    --depth_;
    return make_term(AspTerm::Kind::Operation, symbol.text, span, {std::move(left), std::move(right)});
}

// Intervals bind most loosely.
AspTerm AspParser::parse_term() {
    AspTerm low = parse_sum();
    if (!is("..")) return low;
    advance();
    AspTerm high = parse_sum();
    const Span span = cover(low.span, high.span);
    return make_term(AspTerm::Kind::Interval, "..", span, {std::move(low), std::move(high)});
}

AspTerm AspParser::parse_sum() {
    AspTerm left = parse_product();
    while (is("+") || is("-")) {
        const AspToken symbol = token_;
        advance();
        left = operation(symbol, std::move(left), parse_product());
    }
    return left;
}

AspTerm AspParser::parse_product() {
    AspTerm left = parse_operand();
    refuse_operator();
    while (is("*") || is("/") || is("\\")) {
        const AspToken symbol = token_;
        advance();
        left = operation(symbol, std::move(left), parse_operand());
        refuse_operator();
    }
    return left;
}

AspTerm AspParser::parse_operand() {
    const AspToken token = token_;
    switch (token.kind) {
    case AspTokenKind::Variable:
        advance();
        return make_term(AspTerm::Kind::Variable, token.text, token.span);
    case AspTokenKind::Number: {
        advance();
        AspTerm number = make_term(AspTerm::Kind::Number, {}, token.span);
        number.number = std::stoll(token.text);
        return number;
    }
    case AspTokenKind::String:
        advance();
        return make_term(AspTerm::Kind::String, token.text, token.span);
    case AspTokenKind::Identifier:
        return parse_identifier();
    case AspTokenKind::Command:
        if (token.text == "#sup" || token.text == "#inf" || token.text == "#supremum" || token.text == "#infimum")
            refuse(token.span, fmt::format("the term '{}'", token.text),
                   "numbers have no largest and no smallest here");
        break;
    default:
        break;
    }
    if (is("(")) return parse_brackets();
    if (is("|")) return parse_absolute();
    if (is("@")) refuse(token_.span, "a function of a script ('@')", "write out what it computes as facts");
    refuse_operator();
    if (!is("-")) fail("a term");
    advance();
    enter();
    AspTerm operand = parse_operand();
    --depth_;
    const Span span = cover(token.span, operand.span);
    if (operand.kind == AspTerm::Kind::Number) {
        operand.number = -operand.number;
        operand.span = span;
        return operand;
    }
    return make_term(AspTerm::Kind::Operation, "-", span, {std::move(operand)});
}

// Arguments up to a semicolon or the end; `comma`: whether one stood behind the last of them.
std::vector<AspTerm> AspParser::parse_alternative(bool& comma) {
    std::vector<AspTerm> terms;
    comma = false;
    while (!is(")") && !is(";")) {
        terms.push_back(parse_term());
        comma = is(",");
        if (!comma) break;
        advance();
    }
    return terms;
}

AspTerm AspParser::parse_identifier() {
    const AspToken name = token_;
    if (name.text == "not") fail("a term");
    advance();
    if (!is("(")) return make_term(AspTerm::Kind::Symbol, name.text, name.span);
    enter();
    std::vector<AspTerm> alternatives;
    do {
        advance();
        bool comma = false;
        std::vector<AspTerm> args = parse_alternative(comma);
        if (comma) fail("an argument");
        alternatives.push_back(make_term(AspTerm::Kind::Symbol, name.text, name.span, std::move(args)));
    } while (is(";"));
    if (!is(")")) fail("',', ';' or ')'");
    --depth_;
    for (AspTerm& one : alternatives) one.span = cover(name.span, token_.span);
    const Span span = alternatives.front().span;
    advance();
    if (alternatives.size() == 1) return std::move(alternatives.front());
    return make_term(AspTerm::Kind::Pool, name.text, span, std::move(alternatives));
}

// (t) is t, (a,b) and (a,) are tuples, (a;b) is a pool.
AspTerm AspParser::parse_brackets() {
    const Span open = token_.span;
    enter();
    std::vector<AspTerm> alternatives;
    do {
        advance();
        bool comma = false;
        std::vector<AspTerm> terms = parse_alternative(comma);
        if (terms.empty()) fail("a term");
        const bool tuple = comma || terms.size() > 1;
        const Span span = cover(terms.front().span, terms.back().span);
        alternatives.push_back(tuple ? make_term(AspTerm::Kind::Tuple, {}, span, std::move(terms))
                                     : std::move(terms.front()));
    } while (is(";"));
    if (!is(")")) fail("',', ';' or ')'");
    --depth_;
    const Span span = cover(open, token_.span);
    advance();
    if (alternatives.size() == 1) return std::move(alternatives.front());
    return make_term(AspTerm::Kind::Pool, {}, span, std::move(alternatives));
}

AspTerm AspParser::parse_absolute() {
    const Span open = token_.span;
    enter();
    advance();
    AspTerm inside = parse_term();
    if (!is("|")) fail("'|'");
    --depth_;
    const Span span = cover(open, token_.span);
    advance();
    return make_term(AspTerm::Kind::Operation, "|", span, {std::move(inside)});
}

}  // namespace neumann::interchange
