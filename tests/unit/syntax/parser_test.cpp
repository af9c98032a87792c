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
    case NodeKind::Compare:
        return fmt::format("({} {})", spelling(node.comparison), inside);
    case NodeKind::Operation:
        return fmt::format("({} {})", spelling(node.operation), inside);
    case NodeKind::Not:
        return fmt::format("(not {})", inside);
    case NodeKind::And:
        return fmt::format("(and {})", inside);
    case NodeKind::Or:
        return fmt::format("(or {})", inside);
    case NodeKind::Aggregate:
        return fmt::format("(all {} {})", node.text, inside);
    case NodeKind::Signed:
        return fmt::format("{}{}", node.text, inside);
    case NodeKind::Indicator:
        return fmt::format("{}/{}", node.text, node.arity);
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
        for (const std::optional<Weight>& weight : item->head_weights)
            prefix += weight ? fmt::format("{};", weight->value) : "-;";
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

TEST(Parser, OperatorsHavePrologsPriorities) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"p <- q.", "<p q>"},
        {"p(X) :- X is 1 + 2 * 3 - 4.", "<(p ?X) (is ?X (- (+ 1 (* 2 3)) 4))>"},
        {"p(X) :- X is (1 + 2) * 3.", "<(p ?X) (is ?X (* (+ 1 2) 3))>"},
        {"p(X) :- X is 8 - 3 - 2.", "<(p ?X) (is ?X (- (- 8 3) 2))>"},
        {"p(X) :- X is 7 // 2 mod 3 / 1.", "<(p ?X) (is ?X (/ (mod (// 7 2) 3) 1))>"},
        {"p(X) :- X is -X * 2.", "<(p ?X) (is ?X (* (- ?X) 2))>"},
        {"p(X) :- X is 1 - -2.", "<(p ?X) (is ?X (- 1 -2))>"},
        {"p(X) :- X is -(3).", "<(p ?X) (is ?X (- 3))>"},
        {"p(X) :- X is 1-2.", "<(p ?X) (is ?X (- 1 2))>"},
        {"p(X) :- X is min(1, max(X, abs(-2))).", "<(p ?X) (is ?X (min 1 (max ?X (abs -2))))>"},
        {"p(X) :- X < 3, X =< Y + 1.", "<(p ?X) (< ?X 3) (=< ?X (+ ?Y 1))>"},
        {"p(X) :- X<-3.", "<(p ?X) (< ?X -3)>"},
        {"p(X) :- X > 3, X >= 3, X =:= 3, X =\\= 3.", "<(p ?X) (> ?X 3) (>= ?X 3) (=:= ?X 3) (=\\= ?X 3)>"},
        {"p(X) :- X == a, X \\== b.", "<(p ?X) (= ?X a) (\\= ?X b)>"},
        {"p(X) :- between(1, N - 1, X).", "<(p ?X) (in ?X (.. 1 (- ?N 1)))>"},
        {"p :- a, b ; c, d.", "<p (or (and a b) (and c d))>"},
        {"p :- a, (b ; c), d.", "<p a (or b c) d>"},
        {"p :- a ; b ; c.", "<p (or a b c)>"},
        {"p :- \\+ a, b.", "<p (not a) b>"},
        {"p :- \\+ (a, b).", "<p (not (and a b))>"},
        {"p :- not a, not(b), not (c, d).", "<p (not a) (not b) (not (and c d))>"},
        {"p :- \\+ X = Y.", "<p (not (= ?X ?Y))>"},
        {"p :- \\+ \\+ a.", "<p (not (not a))>"},
        {"p :- forall(a(X), b(X)).", "<p (not (and (a ?X) (not (b ?X))))>"},
        {"p :- once(a), exists((b, c)).", "<p (or a) (or (and b c))>"},
        {"p :- (a ; true).", "<p (or a (and ))>"},
        {"p :- ((a)).", "<p a>"},
        {"0.3::a ; 0.7::b(X) :- c(X).", "0.3;0.7;<(or a (b ?X)) (c ?X)>"},
        {"0.3::a ; b.", "0.3;-;<(or a b)>"},
        {"evidence(\\+ a(b)).", "<(evidence (not (a b)))>"},
        {"p(007, 1e3, 0.50, -2, -0, 1st).", "<(p 7 1000.0 0.5 -2 0 1st)>"},
        {"p(\"a b\").", "<(p a b)>"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(one(text), expected) << text;
}

TEST(Parser, OperatorsInDirectives) {
    EXPECT_EQ(one(":- type(digit, 0..9)."), ":- (type digit (.. 0 9))");
    EXPECT_EQ(one(":- type(level, -3..3)."), ":- (type level (.. -3 3))");
    EXPECT_EQ(one(":- exclusive(digit/2, 2)."), ":- (exclusive digit/2 2)");
    EXPECT_EQ(one(":- evidence(\\+ a)."), ":- (evidence (not a))");
    EXPECT_EQ(one(":- query(p(-3))."), ":- (query (p -3))");
}

TEST(Parser, LongExpressionsAreRefusedNotCrashed) {
    std::string sum = "p(X) :- X is 0";
    std::string minus = "p(X) :- X is ";
    for (int i = 0; i < 100'000; ++i) {
        sum += " + 1";
        minus += "- ";
    }
    EXPECT_TRUE(parse(sum + ".").problems.at(0).starts_with("too-deep"));
    EXPECT_TRUE(parse(minus + "1.").problems.at(0).starts_with("too-deep"));
    std::string goals = "p :- q";
    for (int i = 0; i < 100'000; ++i) goals += ", q";
    EXPECT_TRUE(parse(goals + ".").problems.empty());
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
        {"p :- q -> r.", "if-then-else"},
        {"p :- q, !.", "the cut"},
        {"p(X) :- X != a.", "an inequality"},
        {"p(X) :- X <= 1.", "a comparison spelled otherwise"},
        {"p(X) :- X = 1..3.", "a range of terms"},
        {"p(X) :- X is 2 ** 3.", "powers"},
        {"p(X) :- X =.. Y.", "term construction"},
        {"a --> b.", "grammar rules"},
        {"?- p.", "a Prolog query"},
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
