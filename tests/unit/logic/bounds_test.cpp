#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "logic/bounds.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

struct Types {
    ReadProgram read;
    TermBounds bounds;

    explicit Types(std::string text) : read(neumann::read(std::move(text))), bounds(read.program.signature) {
        EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
    }
    TypeId type(const char* name) const { return read.program.signature.find_type(name); }
    bool finite(const char* name) const { return bounds.is_finite(type(name)); }
    bool inhabited(const char* name) const { return bounds.is_inhabited(type(name)); }
    // Whether the arguments of this atom are terms of their types.
    bool admits(const std::string& atom) {
        const std::optional<Query> query = parse_query(read.program, "query", atom, read.diagnostics);
        EXPECT_TRUE(query.has_value()) << rendered(read);
        if (!query) return false;
        for (TermId arg : query->atom.args) {
            if (!bounds.admits(read.program.terms, arg)) return false;
        }
        return bounds.admits(query->atom.predicate, query->atom.args);
    }
};

TEST(Bounds, FlatTypesAreFinite) {
    const Types types(
        ":- type(color, [red]). :- type(nothing, []). :- type(wrapped, []). :- functor(w(color), wrapped).");
    EXPECT_TRUE(types.finite("color"));
    EXPECT_TRUE(types.finite("nothing"));
    EXPECT_TRUE(types.finite("wrapped"));
    EXPECT_TRUE(types.inhabited("wrapped"));
    EXPECT_FALSE(types.inhabited("nothing"));
}

TEST(Bounds, ATypeThatLeadsBackToItselfIsInfiniteUntilItIsBounded) {
    const std::string number = ":- type(number, [0]). :- functor(s(number), number).";
    EXPECT_FALSE(Types(number).finite("number"));
    EXPECT_TRUE(Types(number + ":- max_depth(number, 0).").finite("number"));
    const std::string list = ":- type(color, [red]). :- list(colors, color, f, nil).";
    EXPECT_FALSE(Types(list).finite("colors"));
    EXPECT_TRUE(Types(list + ":- max_length(colors, 3).").finite("colors"));
    EXPECT_TRUE(Types(list + ":- max_depth(colors, 3).").finite("colors"));
    EXPECT_TRUE(Types(list + ":- no_repeats(colors).").finite("colors"));
}

TEST(Bounds, AListOfInfinitelyManyElementsIsInfinite) {
    const std::string lists = ":- type(number, [0]). :- functor(s(number), number). :- list(numbers, number, f, nil).";
    EXPECT_FALSE(Types(lists + ":- max_length(numbers, 2).").finite("numbers"));
    EXPECT_FALSE(Types(lists + ":- no_repeats(numbers).").finite("numbers"));
    EXPECT_TRUE(Types(lists + ":- max_length(numbers, 2). :- max_depth(number, 1).").finite("numbers"));
}

TEST(Bounds, InfinityGoesThroughOtherTypes) {
    const Types types(R"(:- type(a, [x]). :- type(b, []). :- functor(f(b), a). :- functor(g(a), b).
                         :- type(c, []). :- functor(h(a), c).)");
    EXPECT_FALSE(types.finite("a"));
    EXPECT_FALSE(types.finite("b"));
    EXPECT_FALSE(types.finite("c"));
}

TEST(Bounds, AFunctorOfAnEmptyTypeMakesNothing) {
    const Types types(R"(:- type(int, []). :- functor(s(int), int). :- type(t, [a]). :- functor(f(int, t), t).)");
    EXPECT_FALSE(types.inhabited("int"));
    EXPECT_TRUE(types.finite("int"));
    EXPECT_TRUE(types.finite("t"));
}

TEST(Bounds, DepthCountsNestedFunctors) {
    Types types(":- type(number, [0]). :- functor(s(number), number). :- max_depth(number, 2). :- pred(p(number)).");
    EXPECT_TRUE(types.admits("p(0)"));
    EXPECT_TRUE(types.admits("p(s(s(0)))"));
    EXPECT_FALSE(types.admits("p(s(s(s(0))))"));
}

TEST(Bounds, LengthCountsElementsAndRepeatsCompareThem) {
    const std::string list = ":- type(color, [red, gray]). :- list(colors, color, f, nil). :- pred(p(colors)).";
    Types length(list + ":- max_length(colors, 2).");
    EXPECT_TRUE(length.admits("p([])"));
    EXPECT_TRUE(length.admits("p([red,red])"));
    EXPECT_FALSE(length.admits("p([red,gray,red])"));
    Types repeats(list + ":- no_repeats(colors).");
    EXPECT_TRUE(repeats.admits("p([red,gray])"));
    EXPECT_FALSE(repeats.admits("p([red,gray,red])"));
    EXPECT_FALSE(repeats.admits("p(f(red,f(red,nil)))"));
}

TEST(Bounds, PartsOfATermHaveBoundsOfTheirOwn) {
    Types types(R"(:- type(number, [0]). :- functor(s(number), number). :- max_depth(number, 1).
                   :- list(numbers, number, f, nil). :- max_length(numbers, 3). :- pred(p(numbers)).)");
    EXPECT_TRUE(types.admits("p([0,s(0),0])"));
    EXPECT_FALSE(types.admits("p([0,s(s(0)),0])"));
}

TEST(Bounds, DistinctArgumentsArePairwiseDifferent) {
    Types types(":- type(o, [a, b, c]). :- pred(p(o, o, o)). :- distinct(p/3). :- pred(q(o, o)).");
    EXPECT_TRUE(types.admits("p(a,b,c)"));
    EXPECT_FALSE(types.admits("p(a,b,a)"));
    EXPECT_FALSE(types.admits("p(a,b,b)"));
    EXPECT_TRUE(types.admits("q(a,a)"));
}

TEST(Bounds, TheAdviceFitsTheType) {
    const Types types(R"(:- type(number, [0]). :- functor(s(number), number).
                         :- type(color, [red]). :- list(colors, color, f, nil).)");
    EXPECT_NE(types.bounds.how_to_bound(types.type("number")).find(":- max_depth(number, 10)."), std::string::npos);
    EXPECT_NE(types.bounds.how_to_bound(types.type("colors")).find(":- max_length(colors, 3)."), std::string::npos);
}

}  // namespace
}  // namespace neumann
