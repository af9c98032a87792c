#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "syntax/clause_text.h"
#include "syntax/parser.h"

namespace neumann::syntax {
namespace {

// Every node with its kind, so that a wrong shape cannot hide behind right text.
std::string shape(const Ast& ast, NodeIndex index) {
    const Node& node = ast[index];
    std::vector<std::string> children;
    for (NodeIndex child : ast.children(index)) children.push_back(shape(ast, child));
    const std::string inside = fmt::format("{}", fmt::join(children, " "));
    switch (node.kind) {
    case NodeKind::Variable:
        return fmt::format("?{}", node.text);
    case NodeKind::Name:
        return children.empty() ? std::string(node.text) : fmt::format("({} {})", node.text, inside);
    case NodeKind::List:
        return fmt::format("[{}{}]", inside, node.has_tail ? " tail" : "");
    case NodeKind::Equal:
        return fmt::format("(= {})", inside);
    case NodeKind::NotEqual:
        return fmt::format("(\\= {})", inside);
    case NodeKind::Signed:
        return fmt::format("{}{}", node.text, inside);
    case NodeKind::Indicator:
        return fmt::format("{}/{}", node.text, node.number);
    case NodeKind::Star:
        return "*";
    case NodeKind::Rule:
        return fmt::format("<{}{}>", inside, node.text.empty() ? "" : " true");
    }
    return "?";
}

struct Parsed {
    std::vector<std::string> items;
    std::vector<std::string> problems;  // "syntax 1:5-7"
};

Parsed parse(std::string_view text, Dialect dialect = {}) {
    SourceSet sources;
    Diagnostics diagnostics;
    Parser parser(sources, sources.add("t", std::string(text)), dialect, diagnostics);
    Parsed result;
    while (const std::optional<Item> item = parser.next_item()) {
        std::string prefix = item->kind == Item::Kind::Directive ? ":- " : "";
        if (item->weight) prefix += fmt::format("{}::", item->weight->value);
        result.items.push_back(prefix + shape(parser.ast(), item->root));
    }
    for (const Diagnostic& d : diagnostics.sorted()) {
        result.problems.push_back(fmt::format("{} {}", d.code.name, describe_place(sources, d.span).substr(2)));
    }
    return result;
}

std::string one(std::string_view text, Dialect dialect = {}) {
    const Parsed parsed = parse(text, dialect);
    EXPECT_EQ(parsed.problems, std::vector<std::string>{}) << text;
    return parsed.items.size() == 1 ? parsed.items[0] : fmt::format("{} items", parsed.items.size());
}

TEST(Parser, Clauses) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"p.", "<p>"},
        {"p(a,X).", "<(p a ?X)>"},
        {"p :- q.", "<p q>"},
        {"p :- q, r(X).", "<p q (r ?X)>"},
        {"p :- true.", "<p true>"},
        {"p :- true, q.", "<p q true>"},
        {"p :- q, true, true.", "<p q true>"},
        {"p :- 'true'.", "<p true>"},  // a predicate of that name: same text, but a goal (see below)
        {"p(X) :- X = a, Y \\= f(X).", "<(p ?X) (= ?X a) (\\= ?Y (f ?X))>"},
        {"0.5::p :- q.", "0.5::<p q>"},
        {"1e-3::p.", "0.001::<p>"},
        {"p([]).", "<(p [])>"},
        {"p([a,B]).", "<(p [a ?B])>"},
        {"p([a,b|T]).", "<(p [a b ?T tail])>"},
        {"p([a|[b|[]]]).", "<(p [a [b [] tail] tail])>"},
        {"p(f(g(X),[Y])).", "<(p (f (g ?X) [?Y]))>"},
        {"'a b'('X').", "<(a b X)>"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(one(text), expected) << text;
}

TEST(Parser, AQuotedTrueIsAGoal) {
    SourceSet sources;
    Diagnostics diagnostics;
    Parser parser(sources, sources.add("t", "p :- 'true'."), {}, diagnostics);
    const std::optional<Item> item = parser.next_item();
    ASSERT_TRUE(item.has_value());
    EXPECT_EQ(parser.ast().children(item->root).size(), 2U);
    EXPECT_EQ(parser.ast()[item->root].text, "");
}

TEST(Parser, Directives) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {":- type(color, [red, blue]).", ":- (type color [red blue])"},
        {":- pred(edge(node, node)).", ":- (pred (edge node node))"},
        {":- learn(delete/3, 2).", ":- (learn delete/3 2)"},
        {":- distinct('a b'/2).", ":- (distinct a b/2)"},
        {":- modeb(*, color(+object, #color)).", ":- (modeb * (color +object #color))"},
        {":- modeh(1, kp(-image)).", ":- (modeh 1 (kp -image))"},
        {":- initial((kp(X) :- in(O,X), O \\= a)).", ":- (initial <(kp ?X) (in ?O ?X) (\\= ?O a)>)"},
        {":- initial((kp(X))).", ":- (initial <(kp ?X)>)"},
        {":- initial(kp(X)).", ":- (initial (kp ?X))"},
        {":- query(p).", ":- (query p)"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(one(text), expected) << text;
}

TEST(Parser, WhatDirectivesHaveClausesHaveNot) {
    for (std::string_view text : {"p(+a).", "p(#a).", "p(*).", "p(q/2).", "p((a :- b))."}) {
        EXPECT_EQ(parse(text).problems.size(), 1U) << text;
    }
}

TEST(Parser, EmptyBodiesBelongToFolders) {
    EXPECT_EQ(one("p(X):-.", folder_dialect), "<(p ?X) true>");
    EXPECT_EQ(parse("p(X) :- .").problems, std::vector<std::string>{"syntax 1:9"});
}

TEST(Parser, ErrorsStandWhereTheMistakeIs) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"p(X", "unclosed 1:2"},          {"p(X.", "unclosed 1:2"},
        {"p([X.", "unclosed 1:3"},        {"p :- q(X :- r.", "unclosed 1:7"},
        {"p(X)", "syntax 1:4"},         // the dot is missing behind the last word …
        {"p(X)\nq(a).", "syntax 1:4"},  // … also when the next line goes on
        {"p().", "syntax 1:3"},           {"p(a,).", "syntax 1:5"},
        {"p([a,]).", "syntax 1:6"},       {"p([a|b,c]).", "syntax 1:7"},
        {"p([|a]).", "syntax 1:4"},       {"X :- p.", "syntax 1:1"},
        {"p :- X.", "syntax 1:6"},        {"p :- [a].", "syntax 1:6-8"},
        {"p :- q r.", "syntax 1:8"},      {"P(a).", "syntax 1:1"},
        {"p(Q(a)).", "syntax 1:3"},       {"p :- q,, r.", "syntax 1:8"},
        {"p) :- q.", "syntax 1:2"},       {":- .", "syntax 1:4"},
        {":- type(a) p.", "syntax 1:12"}, {"-0.5::p.", "bad-weight 1:1-4"},
        {"half::p.", "bad-weight 1:1-4"}, {"p(a) = b.", "syntax 1:6"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(parse(text).problems, std::vector<std::string>{std::string(expected)}) << text;
    }
}

TEST(Parser, ALeadingDotIsNoWeight) { EXPECT_FALSE(parse(".5::p.").problems.empty()); }

TEST(Parser, RefusesByName) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"p :- \\+ q.", "negation"},
        {"p :- not q.", "negation"},
        {"p :- not(q).", "negation"},
        {"p :- q ; r.", "disjunction"},
        {"0.3::a; 0.7::b.", "disjunction"},
        {"p :- q -> r.", "if-then-else"},
        {"p :- q, !.", "the cut"},
        {"p(X) :- X is 1.", "arithmetic"},
        {"p(X) :- X < 1.", "arithmetic comparison"},
        {"p(X) :- q(X), X =:= 1.", "arithmetic comparison"},
        {"p(X) :- a >= X.", "arithmetic comparison"},
        {"p(X) :- X == a.", "term identity"},
        {"p(X) :- X \\== a.", "term identity"},
        {"p(X) :- X =.. Y.", "term construction"},
        {"a --> b.", "grammar rules"},
        {"?- p.", "a Prolog query"},
        {"p(\"text\").", "strings"},
        {"p :- {q}.", "curly brackets"},
    };
    for (const auto& [text, expected] : cases) {
        SourceSet sources;
        Diagnostics diagnostics;
        Parser parser(sources, sources.add("t", std::string(text)), {}, diagnostics);
        while (parser.next_item()) {
        }
        const std::vector<Diagnostic> found = diagnostics.sorted();
        ASSERT_FALSE(found.empty()) << text;
        EXPECT_EQ(found[0].code.name, "unsupported") << text;
        EXPECT_TRUE(found[0].message.find(expected) != std::string::npos) << text << ": " << found[0].message;
        EXPECT_TRUE(expected == "curly brackets" || !found[0].advice.empty()) << text;
    }
}

TEST(Parser, GoesOnAfterAMistake) {
    const Parsed parsed = parse("p(.\nq(a).\nr(,).\ns(b).\n'open\nt.\n");
    EXPECT_EQ(parsed.items, (std::vector<std::string>{"<(q a)>", "<(s b)>", "<t>"}));
    EXPECT_EQ(parsed.problems.size(), 3U);
}

TEST(Parser, DeepNestingIsRefusedNotCrashed) {
    const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
        std::string text = "p(";
        for (std::size_t i = 0; i < depth; ++i) text += open;
        text += "a";
        for (std::size_t i = 0; i < depth; ++i) text += close;
        return text + ").";
    };
    EXPECT_TRUE(parse(nested(900, "s(", ")")).problems.empty());
    EXPECT_TRUE(parse(nested(100'000, "s(", ")")).problems.at(0).starts_with("too-deep"));
    EXPECT_TRUE(parse(nested(100'000, "[", "]")).problems.at(0).starts_with("too-deep"));
}

TEST(Parser, OnlyDirectivesMayBeWanted) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.add("t", "p(X) :-\nq(X),\n  r.\n:- query(p).\n:- query(q).\n");
    EXPECT_EQ(read_directives(sources, 0, diagnostics).size(), 2U);
    EXPECT_FALSE(diagnostics.has_errors());
}

// A line that starts with `:-` is not the start of a directive if the clause above has not ended.
TEST(Parser, ABodyMayStartOnItsOwnLine) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.add("t", "p(X)\n:- q(X).\n");
    EXPECT_EQ(read_directives(sources, 0, diagnostics).size(), 0U);
    EXPECT_EQ(one("p(X)\n:- q(X)."), "<(p ?X) (q ?X)>");
}

TEST(Parser, AnAtomMayFillTheWholeText) {
    const auto whole = [](std::string_view text) -> std::string {
        SourceSet sources;
        Diagnostics diagnostics;
        Parser parser(sources, sources.add("--query", std::string(text)), {}, diagnostics);
        const std::optional<NodeIndex> node = parser.whole_atom();
        return node ? shape(parser.ast(), *node) : "refused";
    };
    EXPECT_EQ(whole("kp(img)"), "(kp img)");
    EXPECT_EQ(whole("kp(X)."), "(kp ?X)");
    EXPECT_EQ(whole("kp(X) :- q"), "refused");
    EXPECT_EQ(whole("kp(X), q"), "refused");
    EXPECT_EQ(whole(""), "refused");
    EXPECT_EQ(whole("X"), "refused");
}

}  // namespace
}  // namespace neumann::syntax
