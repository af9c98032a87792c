// Refinement on the languages of published rules: what is one step away, and how many steps a rule takes.
#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "learn/clauses/reduce.h"
#include "learn/clauses/refine.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

using Texts = std::set<std::string>;

// A program text with modes, and the refinement operator for it.
class Search {
public:
    explicit Search(const std::string& text, SearchBounds bounds = {})
        : text_(text), read_(read(text)), refiner_(read_.program, {read_.program.modes, bounds}) {
        EXPECT_FALSE(read_.diagnostics.has_errors()) << rendered(read_);
    }

    Refiner& refiner() { return refiner_; }
    SearchClause clause(const std::string& text) {
        ReadProgram other = read(text_ + text + "\n");
        EXPECT_FALSE(other.diagnostics.has_errors()) << rendered(other);
        // Terms are made in the same way, but have other numbers: through the text into this program.
        Clause copy = other.program.clauses.back();
        const auto copy_atom = [&](Atom& atom) {
            for (TermId& arg : atom.args) arg = copy_term(other.program.terms, arg);
        };
        copy_atom(copy.head);
        for (Literal& goal : copy.body) copy_atom(goal.atom);
        return refiner_.canonical(copy);
    }
    std::string text(const SearchClause& clause) { return print_clause(read_.program, refiner_.readable(clause)); }
    Texts texts(const std::vector<SearchClause>& clauses) {
        Texts result;
        for (const SearchClause& clause : clauses) result.insert(text(clause));
        return result;
    }
    Texts refined(const std::string& from) { return texts(refiner_.refine(clause(from))); }
    Texts generalised(const std::string& from) {
        const SearchClause start = clause(from);
        const std::vector<SearchClause> general = refiner_.generalise(start);
        for (const SearchClause& one : general) {
            EXPECT_TRUE(neumann::subsumes(read_.program.terms, one.clause, start.clause)) << text(one);
            EXPECT_TRUE(refiner_.admits(one)) << text(one);
        }
        return texts(general);
    }
    std::string readable_text(const std::string& from) { return text(clause(from)); }
    bool admits(const std::string& from) { return refiner_.admits(clause(from)); }
    std::string reduced(const std::string& from) {
        SearchClause start = clause(from);
        return text(refiner_.canonical(reduce(read_.program.terms, start.clause)));
    }
    bool subsumes(const std::string& general, const std::string& specific) {
        return neumann::subsumes(read_.program.terms, clause(general).clause, clause(specific).clause);
    }
    Texts most_general(std::string_view name, std::size_t arity) {
        return texts(refiner_.most_general(read_.program.signature.find_predicate(name, arity)));
    }

    // Follows the path; the number of clauses that were to choose from at each step. Every clause of the path must be a
    // refinement of the one before.
    std::vector<std::size_t> follow(const std::vector<std::string>& path) {
        std::vector<std::size_t> choices;
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            const std::vector<SearchClause> refined = refiner_.refine(clause(path[i]));
            const std::vector<std::uint32_t> wanted = clause(path[i + 1]).key;
            EXPECT_TRUE(std::ranges::any_of(refined, [&](const SearchClause& c) { return c.key == wanted; }))
                << path[i] << " does not lead to " << path[i + 1];
            choices.push_back(refined.size());
        }
        return choices;
    }

private:
    TermId copy_term(const TermTable& from, TermId term) {
        TermTable& terms = read_.program.terms;
        switch (from.kind(term)) {
        case TermKind::Variable:
            return terms.variable(from.variable_index(term));
        case TermKind::Constant:
            return terms.constant(from.constant_of(term));
        case TermKind::Compound:
            break;
        }
        std::vector<TermId> args;
        for (TermId arg : from.args(term)) args.push_back(copy_term(from, arg));
        return terms.compound(from.functor_of(term), args);
    }

    std::string text_;
    ReadProgram read_;
    Refiner refiner_;
};

const std::string lists = R"(
:- type(color, [cyan, gray, red, yellow]).
:- list(colors, color, f, '*').
:- max_length(colors, 3).
:- no_repeats(colors).
:- pred(smaller(color, color)).
:- pred(member(color, colors)).
:- pred(delete(color, colors, colors)).
:- pred(is_sorted(colors)).
:- pred(append(colors, colors, colors)).
:- pred(reverse(colors, colors, colors)).
)";

const std::string figures = R"(
:- type(image, [img]).
:- type(object, [obj0, obj1, obj2, obj3]).
:- type(color, [red, blue, yellow]).
:- type(shape, [circle, square, triangle]).
:- pred(kp(image)).
:- neural(in(object, image)).
:- neural(color(object, color)).
:- neural(shape(object, shape)).
:- pred(same_color_pair(object, object)).
:- pred(same_shape_pair(object, object)).
:- pred(diff_color_pair(object, object)).
:- pred(diff_shape_pair(object, object)).
:- neural(closeby(object, object)).
:- modeh(1, kp(-image)).
:- modeb(2, in(-object, +image)).
:- modeb(1, color(+object, #color)).
:- modeb(1, shape(+object, #shape)).
:- modeb(2, same_color_pair(+object, +object)).
:- modeb(2, same_shape_pair(+object, +object)).
:- modeb(1, diff_color_pair(+object, +object)).
:- modeb(1, diff_shape_pair(+object, +object)).
:- modeb(1, closeby(+object, +object)).
)";
const std::string distinct_pairs = R"(
:- distinct(same_color_pair/2).
:- distinct(same_shape_pair/2).
:- distinct(diff_color_pair/2).
:- distinct(diff_shape_pair/2).
:- distinct(closeby/2).
)";

TEST(Refine, MostGeneralHasVariablesEverywhere) {
    Search search(lists + ":- modeh(1, delete(+color, +colors, -colors)).");
    EXPECT_EQ(search.most_general("delete", 3), Texts{"delete(X,Y,Z)."});
    EXPECT_EQ(search.most_general("append", 3), Texts{"append(X,Y,Z)."}) << "without a modeh";
}

TEST(Refine, MostGeneralHasConstantsWhereTheModeSaysSo) {
    Search search(":- type(t, [a, b]).\n:- pred(p(t, t)).\n:- modeh(1, p(+t, #t)).");
    EXPECT_EQ(search.most_general("p", 2), (Texts{"p(X,a).", "p(X,b)."}));
    EXPECT_TRUE(search.refined("p(X,a).").empty()) << "a is where it may be, X is no place for a constant";
}

TEST(Refine, MostGeneralWithinFewVariables) {
    Search search(":- type(t, [a]).\n:- pred(p(t, t, t)).", {10, 2, 3});
    EXPECT_EQ(search.most_general("p", 3), (Texts{"p(X,X,Y).", "p(X,Y,X).", "p(X,Y,Y)."}));
    EXPECT_EQ(Search(":- type(t, [a]).\n:- pred(p(t)).", {10, 0, 3}).most_general("p", 1), Texts{});
}

TEST(Refine, FewStepsFromTheMostGeneralClause) {
    Search search(lists + R"(
:- modeh(1, delete(+color, +colors, +colors)).
:- modeb(1, delete(+color, +colors, +colors)).
)");
    EXPECT_EQ(search.refined("delete(X,Y,Z)."),
              (Texts{"delete(X,[],Y).", "delete(X,Y,[]).", "delete(X,Y,Y).", "delete(X,[Y|Z],W).", "delete(X,Y,[Z|W]).",
                     "delete(X,Y,Z) :- delete(X,Z,Y).", "delete(X,Y,Z) :- delete(X,Y,Y).",
                     "delete(X,Y,Z) :- delete(X,Z,Z)."}));
}

TEST(Refine, Member) {
    Search search(lists + ":- modeh(1, member(+color, +colors)).\n:- modeb(1, member(+color, +colors)).");
    EXPECT_EQ(search.follow({"member(X,Y).", "member(X,[Y|Z]).", "member(X,[X|Y])."}),
              (std::vector<std::size_t>{2, 6}));
    EXPECT_EQ(search.follow({"member(X,[Y|Z]).", "member(X,[Y|Z]) :- member(X,Z)."}), (std::vector<std::size_t>{6}));
}

TEST(Refine, Delete) {
    Search search(lists + R"(
:- modeh(1, delete(+color, +colors, +colors)).
:- modeb(1, delete(+color, +colors, +colors)).
)");
    EXPECT_EQ(search.follow({"delete(X,Y,Z).", "delete(X,[Y|Z],W).", "delete(X,[X|Y],Z).", "delete(X,[X|Y],Y)."}),
              (std::vector<std::size_t>{8, 21, 11}));
    EXPECT_EQ(search.follow({"delete(X,[Y|Z],W).", "delete(X,[Y|Z],[V|W]).", "delete(X,[Y|Z],[Y|W]).",
                             "delete(X,[Y|Z],[Y|W]) :- delete(X,Z,W)."}),
              (std::vector<std::size_t>{21, 38, 22}));
}

TEST(Refine, IsSorted) {
    Search search(lists + R"(
:- modeh(1, is_sorted(+colors)).
:- modeb(1, is_sorted(+colors)).
:- modeb(1, smaller(+color, +color)).
)");
    search.follow({"is_sorted(X).", "is_sorted([X|Y]).", "is_sorted([X])."});
    search.follow({"is_sorted([X|Y]).", "is_sorted([X|Y]) :- is_sorted(Y).", "is_sorted([X,Y|Z]) :- is_sorted([Y|Z]).",
                   "is_sorted([X,Y|Z]) :- smaller(X,Y), is_sorted([Y|Z])."});
    // The other way round the tail is a term that is there, but that cannot be a variable any more.
    search.follow({"is_sorted([X,Y|Z]).", "is_sorted([X,Y|Z]) :- smaller(X,Y).",
                   "is_sorted([X,Y|Z]) :- smaller(X,Y), is_sorted([Y|Z])."});
}

TEST(Refine, Append) {
    Search search(lists + R"(
:- modeh(1, append(+colors, +colors, +colors)).
:- modeb(1, append(+colors, +colors, +colors)).
)");
    search.follow({"append(X,Y,Z).", "append([],Y,Z).", "append([],Y,Y)."});
    search.follow({"append(X,Y,Z).", "append([X|Y],Z,V).", "append([X|Y],Z,[U|V]).", "append([X|Y],Z,[X|V]).",
                   "append([X|Y],Z,[X|V]) :- append(Y,Z,V)."});
}

TEST(Refine, ReverseBuildsATerm) {
    Search search(lists + R"(
:- modeh(1, reverse(+colors, +colors, +colors)).
:- modeb(1, reverse(+colors, -colors, +colors)).
)");
    search.follow({"reverse(X,Y,Z).", "reverse([H|T],A,R).", "reverse([H|T],A,R) :- reverse(T,B,R).",
                   "reverse([H|T],A,R) :- reverse(T,[G|B],R).", "reverse([H|T],A,R) :- reverse(T,[H|B],R).",
                   "reverse([H|T],A,R) :- reverse(T,[H|A],R)."});
    // Where '+' is asked for, a term that is not there yet does not do.
    Search inputs(lists + ":- modeb(1, reverse(+colors, +colors, +colors)).");
    EXPECT_FALSE(inputs.admits("reverse([H|T],A,R) :- reverse(T,[H|A],R)."));
    EXPECT_TRUE(inputs.admits("reverse([H|T],A,R) :- reverse(T,A,[H|T])."));
}

TEST(Refine, OneStepForEachGoalOfARule) {
    Search search(figures + distinct_pairs);
    std::string rule = "kp(X) :- in(O1,X), in(O2,X)";
    std::vector<std::string> path = {rule + "."};
    for (const char* goal : {"closeby(O1,O2)", "color(O1,red)", "shape(O1,triangle)", "diff_shape_pair(O1,O2)",
                             "diff_color_pair(O1,O2)"}) {
        rule += fmt::format(", {}", goal);
        path.push_back(rule + ".");
    }
    EXPECT_EQ(search.follow(path), (std::vector<std::size_t>{11, 20, 14, 8, 6}));
}

TEST(Refine, ClausesReadWell) {
    Search search(figures);
    EXPECT_EQ(search.text(search.clause("kp(A) :- closeby(C,B), in(B,A), color(C,red), in(C,A).")),
              "kp(X) :- in(O1,X), in(O2,X), color(O1,red), closeby(O1,O2).");
    EXPECT_EQ(search.text(search.clause("kp(A) :- shape(B,circle), color(C,red), in(B,A), in(C,A), in(D,A).")),
              "kp(X) :- in(O1,X), in(O2,X), in(O3,X), color(O1,red), shape(O2,circle).");
    Search chain(
        ":- type(node, [a]).\n:- pred(p(node)).\n:- pred(edge(node, node)).\n:- modeb(*, edge(+node, -node)).");
    EXPECT_EQ(chain.text(chain.clause("p(A) :- edge(D,A), edge(C,D), edge(B,C), edge(A,B).")),
              "p(X) :- edge(X,N1), edge(N1,N2), edge(N2,N3), edge(N3,X).");
    Search names(":- type('1st', [a]).\n:- pred(p('1st')).\n:- pred(q('1st','1st')).\n:- modeb(*, q(+'1st', -'1st')).");
    EXPECT_EQ(names.text(names.clause("p(A) :- q(A,B).")), "p(X) :- q(X,V1).");
}

TEST(Refine, RecallIsRespected) {
    Search search(figures);
    EXPECT_TRUE(search.admits("kp(X) :- in(A,X), in(B,X)."));
    EXPECT_FALSE(search.admits("kp(X) :- in(A,X), in(B,X), in(C,X)."));
    EXPECT_FALSE(search.admits("kp(X) :- in(A,X), color(A,red), color(A,blue)."));
    for (const std::string& text : search.refined("kp(X) :- in(A,X), in(B,X), color(A,red)."))
        EXPECT_EQ(text.find("color("), text.rfind("color(")) << text;
}

// One mode lets one argument be new, another the other: who uses which is found out for the clause as a whole.
TEST(Refine, SeveralModesForAPredicate) {
    const std::string types = ":- type(t, [a]).\n:- pred(p(t)).\n:- pred(q(t, t)).\n";
    Search both(types + ":- modeb(1, q(+t, -t)).\n:- modeb(1, q(-t, +t)).");
    EXPECT_TRUE(both.admits("p(X) :- q(X,Y), q(Z,X)."));
    EXPECT_TRUE(both.admits("p(X) :- q(X,Y), q(Z,Y)."));
    EXPECT_TRUE(both.admits("p(X) :- q(X,X), q(X,Y).")) << "q(X,X) is of both kinds";
    EXPECT_FALSE(both.admits("p(X) :- q(X,Y), q(X,Z)."));
    EXPECT_FALSE(both.admits("p(X) :- q(Y,Z).")) << "neither is bound";
    Search constants(types + ":- modeb(1, q(+t, #t)).\n:- modeb(1, q(+t, -t)).");
    EXPECT_TRUE(constants.admits("p(X) :- q(X,a), q(X,Y)."));
    EXPECT_FALSE(constants.admits("p(X) :- q(X,X), q(X,Y)."));
}

TEST(Refine, InputsAreBoundInSomeOrder) {
    Search search(":- type(t, [a]).\n:- pred(p(t)).\n:- pred(q(t, t)).\n:- modeb(*, q(+t, -t)).");
    EXPECT_TRUE(search.admits("p(X) :- q(Z,Y), q(X,Z)."));
    EXPECT_FALSE(search.admits("p(X) :- q(Y,X)."));
    EXPECT_FALSE(search.admits("p(X) :- q(Y,Z), q(Z,Y)."));
    EXPECT_EQ(search.refined("p(X)."), (Texts{"p(X) :- q(X,X).", "p(X) :- q(X,T1)."}));
}

TEST(Refine, ConstantsOnlyWhereTheModeSaysSo) {
    Search search(lists + ":- modeb(1, member(#color, +colors)).\n:- modeb(1, is_sorted(#colors)).");
    EXPECT_TRUE(search.admits("append(X,Y,Z) :- member(red,X)."));
    EXPECT_FALSE(search.admits("append(X,Y,Z) :- member(C,X).")) << "a variable in the place of a constant";
    EXPECT_FALSE(search.admits("member(red,X).")) << "a constant in the place of a variable";
    EXPECT_FALSE(search.admits("append([red|X],Y,Z)."));
    EXPECT_TRUE(search.admits("append([],Y,Z) :- is_sorted([]).")) << "[] is a constant and a constructor";
}

TEST(Refine, WhatCanNeverBe) {
    Search search(lists + ":- distinct(append/3).\n:- modeb(*, member(+color, -colors)).", {10, 8, 5});
    EXPECT_TRUE(search.admits("append([A,B,C],X,Y)."));
    EXPECT_FALSE(search.admits("append([A,B,C,D|X],Y,Z).")) << "longer than three";
    EXPECT_FALSE(search.admits("append([A,B,A|X],Y,Z).")) << "a repeated element";
    EXPECT_FALSE(search.admits("append(X,Y,X).")) << "arguments of append differ";
    EXPECT_FALSE(search.admits("member(X,Y) :- member(X,Y).")) << "a tautology";
    EXPECT_TRUE(search.admits("member(X,Y) :- member(X,Z)."));

    const std::string numbers = ":- type(n, [0]).\n:- functor(s(n), n).\n:- max_depth(n, 2).\n:- pred(p(n)).\n";
    EXPECT_TRUE(Search(numbers).admits("p(s(s(X)))."));
    EXPECT_FALSE(Search(numbers).admits("p(s(s(s(X))))."));
    EXPECT_FALSE(Search(numbers, {10, 8, 1}).admits("p(s(s(X))).")) << "the search's own bound";
    Search trees(":- type(t, [a]).\n:- type(tree).\n:- functor(leaf(t), tree).\n:- functor(node(tree, tree), tree).\n"
                 ":- max_depth(tree, 2).\n:- pred(p(tree)).");
    EXPECT_TRUE(trees.admits("p(node(X,leaf(Y)))."));
    EXPECT_FALSE(trees.admits("p(node(X,node(Y,Z))).")) << "even the smallest Y is a leaf";
    Search few(":- type(t, [a, b]).\n:- list(ts, t, f, e).\n:- no_repeats(ts).\n:- pred(p(ts)).");
    EXPECT_TRUE(few.admits("p([X,Y|Z])."));
    EXPECT_FALSE(few.admits("p([X,Y,Z|V]).")) << "there are but two elements";
}

TEST(Refine, BoundsOfTheSearch) {
    EXPECT_FALSE(Search(figures, {2, 8, 3}).admits("kp(X) :- in(A,X), in(B,X), closeby(A,B)."));
    EXPECT_TRUE(Search(figures, {3, 3, 3}).admits("kp(X) :- in(A,X), in(B,X), closeby(A,B)."));
    EXPECT_FALSE(Search(figures, {3, 2, 3}).admits("kp(X) :- in(A,X), in(B,X), closeby(A,B)."));
}

// Two variables are all there may be: what would take a third on the way comes in one step.
TEST(Refine, AroundTheBoundOnVariables) {
    const std::string pairs = ":- type(t, [a]).\n:- type(pair).\n:- functor(f(t, t), pair).\n:- pred(p(pair, pair)).\n";
    Search search(pairs, {10, 2, 1});
    EXPECT_EQ(search.refined("p(X,Y)."), (Texts{"p(X,X).", "p(f(X,X),Y).", "p(X,f(Y,Y)).", "p(f(X,Y),f(Y,X))."}));
    EXPECT_EQ(search.refined("p(X,X)."), (Texts{"p(f(X,Y),f(X,Y))."}));
    Search wider(pairs, {10, 3, 1});
    EXPECT_EQ(wider.refined("p(X,Y)."), (Texts{"p(X,X).", "p(f(X,Y),Z).", "p(X,f(Y,Z))."}));
}

// f(B,C) is at a '+' place and f(C,B) at a '-' place; with V for the first, there is no room for a variable for the
// second.
TEST(Refine, AroundTheBoundWithATermThatIsThere) {
    Search search(R"(
:- type(t, [a]).
:- type(pair).
:- functor(f(t, t), pair).
:- pred(p(t, pair)).
:- pred(q(pair, pair)).
:- modeb(1, q(-pair, +pair)).
)",
                  {1, 3, 1});
    search.follow({"p(A,V).", "p(A,f(B,C)).", "p(A,f(B,C)) :- q(f(C,B),f(B,C))."});
}

TEST(Refine, NoWayBack) {
    Search search(figures);
    for (const std::string& text : search.refined("kp(X) :- in(A,X), in(B,X)."))
        EXPECT_NE(text, "kp(X) :- in(O1,X).") << "A and B made one say less, not more";
    // Where a goal that goes away made a difference, it is a step like any other.
    EXPECT_TRUE(search.refined("kp(X) :- in(A,X), in(B,X), color(A,red), shape(B,circle).")
                    .contains("kp(X) :- in(O1,X), color(O1,red), shape(O1,circle)."));
}

// The same modes, those of pairs unordered.
std::string with_unordered_pairs(std::string text) {
    for (const char* name : {"pair(+object, +object))", "closeby(+object, +object))"}) {
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
            text.replace(at + std::string(name).size() - 1, 1, ", unordered)");
    }
    return text;
}

TEST(RefineUnordered, TheOrderOfArgumentsIsNoDifference) {
    Search search(with_unordered_pairs(figures) + distinct_pairs);
    const std::string start = "kp(X) :- in(A,X), in(B,X)";
    EXPECT_EQ(search.clause(start + ", closeby(A,B), color(A,red).").key,
              search.clause(start + ", closeby(B,A), color(A,red).").key);
    EXPECT_NE(search.clause(start + ", closeby(A,B), color(A,red).").key,
              search.clause(start + ", closeby(A,B), color(A,blue).").key);
    EXPECT_EQ(search.clause(start + ", closeby(A,B), closeby(B,A).").clause.body.size(), 3U);
    // Five goals about both objects, three colours and three shapes of one of them.
    EXPECT_EQ(search.refined(start + ".").size(), 11U);
    // A recall of 2 for pairs of the same colour: but there is only one.
    const Texts refined = search.refined(start + ", same_color_pair(A,B).");
    EXPECT_EQ(refined.size(), 10U);
    EXPECT_TRUE(refined.contains("kp(X) :- in(O1,X), in(O2,X), same_color_pair(O1,O2), closeby(O1,O2)."));
}

// Without modes that are unordered the same clauses and their mirror images are found.
TEST(RefineUnordered, FindsAllUpToTheOrderOfArguments) {
    const std::string tail = ":- type(group, [g]). :- neural(of(object, group, object)).\n";
    const std::string ordered = figures + tail +
                                ":- modeb(1, of(-object, +group, -object)). :- modeb(1, grp(-group)). "
                                ":- neural(grp(group)).\n";
    std::string other = with_unordered_pairs(figures) + tail +
                        ":- modeb(1, of(-object, +group, -object), unordered). :- modeb(1, grp(-group)). "
                        ":- neural(grp(group)).\n";
    Search free(ordered, {.max_body = 5, .max_variables = 6});
    Search sorted(other, {.max_body = 5, .max_variables = 6});
    for (const char* from :
         {"kp(X) :- in(A,X), in(B,X).", "kp(X) :- in(A,X), in(B,X), color(A,red).",
          "kp(X) :- in(A,X), in(B,X), closeby(A,B), shape(B,circle).", "kp(X) :- in(A,X), grp(G).",
          "kp(X) :- in(A,X), in(B,X), grp(G).", "kp(X) :- in(A,X), in(B,X), color(A,red), grp(G)."}) {
        SCOPED_TRACE(from);
        Texts merged;  // those of the free modes, as the sorted language writes them
        for (const std::string& one : free.refined(from)) {
            if (sorted.admits(one)) merged.insert(sorted.readable_text(one));
        }
        EXPECT_EQ(sorted.refined(from), merged);
    }
}

TEST(Generalise, AVariableForATerm) {
    Search search(lists +
                  ":- modeh(1, delete(+color, +colors, +colors)).\n:- modeb(1, delete(+color, +colors, +colors)).\n");
    EXPECT_EQ(search.generalised("delete(X,[X,Y|Z],[Y|Z])."), (Texts{"delete(X,[X|Y],Y).", "delete(X,Y,[Z|W])."}));
    // With a variable for a list of the head, nothing would bind an input of the goal.
    EXPECT_EQ(search.generalised("delete(X,[Y|Z],[Y|W]) :- delete(X,Z,W)."), (Texts{"delete(X,[Y|Z],[Y|W])."}));
}

TEST(Generalise, StaysInTheLanguage) {
    Search search(figures + R"(
:- modeh(1, kp(+image)).
:- modeb(2, in(-object, +image)).
:- modeb(2, color(+object, #color)).
)");
    // A variable is not allowed in the place of red, and without in(O1,X) nothing binds O1.
    EXPECT_EQ(search.generalised("kp(X) :- in(O1,X), color(O1,red)."), (Texts{"kp(X) :- in(O1,X)."}));
}

TEST(Refine, ConstraintsAreRefused) {
    ReadProgram program = read(":- type(t, [a]).\n:- pred(p(t, t)).\np(X,Y) :- X \\= Y.\np(X,Y) :- X = Y.");
    Refiner refiner(program.program, {});
    EXPECT_THROW(refiner.canonical(program.program.clauses[0]), std::invalid_argument);
    EXPECT_EQ(print_clause(program.program, refiner.canonical(program.program.clauses[1]).clause), "p(X,X).");
}

TEST(Reduce, DropsWhatSaysNothingNew) {
    Search search(figures);
    EXPECT_EQ(search.reduced("kp(X) :- in(A,X), in(B,X), in(C,X), same_color_pair(A,B)."),
              "kp(X) :- in(O1,X), in(O2,X), same_color_pair(O1,O2).");
    EXPECT_EQ(search.reduced("kp(X) :- in(A,X), in(B,X), in(C,X)."), "kp(X) :- in(O1,X).");
    EXPECT_EQ(search.reduced("kp(X) :- in(A,X), in(B,X), color(A,red), color(B,red), shape(B,circle)."),
              "kp(X) :- in(O1,X), color(O1,red), shape(O1,circle).");
    EXPECT_EQ(search.reduced("kp(X) :- closeby(A,B), closeby(B,C), closeby(C,C)."), "kp(X) :- closeby(O1,O1).");
    EXPECT_EQ(search.reduced("kp(X) :- closeby(A,B), closeby(B,C), closeby(C,A)."),
              "kp(X) :- closeby(O1,O2), closeby(O2,O3), closeby(O3,O1).");
}

TEST(Reduce, Subsumption) {
    Search search(lists);
    EXPECT_TRUE(search.subsumes("member(X,Y).", "member(X,[X|Y])."));
    EXPECT_FALSE(search.subsumes("member(X,[X|Y]).", "member(X,Y)."));
    EXPECT_FALSE(search.subsumes("member(X,[X|Y]).", "member(X,[Y|Z])."));
    EXPECT_TRUE(search.subsumes("member(X,Y) :- smaller(X,A), smaller(B,X).", "member(X,Y) :- smaller(X,X)."));
    EXPECT_FALSE(search.subsumes("member(X,Y) :- smaller(X,X).", "member(X,Y) :- smaller(X,A), smaller(B,X)."));
    EXPECT_FALSE(search.subsumes("member(X,Y) :- smaller(A,B).", "member(X,Y)."));
}

TEST(Reduce, HeadVariablesStay) {
    Search search(lists);
    EXPECT_EQ(search.reduced("append(X,Y,Z) :- member(A,X), member(B,Y), member(C,X)."),
              "append(X,Y,Z) :- member(C1,X), member(C2,Y).");
    EXPECT_EQ(search.reduced("append([A|X],Y,Z) :- member(A,X), member(B,X)."), "append([X|Y],Z,W) :- member(X,Y).");
}

}  // namespace
}  // namespace neumann
