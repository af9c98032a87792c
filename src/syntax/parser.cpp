#include "syntax/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/budget.h"
#include "syntax/refused.h"

namespace neumann::syntax {
namespace {

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
    if (is(TokenKind::Refused) || is(TokenKind::Hash) || is(TokenKind::Range)) {
        report_refused(token_.text, token_.span, diagnostics_);
    } else if (!is(TokenKind::Bad)) {
        // If the missing token belongs to the end of a line, the error is best shown there, not at the start of the
        // next.
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
    depth_ = operators_ = 0;
    plain_ = true;
    try {
        return parse_item();
    } catch (const SyntaxError&) {
        if (in_directive_ && ast_.size() > 1 && declares_first_argument(ast_[NodeIndex(0)].text))
            broken_names_.emplace_back(ast_[NodeIndex(1)].text);
        if (!in_directive_ && ast_.size() > 0) broken_heads_.emplace_back(ast_[NodeIndex(0)].text);
        skip_item();
        return std::nullopt;
    }
}

std::optional<Item> Parser::next_item() {
    require_budget("reading a program");
    while (!is(TokenKind::EndOfFile)) {
        if (std::optional<Item> item = try_item()) return item;
    }
    return std::nullopt;
}

std::optional<NodeIndex> Parser::whole_atom() {
    end_name_ = "the end of the text";
    try {
        const NodeIndex atom = parse_atom("an atom");
        make_term(ast_, atom, diagnostics_);
        if (is(TokenKind::End)) advance();
        if (!is(TokenKind::EndOfFile)) fail("the end of the atom");
        return atom;
    } catch (const SyntaxError&) {
        return std::nullopt;
    }
}

// The first occurrence of each variable.
void Parser::add_asked(NodeIndex goal, std::vector<NodeIndex>& asked) const {
    const Node& node = ast_[goal];
    if (node.kind == NodeKind::Not) return;
    const auto same = [&](NodeIndex known) { return ast_[known].text == node.text; };
    if (node.kind == NodeKind::Variable && !node.text.starts_with('_') && std::ranges::none_of(asked, same))
        asked.push_back(goal);
    for (NodeIndex child = node.first_child; child != no_node; child = ast_[child].next) {
        // Of an aggregate the result, which comes last.
        if (node.kind != NodeKind::Aggregate || ast_[child].next == no_node) add_asked(child, asked);
    }
}

std::optional<Item> Parser::whole_question(std::string_view name) {
    end_name_ = "the end of the text";
    Item item;
    try {
        const NodeIndex body = parse_body();
        make_goal(ast_, body, diagnostics_);
        if (is(TokenKind::End)) advance();
        if (!is(TokenKind::EndOfFile)) fail("',' or the end of the question");
        std::vector<NodeIndex> asked;
        add_asked(body, asked);
        const Span span = ast_[body].span;
        const NodeIndex head = ast_.add({NodeKind::Name, name, span, span});
        std::vector<NodeIndex> arguments;
        for (const NodeIndex variable : asked) {
            Node copy = ast_[variable];
            copy.next = no_node;
            arguments.push_back(ast_.add(copy));
        }
        ast_.set_children(head, arguments);
        ast_[head].quoted = true;
        std::vector<NodeIndex> children =
            ast_[body].kind == NodeKind::And ? ast_.children(body) : std::vector<NodeIndex>{body};
        children.insert(children.begin(), head);
        item.root = ast_.add({NodeKind::Rule, {}, span, span});
        ast_.set_children(item.root, children);
        item.span = span;
        return item;
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
        if (is(TokenKind::Not)) fail_constraint(first);
        if (!is(TokenKind::Name)) fail("the name of a directive");
        advance();
        if (name.text == "not" && !name.quoted) fail_constraint(first);
        item.root = ast_.add({NodeKind::Name, name.text, name.span, name.span});
        if (report_refused_directive(name.text, name.span, diagnostics_)) throw SyntaxError();
        if (is(TokenKind::Open)) {
            const Token open = token_;
            const std::vector<NodeIndex> arguments = parse_arguments(open);
            with_children(item.root, arguments, token_.span);
        }
    } else {
        parse_clause(item);
    }
    item.span = cover(first, token_.span);
    const bool goes_on = is(TokenKind::Comma) || is(TokenKind::Semicolon);
    if (item.kind == Item::Kind::Directive && goes_on) fail_constraint(first);
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

void Parser::fail_negated_head(Span symbol) {
    diagnostics_.report(codes::unsupported, symbol, "the head of a clause cannot be negated",
                        "what no fact and no clause says does not hold");
    throw SyntaxError();
}

// 1/2::p. of ProbLog.
void Parser::fail_fraction(Span first) {
    advance();
    diagnostics_.report(codes::bad_weight, cover(first, token_.span), "a weight is a decimal number, not a fraction",
                        "write 0.5:: for 1/2::");
    throw SyntaxError();
}

void Parser::parse_clause(Item& item) {
    const Span first = token_.span;
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
    NodeIndex head = parse_weighted_head(item.weight);
    if (is(TokenKind::Semicolon)) head = parse_choice(head, item);
    item.root = parse_rule(head);
}

// A probability that is to be learned looks like an atom until the '::' behind it.
NodeIndex Parser::parse_weighted_head(std::optional<Weight>& weight) {
    if (is(TokenKind::Weight)) {
        weight = Weight{token_.number, token_.span};
        advance();
        return parse_head();
    }
    const NodeIndex head = parse_head();
    if (!is(TokenKind::Refused) || token_.text != "::") return head;
    weight = parameter(head);
    advance();
    return parse_head();
}

// t(0.3), t(_)
Weight Parser::parameter(NodeIndex written) {
    const Node& node = ast_[written];
    if (node.text != "t" || node.quoted || node.child_count == 0) {
        diagnostics_.report(codes::bad_weight, node.span, "the weight in front of '::' is not a number",
                            "write a number between 0 and 1, such as 0.5::head :- body.");
        throw SyntaxError();
    }
    Weight weight{0.5, node.span, true, false};
    const Node& value = ast_[node.first_child];
    weight.open = value.kind == NodeKind::Variable && value.text == "_";
    if (node.child_count > 1 || (!weight.open && !value.number)) {
        diagnostics_.report(codes::bad_weight, node.span, "a probability to be learned is written t(_) or t(0.3)",
                            "the number is where learning starts; one parameter belongs to all instances of a clause");
        throw SyntaxError();
    }
    if (value.number) std::from_chars(value.text.data(), value.text.data() + value.text.size(), weight.value);
    return weight;
}

NodeIndex Parser::parse_head() {
    const Span first = token_.span;
    if (is(TokenKind::Not)) fail_negated_head(first);
    if (is(TokenKind::Number)) {
        advance();
        if (is(TokenKind::Slash)) fail_fraction(first);
        diagnostics_.report(codes::syntax, first, "a number is not the head of a clause",
                            "a weight is followed by '::'; quote a number to use it as the name of a predicate");
        throw SyntaxError();
    }
    const NodeIndex head = parse_atom("the head of a clause");
    const bool says_not = ast_[head].text == "not" && !ast_[head].quoted && ast_[head].child_count > 0;
    if (ast_[head].kind == NodeKind::Not || says_not) fail_negated_head(ast_[head].name_span);
    // evidence(\+ a). is the one fact about a goal.
    const bool about_a_goal = ast_[head].text == "evidence" && !ast_[head].quoted && ast_[head].child_count > 0;
    if (about_a_goal) {
        make_goal(ast_, ast_[head].first_child, diagnostics_);
    } else if (!plain_) {
        make_term(ast_, head, diagnostics_);
    }
    return head;
}

// 0.3::a ; 0.7::b
NodeIndex Parser::parse_choice(NodeIndex first, Item& item) {
    std::vector<NodeIndex> heads = {first};
    item.head_weights = {std::exchange(item.weight, std::nullopt)};
    while (is(TokenKind::Semicolon)) {
        advance();
        std::optional<Weight> weight;
        heads.push_back(parse_weighted_head(weight));
        item.head_weights.push_back(weight);
    }
    const NodeIndex choice = ast_.add({NodeKind::Or, {}, cover(ast_[first].span, ast_[heads.back()].span), {}});
    ast_.set_children(choice, heads);
    return choice;
}

NodeIndex Parser::parse_rule(NodeIndex head) {
    std::vector<NodeIndex> children = {head};
    bool explicit_true = false;
    Span last = ast_[head].span;
    if (is(TokenKind::If)) {
        advance();
        if (dialect_.empty_bodies && is(TokenKind::End)) {
            explicit_true = true;
        } else {
            const NodeIndex body = parse_body();
            if (is(TokenKind::Refused) || is(TokenKind::Range)) fail("',' or '.'");  // before the rest looks wrong
            make_goal(ast_, body, diagnostics_);
            last = ast_[body].span;
            const bool several = ast_[body].kind == NodeKind::And;
            for (const NodeIndex goal : several ? ast_.children(body) : std::vector{body}) {
                const bool is_true = ast_[goal].kind == NodeKind::And && ast_[goal].child_count == 0;
                explicit_true = explicit_true || is_true;
                if (!is_true) children.push_back(goal);
            }
            explicit_true = explicit_true || (several && ast_[body].child_count == 0);
        }
    }
    const NodeIndex rule =
        ast_.add({NodeKind::Rule, explicit_true ? "true" : "", cover(ast_[head].span, last), ast_[head].name_span});
    ast_.set_children(rule, children);
    return rule;
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

// Directives have a few shapes that terms do not: p/2, 0..9, the recall *, a negation and a clause in brackets.
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
        const NodeIndex rule = parse_rule(parse_head());
        in_directive_ = true;
        if (!is(TokenKind::Close)) fail_unclosed(open, ast_[rule].child_count > 1 ? "',' or ')'" : "':-' or ')'");
        ast_[rule].span = cover(open.span, token_.span);
        advance();
        return rule;
    }
    const NodeIndex term = parse_operand(1000, "an argument of the directive");
    if (is(TokenKind::If) && !token_.starts_line) {
        diagnostics_.report(codes::syntax, token_.span, "a clause in a directive needs brackets of its own",
                            "write it like :- initial((kp(X) :- in(O,X))).");
        throw SyntaxError();
    }
    if (is(TokenKind::Slash)) return parse_indicator(term);
    if (is(TokenKind::Range)) return parse_range(term);
    if (ast_[term].kind == NodeKind::Not) {
        make_goal(ast_, term, diagnostics_);
    } else if (!plain_) {
        make_term(ast_, term, diagnostics_);
    }
    return term;
}

// p/2, at the slash.
NodeIndex Parser::parse_indicator(NodeIndex name) {
    advance();
    std::uint32_t arity = 0;
    const auto [end, error] = std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), arity);
    if (!is(TokenKind::Number) || error != std::errc() || end != token_.text.data() + token_.text.size()) {
        fail("the number of arguments, as in edge/2");
    }
    Node& node = ast_[name];
    if (node.kind != NodeKind::Name || node.child_count != 0) fail("a name in front of '/'");
    node.kind = NodeKind::Indicator;
    node.arity = arity;
    node.span = cover(node.span, token_.span);
    advance();
    return name;
}

// 0..9, at the dots.
NodeIndex Parser::parse_range(NodeIndex low) {
    const Token dots = token_;
    advance();
    const NodeIndex high = parse_operand(1000, "a number");
    Node node{NodeKind::Operation, dots.text, cover(ast_[low].span, ast_[high].span), dots.span};
    node.operation = Operation::Range;
    const NodeIndex range = ast_.add(node);
    ast_.set_children(range, {low, high});
    return range;
}

}  // namespace neumann::syntax
