// Terms, expressions and goals, by the priorities of their operators.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "syntax/parser.h"
#include "syntax/shape.h"

namespace neumann::syntax {
namespace {

constexpr unsigned deepest_nesting = 1000;  // of brackets; keeps recursion far from the end of the stack
constexpr unsigned most_operators = 1000;   // in one clause; an expression is a tree as deep as it is long

// Prolog's priorities: an operator takes operands of a lower one.
constexpr unsigned disjunction = 1100;
constexpr unsigned conjunction = 1000;
constexpr unsigned argument = 999;
constexpr unsigned negation = 900;
constexpr unsigned comparison = 700;
constexpr unsigned sum = 500;
constexpr unsigned product = 400;
constexpr unsigned sign = 200;

struct Infix {
    unsigned priority;
    bool chains = false;  // a - b - c is (a - b) - c; a < b < c is nothing
};

std::optional<Infix> infix_of(const Token& token) {
    switch (token.kind) {
    case TokenKind::Semicolon:
        return Infix{disjunction};
    case TokenKind::Comma:
        return Infix{conjunction};
    case TokenKind::Compare:
        return Infix{comparison};
    case TokenKind::Plus:
    case TokenKind::Minus:
        return Infix{sum, true};
    case TokenKind::Star:
    case TokenKind::Slash:
    case TokenKind::DoubleSlash:
        return Infix{product, true};
    case TokenKind::Name:
        if (token.quoted) return std::nullopt;
        if (token.text == "is") return Infix{comparison};
        if (token.text == "mod") return Infix{product, true};
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

Comparison comparison_of(std::string_view text) {
    if (text == "==") return Comparison::Equal;
    if (text == "\\==") return Comparison::Different;
    for (auto one = Comparison::Equal;; one = static_cast<Comparison>(static_cast<int>(one) + 1)) {
        if (spelling(one) == text || one == Comparison::Between) return one;
    }
}

}  // namespace

// An operand, then operators up to the given priority. The resulting node is checked later (syntax/shape.h).
NodeIndex Parser::parse_operators(unsigned most, const std::string& what) {
    NodeIndex left = parse_operand(most, what);
    while (const std::optional<Infix> infix = infix_of(token_)) {
        if (infix->priority > most) break;
        if (infix->priority >= conjunction) {
            left = parse_series(left, infix->priority);
            continue;
        }
        plain_ = false;
        if (++operators_ > most_operators) {
            diagnostics_.report(codes::too_deep, token_.span,
                                fmt::format("more than {} operators in one clause", most_operators),
                                "split it into several");
            throw SyntaxError();
        }
        const Token symbol = token_;
        advance();
        const NodeIndex right = parse_operators(
            infix->priority - 1, infix->priority == comparison ? "a term" : "a number, a variable or an expression");
        const Span span = cover(ast_[left].span, ast_[right].span);
        Node node{infix->chains ? NodeKind::Operation : NodeKind::Compare, {}, span, symbol.span};
        if (infix->chains)
            node.operation = *find_operation(symbol.text, 2);
        else
            node.comparison = comparison_of(symbol.text);
        const NodeIndex both = ast_.add(node);
        ast_.set_children(both, {left, right});
        left = both;
        if (!infix->chains && infix_of(token_) && infix_of(token_)->priority == comparison) {
            diagnostics_.report(codes::syntax, token_.span, "comparisons do not chain",
                                "write each on its own: X < Y, Y < Z");
            throw SyntaxError();
        }
    }
    return left;
}

NodeIndex Parser::parse_body() { return parse_operators(disjunction, "a goal"); }

// Goals between commas, or alternatives between semicolons: one node for all of them.
NodeIndex Parser::parse_series(NodeIndex first, unsigned priority) {
    plain_ = false;
    const TokenKind separator = token_.kind;
    std::vector<NodeIndex> parts = {first};
    while (is(separator)) {
        advance();
        parts.push_back(parse_operators(priority - 1, "a goal"));
    }
    const Span span = cover(ast_[first].span, ast_[parts.back()].span);
    const NodeIndex node = ast_.add({separator == TokenKind::Comma ? NodeKind::And : NodeKind::Or, {}, span, span});
    ast_.set_children(node, parts);
    return node;
}

NodeIndex Parser::parse_operand(unsigned most, const std::string& what) {
    switch (token_.kind) {
    case TokenKind::Variable:
        return parse_variable();
    case TokenKind::Number:
        return parse_number(token_.span, token_.text);
    case TokenKind::OpenList:
        return parse_list();
    case TokenKind::Open:
        return parse_group(what);
    case TokenKind::Not:
        if (most < negation) fail(what);
        return parse_negation();
    case TokenKind::Minus:
        return parse_minus();
    case TokenKind::Plus:
    case TokenKind::Hash: {
        if (!in_directive_) fail(what);
        const Token place = token_;
        advance();
        return parse_place(place);
    }
    case TokenKind::Name:
        return parse_name();
    default:
        fail(what);
    }
}

NodeIndex Parser::parse_variable() {
    const Token token = token_;
    advance();
    if (is(TokenKind::Open)) {
        diagnostics_.report(codes::syntax, token.span, "a variable cannot take arguments",
                            "predicates and functors start with a lower-case letter, or are quoted");
        throw SyntaxError();
    }
    return ast_.add({NodeKind::Variable, token.text, token.span, token.span});
}

NodeIndex Parser::parse_number(Span span, std::string_view text) {
    Node node{NodeKind::Name, text, span, span};
    node.number = true;
    advance();
    if (is(TokenKind::Open)) {
        diagnostics_.report(codes::syntax, span, "a number cannot take arguments",
                            fmt::format("quote it to use it as a name: '{}'", text));
        throw SyntaxError();
    }
    return ast_.add(node);
}

// -3 is a number, -X an expression, and -type a place of a mode.
NodeIndex Parser::parse_minus() {
    const Token minus = token_;
    advance();
    if (is(TokenKind::Number) && token_.span.begin == minus.span.end) {
        const std::string negative = fmt::format("-{}", token_.text);
        const std::optional<Number> value = neumann::parse_number(negative);  // -0 is 0
        return parse_number(cover(minus.span, token_.span),
                            lexer_.texts()->emplace_back(value ? print(*value) : negative));
    }
    if (in_directive_) return parse_place(minus);
    plain_ = false;
    enter(minus);
    const NodeIndex operand = parse_operators(sign, "a number, a variable or an expression");
    --depth_;
    Node node{NodeKind::Operation, {}, cover(minus.span, ast_[operand].span), minus.span};
    node.operation = Operation::Negate;
    const NodeIndex index = ast_.add(node);
    ast_.set_children(index, {operand});
    return index;
}

NodeIndex Parser::parse_negation() {
    const Token symbol = token_;
    advance();
    return parse_negated(symbol);
}

// Behind \+ or not.
NodeIndex Parser::parse_negated(const Token& symbol) {
    plain_ = false;
    enter(symbol);
    const NodeIndex goal = parse_operators(negation, "a goal");
    --depth_;
    const NodeIndex node = ast_.add({NodeKind::Not, {}, cover(symbol.span, ast_[goal].span), symbol.span});
    ast_.set_children(node, {goal});
    return node;
}

NodeIndex Parser::parse_group(const std::string& what) {
    plain_ = false;
    const Token open = token_;
    enter(open);
    advance();
    const NodeIndex inside = parse_operators(disjunction, what);
    if (!is(TokenKind::Close)) fail_unclosed(open, "',' or ')'");
    --depth_;
    advance();
    return inside;
}

// Behind its sign.
NodeIndex Parser::parse_place(const Token& symbol) {
    if (!is(TokenKind::Name)) fail("a type after the sign");
    const NodeIndex type = ast_.add({NodeKind::Name, token_.text, token_.span, token_.span});
    const Span span = cover(symbol.span, token_.span);
    advance();
    const NodeIndex node = ast_.add({NodeKind::Signed, symbol.text, span, symbol.span});
    ast_.set_children(node, {type});
    return node;
}

NodeIndex Parser::parse_name() {
    const Token name = token_;
    advance();
    const bool operand_follows = is(TokenKind::Name) || is(TokenKind::Variable) || is(TokenKind::Not);
    if (name.text == "not" && !name.quoted && operand_follows) return parse_negated(name);
    Node node{NodeKind::Name, name.text, name.span, name.span};
    node.quoted = name.quoted;
    const NodeIndex index = ast_.add(node);
    if (!is(TokenKind::Open)) return index;
    const Token open = token_;
    const std::vector<NodeIndex> args = parse_arguments(open);
    return with_children(index, args, token_.span);
}

NodeIndex Parser::with_children(NodeIndex node, const std::vector<NodeIndex>& children, Span last) {
    ast_.set_children(node, children);
    ast_[node].span = cover(ast_[node].span, last);
    advance();  // the closing bracket
    return node;
}

void Parser::enter(const Token& open) {
    if (++depth_ <= deepest_nesting) return;
    diagnostics_.report(codes::too_deep, open.span, fmt::format("brackets are nested deeper than {}", deepest_nesting));
    throw SyntaxError();
}

// Leaves the closing bracket as the current token.
std::vector<NodeIndex> Parser::parse_arguments(const Token& open) {
    enter(open);
    const bool directive_arguments = in_directive_ && depth_ == 1;
    std::vector<NodeIndex> args;
    advance();
    if (is(TokenKind::Close)) fail("at least one argument (a predicate without arguments has no brackets)");
    while (true) {
        args.push_back(directive_arguments ? parse_directive_argument() : parse_operators(argument, "a term"));
        if (is(TokenKind::Close)) break;
        if (!is(TokenKind::Comma)) fail_unclosed(open, "',' or ')'");
        advance();
    }
    --depth_;
    return args;
}

NodeIndex Parser::parse_list() {
    const Token open = token_;
    enter(open);
    Node node{NodeKind::List, "[]", open.span, open.span};
    std::vector<NodeIndex> elements;
    advance();
    while (!is(TokenKind::CloseList)) {
        elements.push_back(parse_operators(argument, "an element"));
        if (is(TokenKind::Bar) && !node.has_tail) {
            advance();
            elements.push_back(parse_operators(argument, "the rest of the list"));
            node.has_tail = true;
            if (!is(TokenKind::CloseList)) fail_unclosed(open, "']'");
        } else if (is(TokenKind::Comma)) {
            advance();
            if (is(TokenKind::CloseList)) fail("an element");
        } else if (!is(TokenKind::CloseList)) {
            fail_unclosed(open, "',', '|' or ']'");
        }
    }
    --depth_;
    return with_children(ast_.add(node), elements, token_.span);
}

}  // namespace neumann::syntax
