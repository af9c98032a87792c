#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ground/canonical_order.h"
#include "ground/limit.h"
#include "ground/universe.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

struct Enumerated {
    ReadProgram read;
    TermBounds bounds;
    Universe universe;

    explicit Enumerated(std::string text, const std::vector<std::string>& wanted = {}, std::uint64_t limit = 1ULL << 30)
        : read(neumann::read(std::move(text))), bounds(read.program.signature), universe(read.program, bounds, limit) {
        EXPECT_FALSE(read.diagnostics.has_errors()) << rendered(read);
        std::vector<bool> types(read.program.signature.types().size(), wanted.empty());
        for (const std::string& name : wanted) types[type(name).index()] = true;
        universe.enumerate(types);
    }
    TypeId type(const std::string& name) const { return read.program.signature.find_type(name); }
    std::string print(std::span<const TermId> terms) const {
        std::string text;
        for (TermId term : terms)
            text += (text.empty() ? "" : " ") + print_term(read.program.signature, read.program.terms, term);
        return text;
    }
    std::string terms(const std::string& name) const { return print(universe.terms(type(name))); }
};

TEST(Universe, ConstantsInOrderOfDeclaration) {
    EXPECT_EQ(Enumerated(":- type(t, [c, a, b]).").terms("t"), "c a b");
    EXPECT_EQ(Enumerated(":- type(t, []).").terms("t"), "");
}

TEST(Universe, ByDepthThenFunctorThenArguments) {
    EXPECT_EQ(
        Enumerated(":- type(t, [a, b]). :- functor(g(t), t). :- functor(f(t), t). :- max_depth(t, 2).").terms("t"),
        "a b g(a) g(b) f(a) f(b) g(g(a)) g(g(b)) g(f(a)) g(f(b)) f(g(a)) f(g(b)) f(f(a)) f(f(b))");
}

TEST(Universe, TreesAreCountedOnce) {
    const Enumerated shallow(":- type(t, [a]). :- functor(f(t, t), t). :- max_depth(t, 2).");
    EXPECT_EQ(shallow.universe.size(), 5U);
    const Enumerated deeper(":- type(t, [a]). :- functor(f(t, t), t). :- max_depth(t, 4).");
    EXPECT_EQ(deeper.universe.size(), 677U);  // 1, 2, 5, 26, 677: n² + 1
}

TEST(Universe, IsInCanonicalOrder) {
    const Enumerated trees(":- type(t, [a]). :- functor(f(t, t), t). :- max_depth(t, 2).");
    EXPECT_EQ(trees.terms("t"), "a f(a,a) f(a,f(a,a)) f(f(a,a),a) f(f(a,a),f(a,a))");
    const CanonicalTermOrder order(trees.read.program.terms);
    const std::span<const TermId> terms = trees.universe.terms(trees.type("t"));
    for (std::size_t i = 1; i < terms.size(); ++i) EXPECT_LT(order.rank(terms[i - 1]), order.rank(terms[i]));
}

// There are 458,330² pairs of these trees; none of them is a tree that is asked for.
TEST(Universe, ABoundIsReachedWithoutTryingWhatIsBeyondIt) {
    const Enumerated trees(":- type(t, [a]). :- functor(f(t, t), t). :- max_depth(t, 5).");
    EXPECT_EQ(trees.universe.size(), 458'330U);
}

TEST(Universe, Lists) {
    const std::string list = ":- type(e, [a, b]). :- list(l, e, f, nil). ";
    EXPECT_EQ(Enumerated(list + ":- max_length(l, 2).").terms("l"), "[] [a] [b] [a,a] [a,b] [b,a] [b,b]");
    EXPECT_EQ(Enumerated(list + ":- no_repeats(l).").terms("l"), "[] [a] [b] [a,b] [b,a]");
    EXPECT_EQ(Enumerated(list + ":- max_length(l, 0).").terms("l"), "[]");
    EXPECT_EQ(Enumerated(list + ":- max_depth(l, 1).").terms("l"), "[] [a] [b]");
}

TEST(Universe, TypesThatAreBuiltFromEachOther) {
    const Enumerated both(R"(:- type(even, [0]). :- type(odd, []). :- functor(o(even), odd). :- functor(e(odd), even).
                             :- max_depth(even, 2). :- max_depth(odd, 3).)");
    EXPECT_EQ(both.terms("even"), "0 e(o(0))");
    EXPECT_EQ(both.terms("odd"), "o(0) o(e(o(0)))");
}

TEST(Universe, OnlyWhatIsWantedAndWhatThatIsBuiltFrom) {
    const Enumerated some(":- type(e, [a]). :- list(l, e, f, nil). :- max_length(l, 1). :- type(other, [x]).", {"l"});
    EXPECT_TRUE(some.universe.is_enumerated(some.type("l")));
    EXPECT_EQ(some.terms("e"), "a");
    EXPECT_FALSE(some.universe.is_enumerated(some.type("other")));
    EXPECT_EQ(some.universe.size(), 3U);
}

TEST(Universe, RanksArePositions) {
    const Enumerated lists(":- type(e, [a, b, c]). :- list(l, e, f, nil). :- no_repeats(l).");
    for (const char* name : {"e", "l"}) {
        const std::span<const TermId> terms = lists.universe.terms(lists.type(name));
        for (std::size_t i = 0; i < terms.size(); ++i) {
            EXPECT_TRUE(lists.universe.contains(terms[i]));
            EXPECT_EQ(lists.universe.rank(terms[i]), i);
        }
    }
}

TEST(Universe, TermsBeyondTheBoundsAreNotContained) {
    Enumerated numbers(":- type(n, [0]). :- functor(s(n), n). :- max_depth(n, 1). :- pred(p(n)). p(s(s(0))).");
    EXPECT_EQ(numbers.terms("n"), "0 s(0)");
    EXPECT_FALSE(numbers.universe.contains(numbers.read.program.facts[0].args[0]));
}

TEST(Universe, FindsTheTermsThatMatchKnownArguments) {
    Enumerated lists(":- type(e, [a, b]). :- list(l, e, f, nil). :- max_length(l, 2).");
    const FunctorId f = lists.read.program.signature.find_functor("f", 2);
    const TermId a = lists.universe.terms(lists.type("e"))[0];
    const TermId just_b = lists.universe.terms(lists.type("l"))[2];
    lists.universe.index(f, 0b01);
    lists.universe.index(f, 0b10);
    EXPECT_EQ(lists.print(lists.universe.with_args(f, 0, {})), "[a] [b] [a,a] [a,b] [b,a] [b,b]");
    EXPECT_EQ(lists.print(lists.universe.with_args(f, 0b01, std::array{a})), "[a] [a,a] [a,b]");
    EXPECT_EQ(lists.print(lists.universe.with_args(f, 0b10, std::array{just_b})), "[a,b] [b,b]");
}

TEST(Universe, StopsAtTheMemoryLimitAndNamesTheType) {
    const std::string text = ":- type(e, [" + many_names(200) + "]). :- list(long, e, f, nil). :- max_length(long, 5).";
    try {
        const Enumerated lists(text, {}, 10 << 20);
        FAIL() << "200^5 lists in 10 MiB";
    } catch (const GroundingLimit& limit) {
        EXPECT_NE(std::string(limit.what()).find("type 'long'"), std::string::npos) << limit.what();
    }
}

}  // namespace
}  // namespace neumann
