#include "syntax/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "syntax/refused.h"

namespace neumann::syntax {
namespace {

constexpr unsigned deepest_nesting = 1000;  // of brackets; keeps recursion far from the end of the stack

std::string describe(const Token& token, const char* end_name) {
    switch (token.kind) {
    case TokenKind::EndOfFile:
        return end_name;
    case TokenKind::End:
        return "'.'";
    case TokenKind::Variable:
        return fmt::format("variable '{}'", token.text);
    case TokenKind::Weight:
        return fmt::format("weight '{}::'", token.text);
    default:
        return fmt::format("'{}'", token.text);
    }
}

bool declares_first_argument(std::string_view directive) {
    constexpr std::array<std::string_view, 5> declaring = {"type", "list", "pred", "neural", "functor"};
    return std::ranges::find(declaring, directive) != declaring.end();
}

}  // namespace

Parser::Parser(const SourceSet& sources, std::uint32_t file, Dialect dialect, Diagnostics& diagnostics)
    : lexer_(sources, file, dialect, diagnostics), dialect_(dialect), diagnostics_(diagnostics) {
    advance();
}

void Parser::fail(const std::string& expected) {
    if (is(TokenKind::Refused) || is(TokenKind::Hash)) {
        report_refused(token_.text, token_.span, diagnostics_);
    } else if (!is(TokenKind::Bad)) {
        // What is missing at the end of a line is best shown there, not at the start of the next.
        const bool at_break = (token_.starts_line || is(TokenKind::EndOfFile)) && token_.span.begin > item_begin_;
        diagnostics_.report(codes::syntax, at_break ? previous_.span : token_.span,
                            fmt::format("expected {}{}, found {}", expected, at_break ? " after this" : "",
                                        describe(token_, end_name_)));
    }
    throw SyntaxError();
}

void Parser::fail_unclosed(const Token& open, const std::string& closing) {
    // A wrong token inside is one mistake, a statement that ends inside is another: the bracket itself.
    if (!is(TokenKind::End) && !is(TokenKind::EndOfFile) && !is(TokenKind::If)) fail(closing);
    diagnostics_.report(codes::unclosed, open.span, fmt::format("this '{}' is never closed", open.text),
                        fmt::format("expected {} before {}", closing, describe(token_, end_name_)));
    throw SyntaxError();
}

// Goes on behind the next dot, or at the next line that looks like the start of an item: an unclosed quote or a missing
// dot should not hide the mistakes that follow.
void Parser::skip_item() {
    const auto starts_item = [&] {
        const bool may_start = is(TokenKind::Name) || is(TokenKind::If) || is(TokenKind::Weight);
        return token_.starts_line && may_start && token_.span.begin > item_begin_;
    };
    while (!is(TokenKind::End) && !is(TokenKind::EndOfFile) && !starts_item()) advance();
    if (is(TokenKind::End)) advance();
}

std::optional<Item> Parser::try_item() {
    ast_.clear();
    item_begin_ = token_.span.begin;
    in_directive_ = false;
    depth_ = 0;
    try {
        return parse_item();
    } catch (const SyntaxError&) {
        if (in_directive_ && ast_.size() > 1 && declares_first_argument(ast_[NodeIndex(0)].text))
            broken_names_.emplace_back(ast_[NodeIndex(1)].text);
        skip_item();
        return std::nullopt;
    }
}

std::optional<Item> Parser::next_item() {
    while (!is(TokenKind::EndOfFile)) {
        if (std::optional<Item> item = try_item()) return item;
    }
    return std::nullopt;
}

std::optional<Item> Parser::next_directive() {
    while (!is(TokenKind::EndOfFile)) {
        const std::optional<Item> item = try_item();
        if (item && item->kind == Item::Kind::Directive) return item;
    }
    return std::nullopt;
}

std::optional<NodeIndex> Parser::whole_atom() {
    end_name_ = "the end of the text";
    try {
        const NodeIndex atom = parse_atom("an atom");
        if (is(TokenKind::End)) advance();
        if (!is(TokenKind::EndOfFile)) fail("the end of the atom");
        return atom;
    } catch (const SyntaxError&) {
        return std::nullopt;
    }
}

Item Parser::parse_item() {
    Item item;
    const Span first = token_.span;
    if (is(TokenKind::If)) {
        item.kind = Item::Kind::Directive;
        in_directive_ = true;
        advance();
        const Token name = token_;
        if (!is(TokenKind::Name)) fail("the name of a directive");
        advance();
        if (name.text == "not" && !name.quoted) fail_constraint(first);
        item.root = ast_.add({NodeKind::Name, name.text, name.span, name.span});
        if (is(TokenKind::Open)) {
            const Token open = token_;
            const std::vector<NodeIndex> arguments = parse_arguments(open);
            with_children(item.root, arguments, token_.span);
        }
    } else {
        if (is(TokenKind::Minus)) {
            const Token minus = token_;
            advance();
            if (is(TokenKind::Weight)) {
                diagnostics_.report(codes::bad_weight, cover(first, token_.span), "a weight cannot be negative",
                                    "weights lie between 0 and 1");
                throw SyntaxError();
            }
            diagnostics_.report(codes::syntax, minus.span, "expected a clause, found '-'");
            throw SyntaxError();
        }
        if (is(TokenKind::Weight)) {
            item.weight = Weight{token_.number, token_.span};
            advance();
        }
        item.root = parse_rule();
    }
    item.span = cover(first, token_.span);
    if (item.kind == Item::Kind::Directive && is(TokenKind::Comma)) fail_constraint(first);
    if (item.kind == Item::Kind::Clause && is(TokenKind::Slash)) fail_fraction(first);
    if (!is(TokenKind::End)) {
        const bool has_body =
            item.kind == Item::Kind::Clause && (ast_[item.root].child_count > 1 || ast_[item.root].text == "true");
        fail(item.kind == Item::Kind::Directive ? "'.'" : has_body ? "',' or '.'" : "':-' or '.'");
    }
    item.span = cover(first, token_.span);
    advance();
    return item;
}

// :- p(X), q(X). of answer set programs.
void Parser::fail_constraint(Span first) {
    diagnostics_.report(codes::unsupported, cover(first, token_.span),
                        "not part of the language: a constraint (':- goals.')",
                        "behind ':-' stands a directive, such as :- query(answer(X)).; derive a predicate instead");
    throw SyntaxError();
}

// 1/2::p. of ProbLog.
void Parser::fail_fraction(Span first) {
    advance();
    diagnostics_.report(codes::bad_weight, cover(first, token_.span), "a weight is a decimal number, not a fraction",
                        "write 0.5:: for 1/2::");
    throw SyntaxError();
}

NodeIndex Parser::parse_rule() {
    const NodeIndex head = parse_atom("the head of a clause");
    if (ast_[head].kind == NodeKind::Name && is(TokenKind::Refused) && token_.text == "::") {
        diagnostics_.report(codes::bad_weight, ast_[head].span, "the weight in front of '::' is not a number",
                            "write a number between 0 and 1, such as 0.5::head :- body.");
        throw SyntaxError();
    }
    std::vector<NodeIndex> children = {head};
    bool explicit_true = false;
    if (is(TokenKind::If)) {
        advance();
        if (dialect_.empty_bodies && is(TokenKind::End)) {
            explicit_true = true;
        } else {
            for (NodeIndex goal : parse_goals(explicit_true)) children.push_back(goal);
        }
    }
    const Span span = cover(ast_[head].span, ast_[children.back()].span);
    const NodeIndex rule = ast_.add({NodeKind::Rule, explicit_true ? "true" : "", span, ast_[head].name_span});
    ast_.set_children(rule, children);
    return rule;
}

std::vector<NodeIndex> Parser::parse_goals(bool& explicit_true) {
    std::vector<NodeIndex> goals;
    do {
        if (!goals.empty() || explicit_true) advance();  // the comma
        const NodeIndex goal = parse_goal();
        const Node& node = ast_[goal];
        if (node.kind == NodeKind::Name && node.text == "true" && node.child_count == 0 && !node.quoted) {
            explicit_true = true;
        } else {
            goals.push_back(goal);
        }
    } while (is(TokenKind::Comma));
    return goals;
}

NodeIndex Parser::parse_goal() {
    if (is(TokenKind::Open)) {
        diagnostics_.report(codes::unsupported, token_.span, "goals cannot be grouped by brackets",
                            "a body is a list of goals; for alternatives write one clause each");
        throw SyntaxError();
    }
    const NodeIndex left = parse_term("a goal");
    if (is(TokenKind::Equal) || is(TokenKind::NotEqual)) {
        const NodeKind kind = is(TokenKind::Equal) ? NodeKind::Equal : NodeKind::NotEqual;
        advance();
        const NodeIndex right = parse_term("a term");
        const Span span = cover(ast_[left].span, ast_[right].span);
        const NodeIndex node = ast_.add({kind, {}, span, span});
        ast_.set_children(node, {left, right});
        return node;
    }
    const Node& node = ast_[left];
    // Prolog's word operators: `X is Y`, and `not p`, which may also be written not(p).
    if (is(TokenKind::Name) && token_.text == "is") {
        report_refused("is", token_.span, diagnostics_);
        throw SyntaxError();
    }
    if (node.kind != NodeKind::Name) {
        if (is(TokenKind::Refused)) fail("'=' or '\\='");
        diagnostics_.report(codes::syntax, node.span, "a goal must be an atom, or a comparison with = or \\=");
        throw SyntaxError();
    }
    if (node.text == "not" && !node.quoted && (node.child_count == 1 || is(TokenKind::Name))) {
        report_refused("not", node.name_span, diagnostics_);
        throw SyntaxError();
    }
    return left;
}

NodeIndex Parser::parse_atom(const std::string& what) {
    if (is(TokenKind::Variable)) {
        diagnostics_.report(codes::syntax, token_.span,
                            fmt::format("expected {}, found {}", what, describe(token_, end_name_)),
                            "predicates start with a lower-case letter, or are quoted");
        throw SyntaxError();
    }
    if (!is(TokenKind::Name)) fail(what);
    return parse_name();
}

NodeIndex Parser::parse_term(const std::string& what) {
    if (is(TokenKind::Variable)) {
        const Token token = token_;
        advance();
        if (is(TokenKind::Open)) {
            diagnostics_.report(codes::syntax, token.span, "a variable cannot take arguments",
                                "predicates and functors start with a lower-case letter, or are quoted");
            throw SyntaxError();
        }
        return ast_.add({NodeKind::Variable, token.text, token.span, token.span});
    }
    if (is(TokenKind::OpenList)) return parse_list();
    if (in_directive_ && (is(TokenKind::Plus) || is(TokenKind::Minus) || is(TokenKind::Hash))) {
        const Token sign = token_;
        advance();
        if (!is(TokenKind::Name)) fail("a type after the sign");
        const NodeIndex type = ast_.add({NodeKind::Name, token_.text, token_.span, token_.span});
        const Span span = cover(sign.span, token_.span);
        advance();
        const NodeIndex node = ast_.add({NodeKind::Signed, sign.text, span, sign.span});
        ast_.set_children(node, {type});
        return node;
    }
    if (!is(TokenKind::Name)) fail(what);
    return parse_name();
}

NodeIndex Parser::parse_name() {
    const Token name = token_;
    advance();
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

// Leaves the closing bracket as the current token.
std::vector<NodeIndex> Parser::parse_arguments(const Token& open) {
    if (++depth_ > deepest_nesting) {
        diagnostics_.report(codes::too_deep, open.span,
                            fmt::format("brackets are nested deeper than {}", deepest_nesting));
        throw SyntaxError();
    }
    const bool directive_arguments = in_directive_ && depth_ == 1;
    std::vector<NodeIndex> args;
    advance();
    if (is(TokenKind::Close)) fail("at least one argument (a predicate without arguments has no brackets)");
    while (true) {
        args.push_back(directive_arguments ? parse_directive_argument() : parse_term("a term"));
        if (is(TokenKind::Close)) break;
        if (!is(TokenKind::Comma)) fail_unclosed(open, "',' or ')'");
        advance();
    }
    --depth_;
    return args;
}

NodeIndex Parser::parse_list() {
    const Token open = token_;
    if (++depth_ > deepest_nesting) {
        diagnostics_.report(codes::too_deep, open.span,
                            fmt::format("brackets are nested deeper than {}", deepest_nesting));
        throw SyntaxError();
    }
    Node node{NodeKind::List, "[]", open.span, open.span};
    std::vector<NodeIndex> elements;
    advance();
    while (!is(TokenKind::CloseList)) {
        elements.push_back(parse_term("an element"));
        if (is(TokenKind::Bar) && !node.has_tail) {
            advance();
            elements.push_back(parse_term("the rest of the list"));
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

// Directives have a few shapes that terms do not: p/2, the recall *, and a clause in brackets.
NodeIndex Parser::parse_directive_argument() {
    if (is(TokenKind::Star)) {
        const Token star = token_;
        advance();
        return ast_.add({NodeKind::Star, star.text, star.span, star.span});
    }
    if (is(TokenKind::Open)) {
        const Token open = token_;
        advance();
        in_directive_ = false;
        const NodeIndex rule = parse_rule();
        in_directive_ = true;
        if (!is(TokenKind::Close)) fail_unclosed(open, ast_[rule].child_count > 1 ? "',' or ')'" : "':-' or ')'");
        ast_[rule].span = cover(open.span, token_.span);
        advance();
        return rule;
    }
    const NodeIndex term = parse_term("an argument of the directive");
    if (is(TokenKind::If) && !token_.starts_line) {
        diagnostics_.report(codes::syntax, token_.span, "a clause in a directive needs brackets of its own",
                            "write it like :- initial((kp(X) :- in(O,X))).");
        throw SyntaxError();
    }
    if (!is(TokenKind::Slash)) return term;
    advance();
    std::uint32_t arity = 0;
    const auto [end, error] = std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), arity);
    if (!is(TokenKind::Name) || error != std::errc() || end != token_.text.data() + token_.text.size()) {
        fail("the number of arguments, as in edge/2");
    }
    Node& node = ast_[term];
    if (node.kind != NodeKind::Name || node.child_count != 0) fail("a name in front of '/'");
    node.kind = NodeKind::Indicator;
    node.number = arity;
    node.span = cover(node.span, token_.span);
    advance();
    return term;
}

}  // namespace neumann::syntax
