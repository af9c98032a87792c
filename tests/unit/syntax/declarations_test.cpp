#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "syntax/declarations.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

// Text in, canonical text out; "" means: it prints as it was written.
TEST(Declarations, AreReadAndPrintedBack) {
    const std::pair<const char*, const char*> cases[] = {
        {":- type(color, [red, blue]).\n", ""},
        {":- type(nothing).\n", ""},
        {":- type(nothing, []).\n", ""},
        {":- type('a type', [1st, 'X', 'it''s', 0]).\n", ""},
        {":- pred(p).\n", ""},
        {":- pred(p).\n:- neural(q).\n", ""},
        {":- type(t, [a]).\n:- pred(p(t)).\n:- pred(p(t, t)).\n:- neural(p).\n", ""},
        {":- type(t, [t]).\n:- functor(t(t), t).\n:- max_depth(t, 2).\n:- pred(t(t)).\n", ""},
        {":- type(n, [0]).\n:- functor(s(n), n).\n:- functor(s(n, n), n).\n", ""},
        {":- type(o, [a]).\n:- pred(p(o, o)).\n:- distinct(p/2).\n", ""},
        {":- type(o, [a]).\n:- pred(p(o)).\n:- modeh(1, p(+o)).\n:- modeb(*, p(-o)).\n:- modeb(7, p(#o)).\n", ""},
        {":- pred(p).\n:- modeh(1, p).\n", ""},
        {":- pred(p).\n:- learn(p/0, 3).\n:- initial(p).\n:- label(p).\n:- query(p).\n", ""},
        {":- type(o, [a]).\n:- pred(p(o)).\n:- query(p(X)).\n:- query(p(a)).\n:- query(p(_)).\n", ""},
        {":- type(o, [a]).\n:- pred(p(o)).\n:- label(p(a)).\n", ""},
        {":- pred(p).\n:- say(p, 'plain').\n:- say(p, 'it''s {{p}}\\n').\n", ""},
        {":- type(o, [a]).\n:- pred(p(o, o)).\n:- say(p(X,_), 'p of {X}').\n:- say(p(a,a), 'a').\n", ""},
        // Order and spacing are the printer's own.
        {":-query( p( X ) ) . :-pred(p(t)). :-type(t,[a,b]).",
         ":- type(t, [a, b]).\n:- pred(p(t)).\n:- query(p(X)).\n"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(canonical_text(text), *expected == '\0' ? text : expected) << text;
    }
}

TEST(Declarations, AListDeclaresItsTypeFunctorAndEmptyConstant) {
    constexpr const char* printed = ":- type(color, [red]).\n"
                                    ":- type(colors, ['*']).\n"
                                    ":- functor(f(color, colors), colors).\n"
                                    ":- list(colors, color, f, '*').\n"
                                    ":- max_length(colors, 3).\n"
                                    ":- no_repeats(colors).\n";
    EXPECT_EQ(canonical_text(":- no_repeats(colors). :- max_length(colors, 3). :- list(colors, color, f, '*'). "
                             ":- type(color, [red])."),
              printed);
    EXPECT_EQ(canonical_text(printed), printed) << "declared separately as well is fine";
}

TEST(Declarations, InitialClauses) {
    const std::string vocabulary = ":- type(o, [a]). :- pred(p(o)). :- pred(q(o)). :- learn(p/1, 1).\n";
    const std::pair<const char*, const char*> cases[] = {
        {":- initial(p(X)).", ":- initial(p(X))."},
        {":- initial((p(X))).", ":- initial(p(X))."},
        {":- initial((p(X) :- true)).", ":- initial(p(X))."},
        {":- initial((p(X):-q(X),q(_))).", ":- initial((p(X) :- q(X), q(_)))."},
        {":- initial((p(X) :- q(Y), X \\= Y)).", ":- initial((p(X) :- q(Y), X \\= Y))."},
        {":- initial(p(a)).", ":- initial(p(a))."},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(canonical_items(vocabulary, text), expected);
}

TEST(Declarations, SayingsAreKeptInOrder) {
    const ReadProgram result = read(":- type(c, [a, b]). :- list(l, c, f, nil). :- pred(d(c, l)).\n"
                                    ":- say(d(X, [X|Rest]), '{X} and {Rest}').\n:- neural(n). :- say(n, 'it''s').");
    ASSERT_EQ(problems(result), "");
    ASSERT_EQ(result.program.sayings.size(), 2U);
    const Saying& first = result.program.sayings[0];
    EXPECT_EQ(first.text, "{X} and {Rest}");
    EXPECT_EQ(first.variables.size(), 2U);
    EXPECT_EQ(result.program.sources->line(first.span), 2U);
    EXPECT_EQ(print_saying(result.program, first), ":- say(d(X,[X|Rest]), '{X} and {Rest}').");
    EXPECT_EQ(result.program.sayings[1].text, "it's");
}

TEST(Declarations, BadSayings) {
    const std::string vocabulary = ":- type(o, [a]). :- pred(p(o, o)). :- pred(q).\n";
    const std::pair<const char*, const char*> cases[] = {
        {":- say(q).", "bad-declaration@2"},
        {":- say(X, 'x').", "bad-declaration@2"},
        {":- say(q, q).", "bad-declaration@2"},
        {":- say(q, Q).", "bad-declaration@2"},
        {":- say(q, 'q'(a)).", "bad-declaration@2"},
        {":- say(q, [a]).", "bad-declaration@2"},
        {":- say(r, 'x').", "unknown-predicate@2"},
        {":- say(r, x).", "unknown-predicate@2 bad-declaration@2"},
        {":- say(p(b, _), 'x').", "unknown-constant@2"},
        {":- say(p(X, _), '{Y}').", "bad-declaration@2"},
        {":- say(p(X, _), '{Y} {Z} {X}').", "bad-declaration@2 bad-declaration@2"},
        {":- say(p(_, _), '{_}').", "bad-declaration@2"},
        {":- say(p(X, _), '{}').", "bad-declaration@2"},
        {":- say(p(X, _), '{X').", "unclosed@2"},
        {":- say(p(X, _), 'X}').", "unclosed@2"},
        {":- say(p(X, _), '{{X}').", "unclosed@2"},
        {":- say(p(X, _), '{X{X}').", "unclosed@2"},
        {":- say(p(X, _), '{').", "unclosed@2"},
        {":- say(p(X, _), '{{}} {{X}} {X}').", ""},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(problems(vocabulary + text), expected) << text;
}

// A variable that occurs once in a pattern is no typing mistake.
TEST(Declarations, SayingsGiveNoWarnings) {
    EXPECT_EQ(problems(read_and_analyse(":- type(o, [a]). :- pred(p(o, o)). p(a, a). :- say(p(X, Y), 'p of {X}').")),
              "");
}

TEST(Declarations, MayFollowTheirUse) {
    EXPECT_EQ(problems("p(a). :- query(p(X)). :- pred(p(t)). :- type(t, [a])."), "");
}

TEST(Declarations, WhatIsNotDeclaredIsUnknown) {
    EXPECT_EQ(problems(":- type(color, [a]).\n:- pred(p(colour))."), "unknown-type@2");
    EXPECT_EQ(problems(":- type(color, [a]).\n:- functor(f(colr), color).\n:- functor(g(color), colors)."),
              "unknown-type@2 unknown-type@3");
    EXPECT_EQ(problems(":- distinct(p/2)."), "unknown-predicate@1");
    EXPECT_EQ(problems(":- max_depth(t, 3)."), "unknown-type@1");
    EXPECT_EQ(problems(":- learn(p/2, 1)."), "unknown-predicate@1");
    EXPECT_EQ(problems(":- modeb(1, p(+t))."), "unknown-predicate@1");
    EXPECT_EQ(problems(":- query(p)."), "unknown-predicate@1");
    EXPECT_EQ(problems(":- label(p)."), "unknown-predicate@1");
    EXPECT_EQ(problems(":- initial(p)."), "unknown-predicate@1");
    EXPECT_EQ(problems(":- type(color, [a]).\n:- list(l, colour, f, nil)."), "unknown-type@2");
    EXPECT_EQ(problems(":- typ(t, [a])."), "unknown-directive@1");
}

TEST(Declarations, TwiceIsAMistake) {
    const std::string t =
        ":- type(t, [a]). :- pred(p(t)). :- functor(f(t), t). :- list(l, t, c, nil). :- max_depth(t, 1).\n";
    for (const char* again : {":- type(t, [b]).", ":- pred(p(t)).", ":- neural(p(t)).", ":- functor(f(t), t).",
                              ":- list(l, t, c, nil).", ":- max_depth(t, 2).", ":- type(u, [a, a])."}) {
        EXPECT_EQ(problems(t + again), "duplicate-declaration@2") << again;
    }
    EXPECT_EQ(problems(t + ":- learn(p/1, 1). :- learn(p/1, 2)."), "duplicate-declaration@2");
    EXPECT_EQ(problems(t + ":- max_length(l, 1). :- max_length(l, 2)."), "duplicate-declaration@2");
}

TEST(Declarations, MustHaveTheirShape) {
    const std::string t = ":- type(t, [a]). :- pred(p(t)). :- neural(n(t)).\n";
    for (const char* wrong : {
             ":- type.",
             ":- type(a, b).",
             ":- type(u, [X]).",
             ":- type(u, [f(a)]).",
             ":- type(u, [a|b]).",
             ":- type(X).",
             ":- type(a, [b], [c]).",
             ":- pred(p/2).",
             ":- pred([p]).",
             ":- pred(q(X)).",
             ":- functor(f, t).",
             ":- functor(f(t)).",
             ":- list(t, t, f, nil).",
             ":- list(l, t, f).",
             ":- max_depth(t, many).",
             ":- max_depth(t, -1).",
             ":- max_depth(t, 1000001).",
             ":- max_length(t, 1).",
             ":- no_repeats(t).",
             ":- distinct(p).",
             ":- query(X).",
             ":- query(p/1).",
             ":- learn(p, 1).",
             ":- learn(p/1, 0).",
             ":- learn(n/1, 1).",
             ":- modeh(0, p(+t)).",
             ":- modeh(x, p(+t)).",
             ":- initial([p]).",
             ":- label(X).",
         }) {
        const std::string found = problems(t + wrong);
        EXPECT_TRUE(found.starts_with("bad-declaration@2") || found.starts_with("bad-mode@2") ||
                    found.starts_with("syntax@2"))
            << wrong << " gives " << found;
    }
}

TEST(Declarations, ModesMustFitTheirPredicate) {
    const std::string t = ":- type(t, [a]). :- type(u, [b]). :- pred(p(t)).\n";
    EXPECT_EQ(problems(t + ":- modeh(1, p(+u))."), "bad-mode@2");
    EXPECT_EQ(problems(t + ":- modeh(1, p(t))."), "bad-mode@2");
    EXPECT_EQ(problems(t + ":- modeh(1, p(+t, +t))."), "wrong-arity@2");
    EXPECT_EQ(problems(t + ":- modeh(1, p(+v))."), "unknown-type@2");
}

TEST(Declarations, LabelsAreGround) {
    EXPECT_EQ(problems(":- type(t, [a]). :- pred(p(t)).\n:- label(p(X))."), "not-ground@2");
}

TEST(Declarations, ListsThatDisagreeWithWhatIsDeclared) {
    const std::string t = ":- type(t, [a]). :- type(u, [b]). :- list(l, t, f, nil).\n";
    EXPECT_EQ(problems(t + ":- list(m, u, f, nil)."), "bad-declaration@2") << "f builds l";
    EXPECT_EQ(problems(t + ":- list(m, u, g, nil)."), "") << "the empty constants are two: one for each type";
}

}  // namespace
}  // namespace neumann
