#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "syntax/load.h"
#include "unit/read_program.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

TEST(Load, AFileIsReadLikeItsText) {
    const TemporaryFolder folder;
    const std::string text = ":- type(t, [a]).\n:- pred(p(t)).\np(a).\n";
    Diagnostics diagnostics;
    const Program program = load_program(folder.write("p.nm", text), {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_FALSE(program.from_folder);
    EXPECT_EQ(print_program(program), text);
}

TEST(Load, AMissingFileIsADiagnosticWithSources) {
    Diagnostics diagnostics;
    const Program program = load_program("/no/such/file.nm", {}, diagnostics);
    EXPECT_TRUE(
        render(diagnostics, *program.sources).starts_with("/no/such/file.nm: error: no such file [cannot-read]\n"));
}

TEST(Load, AnEmptyFileIsNoProgram) {
    EXPECT_EQ(problems(""), "empty-program@1");
    EXPECT_EQ(problems("% nothing but\n/* comments */"), "empty-program@1");
    EXPECT_EQ(problems(":- type(t, [a])."), "");
}

TEST(Load, TermDepthReplacesEveryBoundOfTypesWithFunctors) {
    const std::string text = ":- type(color, [red]). :- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 10). "
                             ":- list(colors, color, f, nil). :- max_length(colors, 7). :- no_repeats(colors).";
    LoadOptions options;
    options.term_depth = 2;
    EXPECT_EQ(
        canonical_text(text, options),
        ":- type(color, [red]).\n:- type(n, [0]).\n:- type(colors, [nil]).\n"
        ":- functor(s(n), n).\n:- functor(f(color, colors), colors).\n"
        ":- max_depth(n, 2).\n:- list(colors, color, f, nil).\n:- max_depth(colors, 2).\n:- no_repeats(colors).\n");
}

TEST(Load, RepeatsReplaceTheProgramsOwn) {
    const auto no_repeats = [](std::optional<bool> allow) {
        LoadOptions options;
        options.allow_repeats = allow;
        const ReadProgram result = read(
            ":- type(e, [a]). :- list(l, e, f, nil). :- no_repeats(l). :- list(m, e, g, nil). :- type(n, [0]). :- functor(s(n), n).",
            options);
        std::string names;
        for (const TypeDecl& type : result.program.signature.types()) names += type.no_repeats ? type.name + " " : "";
        return names;
    };
    EXPECT_EQ(no_repeats(std::nullopt), "l ");
    EXPECT_EQ(no_repeats(true), "");
    EXPECT_EQ(no_repeats(false), "l m ");
}

class LoadDistinct : public ::testing::Test {
protected:
    static std::string distinct(const std::string& value) {
        LoadOptions options;
        options.distinct = value;
        const ReadProgram result = read(
            ":- type(o, [a]). :- pred(p(o, o)). :- pred(p(o)). :- pred(q(o, o)). :- neural(r(o, o)). :- distinct(q/2).",
            options);
        if (result.diagnostics.has_errors()) return problems(result);
        std::string names;
        for (const PredicateDecl& predicate : result.program.signature.predicates()) {
            if (predicate.distinct) names += print_indicator(predicate) + " ";
        }
        return names;
    }
};

TEST_F(LoadDistinct, ReplacesTheProgramsOwn) {
    EXPECT_EQ(distinct("none"), "");
    EXPECT_EQ(distinct("all"), "p/2 p/1 q/2 r/2 ");
    EXPECT_EQ(distinct("p/2"), "p/2 ");
    EXPECT_EQ(distinct("p"), "p/2 p/1 ");
    EXPECT_EQ(distinct("p/2,r"), "p/2 r/2 ");
}

TEST_F(LoadDistinct, UnknownPredicatesAreReported) {
    EXPECT_EQ(distinct("s"), "unknown-predicate@1");
    EXPECT_EQ(distinct("p/3"), "unknown-predicate@1");
    EXPECT_EQ(distinct("q,,r"), "unknown-predicate@1");
    EXPECT_EQ(distinct(""), "unknown-predicate@1");
}

class LoadQuery : public ::testing::Test {
protected:
    std::string query(const std::string& text) {
        ReadProgram result = read(":- type(o, [a]). :- list(os, o, f, '*'). :- pred(p(o, os)). :- pred(q).");
        const std::optional<Query> query = parse_query(result.program, "--query", text, result.diagnostics);
        EXPECT_EQ(query.has_value(), !result.diagnostics.has_errors());
        if (!query) return problems(result);
        return print_atom(result.program.signature, result.program.terms, query->atom.predicate, query->atom.args,
                          query->variables);
    }
};

TEST_F(LoadQuery, IsAnAtomOfTheProgram) {
    EXPECT_EQ(query("q"), "q");
    EXPECT_EQ(query("p(X,[a|T])"), "p(X,[a|T])");
    EXPECT_EQ(query("p(a, []). "), "p(a,[])");
    EXPECT_EQ(query("p(a,f(a,*))"), "p(a,[a])") << "stars are names, as folders write them";
    EXPECT_EQ(query("p(X,Y"), "unclosed@1");
    EXPECT_EQ(query("p(b,Y)"), "unknown-constant@1");
    EXPECT_EQ(query("p"), "wrong-arity@1");
    EXPECT_EQ(query(""), "syntax@1");
}

TEST(Load, FactsAndClausesAreToldApart) {
    const ReadProgram result =
        read(":- type(t, [a]). :- pred(p(t)). :- pred(l(t)). :- learn(l/1, 1).\n"
             "p(a). 0.5::p(a). p(X). p(a) :- true. p(X) :- p(X). 0.5::p(X) :- p(X). 1::p(X) :- p(X). l(X) :- p(X).");
    EXPECT_EQ(problems(result), "");
    EXPECT_EQ(result.program.facts.size(), 2U);
    std::string certain;
    for (const Clause& clause : result.program.clauses) certain += clause.certain ? "c" : "-";
    // A written weight may change, and so may the weight of a learned predicate; all others are certain.
    EXPECT_EQ(certain, "ccc---");
}

TEST(Load, NeuralPredicatesTakeFactsButNoClauses) {
    EXPECT_EQ(problems(":- neural(n). n."), "");
    EXPECT_EQ(problems(":- neural(n). :- pred(p).\nn :- p."), "bad-declaration@2");
    EXPECT_EQ(problems(":- type(t, [a]). :- neural(n(t)).\nn(X)."), "bad-declaration@2");
}

}  // namespace
}  // namespace neumann
