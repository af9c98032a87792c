#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ground/ground.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

using Lines = std::vector<std::string>;
constexpr GroundOptions full{.mode = GroundMode::Full};
constexpr GroundOptions relevant{.mode = GroundMode::Relevant};

Lines full_atoms(const std::string& text) { return atom_texts(ground_text(text, full)); }
Lines full_clauses(const std::string& text) { return clause_texts(ground_text(text, full)); }
Lines atoms(const std::string& text) { return atom_texts(ground_text(text, relevant)); }
Lines clauses(const std::string& text) { return clause_texts(ground_text(text, relevant)); }

const std::string colors = ":- type(o, [a, b]). :- pred(p(o)). :- pred(q(o)). :- pred(r(o, o)). :- pred(k).\n";

TEST(Ground, FullIsEveryTypedAtomAndSubstitution) {
    EXPECT_EQ(full_atoms(colors), (Lines{"p(a)", "p(b)", "q(a)", "q(b)", "r(a,a)", "r(a,b)", "r(b,a)", "r(b,b)", "k"}));
    EXPECT_EQ(full_clauses(colors + "p(X) :- q(X)."), (Lines{"p(a) :- q(a)", "p(b) :- q(b)"}));
    EXPECT_EQ(full_clauses(colors + "p(X) :- r(X,_)."),
              (Lines{"p(a) :- r(a,a)", "p(a) :- r(a,b)", "p(b) :- r(b,a)", "p(b) :- r(b,b)"}));
}

TEST(Ground, RelevantIsWhatFactsReach) {
    const std::string text = colors + "q(a). p(X) :- q(X). r(X,Y) :- p(X), q(Y).";
    EXPECT_EQ(atoms(text), (Lines{"p(a)", "q(a)", "r(a,a)"}));
    EXPECT_EQ(clauses(text), (Lines{"p(a) :- q(a)", "r(a,a) :- p(a), q(a)"}));
}

TEST(Ground, RelevantIsWhatQueriesSee) {
    const std::string text = colors + "q(a). q(b). p(X) :- q(X). k :- r(a,a). r(a,a).";
    EXPECT_EQ(atoms(text + ":- query(p(b))."), (Lines{"p(b)", "q(b)"}));
    EXPECT_EQ(atoms(text + ":- query(p(X))."), (Lines{"p(a)", "p(b)", "q(a)", "q(b)"}));
    EXPECT_EQ(atoms(text + ":- query(p(b)). :- query(k)."), (Lines{"p(b)", "q(b)", "r(a,a)", "k"}));
    EXPECT_EQ(atoms(text + ":- label(k)."), (Lines{"r(a,a)", "k"})) << "a label asks, too";
    EXPECT_EQ(atoms(text + ":- query(q(a))."), Lines{"q(a)"}) << "a predicate that has only facts";
    EXPECT_EQ(atoms(text + ":- query(r(b,b))."), Lines{}) << "what cannot be derived is not there";
}

TEST(Ground, AQueryThatNothingMatchesIsWorthAWarning) {
    ReadProgram result = read_and_analyse(colors + "q(a).\n:- query(p(a)).");
    ASSERT_TRUE(ground(result.program, relevant, result.diagnostics).has_value());
    EXPECT_EQ(problems(result), "no-match@3");
}

TEST(Ground, QueriesDoNotChangeFullGrounding) {
    EXPECT_EQ(full_atoms(colors + "p(X) :- q(X). :- query(k).").size(), 9U);
}

TEST(Ground, NeuralAtomsAreAlwaysThere) {
    const std::string text =
        ":- type(o, [a, b]). :- neural(seen(o)). :- neural(unused(o)). :- pred(p(o)).\np(X) :- seen(X).";
    EXPECT_EQ(atoms(text), (Lines{"seen(a)", "seen(b)", "unused(a)", "unused(b)", "p(a)", "p(b)"}));
    EXPECT_EQ(atoms(text + ":- query(p(a))."), (Lines{"seen(a)", "p(a)"})) << "unless no query can see them";
}

TEST(Ground, InitialValuesComeFromFacts) {
    for (const GroundOptions& options : {full, relevant}) {
        const GroundedText grounded =
            ground_text(colors + ":- neural(n). 0.25::q(a). q(b). 0::p(a). 0.5::n. k :- n.", options);
        for (std::uint32_t a = 0; a < grounded.ground.graph.atom_count(); ++a) {
            const std::string text = atom_text(grounded, a);
            const float expected = text == "q(a)" ? 0.25F : text == "q(b)" ? 1.0F : text == "n" ? 0.5F : 0.0F;
            EXPECT_EQ(grounded.ground.graph.initial[a], expected) << text;
        }
    }
}

// An example may give it another value.
TEST(Ground, AFactOfProbabilityZeroIsAnAtom) {
    EXPECT_EQ(atoms(colors + "0::q(a). p(X) :- q(X)."), (Lines{"p(a)", "q(a)"}));
}

TEST(Ground, BodiesAreSetsButInstancesAreCountedAsSubstitutions) {
    const std::string text =
        ":- type(i, [img]). :- type(o, [a, b]). :- neural(in(o, i)). :- pred(k(i)).\nk(I) :- in(A,I), in(B,I).";
    for (const GroundOptions& options : {full, relevant}) {
        const GroundedText grounded = ground_text(text, options);
        EXPECT_EQ(grounded.ground.graph.conjunction_count(), 4U);
        EXPECT_EQ(grounded.ground.graph.edge_count(), 4U + 1 + 2 + 2 + 1);
    }
}

TEST(Ground, ArityZero) {
    const std::string text = ":- pred(a). :- pred(b). :- pred(c). :- pred(d).\na. b :- a. c :- a, b. c :- d.";
    EXPECT_EQ(atoms(text), (Lines{"a", "b", "c"}));
    EXPECT_EQ(clauses(text), (Lines{"b :- a", "c :- a, b"}));
    EXPECT_EQ(full_clauses(text), (Lines{"b :- a", "c :- d", "c :- a, b"})) << "shorter clauses first";
}

TEST(Ground, EmptyTypesHaveNoAtomsAndNoInstances) {
    const std::string text =
        ":- type(e, []). :- type(o, [a]). :- pred(p(e)). :- pred(q(e, o)). :- pred(k). :- neural(n(e)).\n"
        "p(X). q(X,Y) :- n(X). k :- p(_).";
    for (const GroundOptions& options : {full, relevant}) {
        const GroundedText grounded = ground_text(text, options);
        EXPECT_EQ(atom_texts(grounded), options.mode == GroundMode::Full ? Lines{"k"} : Lines{});
        EXPECT_EQ(clause_texts(grounded), Lines{});
    }
}

TEST(Ground, NothingToGround) {
    for (const GroundOptions& options : {full, relevant}) {
        const GroundedText grounded = ground_text(":- type(t, []).", options);
        EXPECT_EQ(grounded.ground.graph.atom_count(), 0U);
        EXPECT_EQ(grounded.ground.graph.edge_count(), 0U);
    }
}

TEST(Ground, HeadVariablesThatAreFreeRangeOverTheirType) {
    EXPECT_EQ(clauses(colors + "p(X)."), (Lines{"p(a)", "p(b)"}));
    EXPECT_EQ(clauses(colors + "q(a). r(X,Y) :- q(X)."), (Lines{"r(a,a) :- q(a)", "r(a,b) :- q(a)"}));
    EXPECT_EQ(clauses(colors + "r(X,X)."), (Lines{"r(a,a)", "r(b,b)"}));
}

TEST(Ground, AHeadMayBuildTerms) {
    const std::string lists =
        ":- type(e, [a, b]). :- list(l, e, f, nil). :- max_length(l, 2). :- pred(p(e)). :- pred(s(l)).\n";
    EXPECT_EQ(clauses(lists + "p(a). s([]). s([X|T]) :- p(X), s(T)."),
              (Lines{"s([a]) :- p(a), s([])", "s([a,a]) :- p(a), s([a])"}));
    EXPECT_EQ(clauses(lists + "s([a|T])."), (Lines{"s([a])", "s([a,a])", "s([a,b])"}));
    EXPECT_EQ(clauses(lists + "s([b,a]). p(X) :- s([X|_])."), (Lines{"p(b) :- s([b,a])"}));
}

TEST(Ground, UnboundedTypesAreFineWhereNothingRangesOverThem) {
    const std::string text = ":- type(n, [0]). :- functor(s(n), n). :- pred(p(n)). :- pred(q(n)).\n"
                             "p(s(s(0))). p(s(s(s(0)))). q(X) :- p(s(X)).";
    EXPECT_EQ(clauses(text), (Lines{"q(s(0)) :- p(s(s(0)))", "q(s(s(0))) :- p(s(s(s(0))))"}));
}

TEST(Ground, DistinctArguments) {
    const std::string text =
        ":- type(o, [a, b, c]). :- neural(near(o, o)). :- distinct(near/2). :- pred(p(o, o)). :- pred(k).\n"
        "p(X,Y) :- near(X,Y), near(Y,X).";
    const Lines pairs = {"near(a,b)", "near(a,c)", "near(b,a)", "near(b,c)", "near(c,a)", "near(c,b)"};
    const Lines found = full_atoms(text);
    EXPECT_EQ(Lines(found.begin(), found.begin() + 6), pairs);
    EXPECT_EQ(full_clauses(text), clauses(text));
    EXPECT_EQ(clauses(text)[0], "p(a,b) :- near(a,b), near(b,a)");
    EXPECT_EQ(clauses(text).size(), 6U);
}

// The number of an atom is computed from the ranks of its arguments, skipping earlier ones: every mixture of types and
// fixed arguments must land on the atom that was meant.
TEST(Ground, DistinctNumbering) {
    const std::string text =
        ":- type(o, [a, b, c, d]). :- type(t, [x, y]). :- pred(p(o, t, o, o)). :- distinct(p/4). :- pred(q(o, o)).\n"
        "q(X,Y) :- p(X,T,Y,c). q(X,X) :- p(X,y,Y,Z). p(X,T,Y,Z) :- p(Z,T,X,Y).";
    const std::string constants = "abcd";
    Lines expected;
    for (char x : constants) {
        for (char y : constants) {
            for (char z : constants) {
                if (x == y || y == z || x == z) continue;
                for (char t : {'x', 'y'}) {
                    const std::string atom = fmt::format("p({},{},{},{})", x, t, y, z);
                    if (z == 'c') expected.push_back(fmt::format("q({},{}) :- {}", x, y, atom));
                    if (t == 'y') expected.push_back(fmt::format("q({},{}) :- {}", x, x, atom));
                    expected.push_back(fmt::format("{} :- p({},{},{},{})", atom, z, t, x, y));
                }
            }
        }
    }
    Lines found = full_clauses(text);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(full_atoms(text).size(), 2U * 4 * 3 * 2 + 16);
}

TEST(Ground, MoreDistinctPlacesThanConstants) {
    const std::string text =
        ":- type(o, [a, b]). :- neural(line(o, o, o)). :- distinct(line/3). :- pred(k).\nk :- line(X,Y,Z).";
    EXPECT_EQ(full_atoms(text), Lines{"k"});
    EXPECT_EQ(atoms(text), Lines{});
}

TEST(Ground, Disequations) {
    EXPECT_EQ(clauses(colors + "q(a). q(b). r(X,Y) :- q(X), q(Y), X \\= Y."),
              (Lines{"r(a,b) :- q(a), q(b)", "r(b,a) :- q(a), q(b)"}));
    EXPECT_EQ(full_clauses(colors + "p(X) :- q(X), X \\= a."), Lines{"p(b) :- q(b)"});
    EXPECT_EQ(clauses(colors + "r(X,Y) :- X \\= Y."), (Lines{"r(a,b)", "r(b,a)"}));
    EXPECT_EQ(full_clauses(colors + "k :- q(X), a \\= b."), (Lines{"k :- q(a)", "k :- q(b)"}));
    const std::string numbers =
        ":- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 2). :- pred(q(n)). :- pred(p(n, n)). q(0). q(s(0)).\n";
    EXPECT_EQ(clauses(numbers + "p(X,Y) :- q(X), q(Y), X \\= s(Y)."),
              (Lines{"p(0,0) :- q(0)", "p(0,s(0)) :- q(0), q(s(0))", "p(s(0),s(0)) :- q(s(0))"}));
}

// A term beyond its bounds is no term of the universe, so it is no term that is the same.
TEST(Ground, ATermThatDoesNotExistDiffersFromAll) {
    const std::string numbers =
        ":- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 1). :- pred(q(n)). :- pred(p(n, n)). :- pred(z(n)). q(0). q(s(0)).\n";
    for (const GroundOptions& options : {full, relevant}) {
        EXPECT_EQ(clause_texts(ground_text(numbers + "p(X,Y) :- q(X), q(Y), X \\= s(Y).", options)).size(), 3U);
        EXPECT_EQ(clause_texts(ground_text(numbers + "z(X) :- q(X), X \\= s(s(0)).", options)).size(), 2U);
    }
}

TEST(Ground, AHeadWithFunctorsOfTwoTypes) {
    const std::string text =
        ":- type(e, [a, b]). :- type(t, []). :- functor(f(e), t). :- type(u, []). :- functor(g(e), u). :- pred(p(t, u)).\n"
        "p(f(X),g(X)).";
    EXPECT_EQ(clauses(text), (Lines{"p(f(a),g(a))", "p(f(b),g(b))"}));
}

// The bound of t reaches into the terms of u that it is made of, though u itself has none.
TEST(Ground, ABoundedTypeMadeOfAnUnboundedOne) {
    EXPECT_EQ(atoms(":- type(u, [0]). :- functor(s(u), u). :- type(t, []). :- functor(f(u), t). :- max_depth(t, 3). "
                    ":- pred(p(t)).\np(_)."),
              (Lines{"p(f(0))", "p(f(s(0)))", "p(f(s(s(0))))"}));
}

TEST(Ground, QueriesMatchAtoms) {
    GroundedText grounded = ground_text(colors + "r(a,a). r(a,b). r(b,b).", relevant);
    const auto matching = [&](const std::string& text) {
        Diagnostics diagnostics;
        const std::optional<Query> query = parse_query(grounded.program, "--query", text, diagnostics);
        Lines found;
        for (AtomId atom : matching_atoms(grounded.program, grounded.ground.atoms, *query)) {
            found.push_back(atom_text(grounded, atom.value()));
        }
        return found;
    };
    EXPECT_EQ(matching("r(X,Y)"), (Lines{"r(a,a)", "r(a,b)", "r(b,b)"}));
    EXPECT_EQ(matching("r(X,X)"), (Lines{"r(a,a)", "r(b,b)"})) << "one variable has one value";
    EXPECT_EQ(matching("r(_,_)").size(), 3U);
    EXPECT_EQ(matching("r(X,b)"), (Lines{"r(a,b)", "r(b,b)"}));
    EXPECT_EQ(matching("r(b,a)"), Lines{});
    EXPECT_EQ(matching("k"), Lines{});
}

TEST(Ground, QueriesMatchInsideTerms) {
    GroundedText grounded =
        ground_text(":- type(e, [a, b]). :- list(l, e, f, nil). :- pred(s(l)). s([]). s([a]). s([a,b]). s([b,b]).");
    const auto count = [&](const std::string& text) {
        Diagnostics diagnostics;
        return matching_atoms(grounded.program, grounded.ground.atoms,
                              *parse_query(grounded.program, "q", text, diagnostics))
            .size();
    };
    EXPECT_EQ(count("s([X|T])"), 3U);
    EXPECT_EQ(count("s([X])"), 1U);
    EXPECT_EQ(count("s([X,X])"), 1U);
    EXPECT_EQ(count("s([_,_|_])"), 2U);
}

TEST(Ground, StatisticsAddUp) {
    const GroundedText grounded = ground_text(colors + "p(X) :- q(X). 0.5::r(X,Y) :- p(X), q(Y). k.", full);
    ASSERT_EQ(grounded.ground.rules.size(), 2U);
    EXPECT_EQ(grounded.ground.rules[0].instances, 2U);
    EXPECT_EQ(grounded.ground.rules[0].edges, 4U);
    EXPECT_EQ(grounded.ground.rules[1].instances, 4U);
    EXPECT_EQ(grounded.ground.rules[0].edges + grounded.ground.rules[1].edges, grounded.ground.graph.edge_count());
    EXPECT_EQ(grounded.ground.terms, 2U);
    EXPECT_EQ(grounded.ground.graph.weight[1], 0.5);
}

TEST(Ground, RelevantTermsAreThoseOfTheAtomsThatAreLeft) {
    EXPECT_EQ(ground_text(colors + "q(a). q(b). :- query(q(a)).").ground.terms, 1U);
}

TEST(Ground, AClauseThatRangesOverVeryManyInstancesIsWorthAWarning) {
    ReadProgram result = read_and_analyse(":- type(o, [" + many_names(1000) + "]). :- pred(p(o, o)).\np(_, _).");
    ASSERT_TRUE(ground(result.program, relevant, result.diagnostics).has_value());
    EXPECT_EQ(problems(result), "large-rule@2");
}

}  // namespace
}  // namespace neumann
