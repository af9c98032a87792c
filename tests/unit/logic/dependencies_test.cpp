#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "logic/dependencies.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr const char* vocabulary = ":- pred(a). :- pred(b). :- pred(c). :- pred(d). :- pred(e).\n";

// Literals of the clauses as (clause, goal) are negated.
ReadProgram program_of(const std::string& clauses, const std::vector<std::pair<std::size_t, std::size_t>>& negated) {
    ReadProgram result = read(vocabulary + clauses);
    for (const auto& [clause, goal] : negated) negate(result.program, clause, goal);
    return result;
}

TEST(Dependencies, AStratumForEveryNegationOnTheWay) {
    // a ← b ← \+ c ← d, and e ← \+ a, c
    const ReadProgram read = program_of("a :- b. b :- c. c :- d. e :- a, c.", {{1, 0}, {3, 0}});
    const DependencyGraph graph = dependencies_of(read.program);
    EXPECT_TRUE(graph.negative_cycle().empty());
    EXPECT_EQ(graph.strata(), (Numbers{1, 1, 0, 0, 2}));
    EXPECT_EQ(graph.component_count(), 5U);
    EXPECT_LT(graph.component(PredicateId(2)), graph.component(PredicateId(1)));
}

TEST(Dependencies, ACycleWithoutNegationIsOneStratum) {
    const ReadProgram read = program_of("a :- b, c. b :- a. d :- a.", {{0, 1}, {2, 0}});
    const DependencyGraph graph = dependencies_of(read.program);
    EXPECT_TRUE(graph.negative_cycle().empty());
    EXPECT_EQ(graph.component(PredicateId(0)), graph.component(PredicateId(1)));
    EXPECT_EQ(graph.strata(), (Numbers{1, 1, 0, 2, 0}));
}

TEST(Dependencies, TheShortestCycleThroughANegationIsFound) {
    // Two cycles through negations: a ← b ← c ← \+ a, and d ← \+ e ← d.
    const ReadProgram read = program_of("a :- b. b :- c. c :- a. d :- e. e :- d.", {{2, 0}, {3, 0}});
    const std::vector<Dependency> cycle = dependencies_of(read.program).negative_cycle();
    ASSERT_EQ(cycle.size(), 2U);
    EXPECT_EQ(cycle[0].head, PredicateId(3));
    EXPECT_EQ(cycle[0].goal, PredicateId(4));
    EXPECT_TRUE(cycle[0].negated);
    EXPECT_EQ(cycle[0].clause, 3U);
    EXPECT_EQ(cycle[1].head, PredicateId(4));
    EXPECT_EQ(cycle[1].goal, PredicateId(3));
    const ReadProgram alone = program_of("a :- b, a.", {{0, 1}});
    ASSERT_EQ(dependencies_of(alone.program).negative_cycle().size(), 1U);
}

TEST(Dependencies, OnlyWhatIsAskedForIsNeeded) {
    const ReadProgram read = program_of("a :- b. b :- c. d :- e.", {{1, 0}});
    EXPECT_EQ(dependencies_of(read.program).needed_for(std::array{PredicateId(0)}),
              (std::vector<bool>{true, true, true, false, false}));
}

TEST(Dependencies, TheWholeCycleIsShown) {
    ReadProgram read = program_of("a :- b.\nb :- c, d.\nc :- a.\nd.\n", {{2, 0}});
    analyse(read.program, {}, read.diagnostics);
    EXPECT_EQ(problems(read), "negative-cycle@4");
    const std::string text = rendered(read);
    for (const char* part : {"test.nm:4:6: error: 'c/0' depends on its own negation [negative-cycle]",
                             "'c/0' depends on the negation of 'a/0'", "test.nm:2:6", "'a/0' depends on 'b/0'",
                             "test.nm:3:6", "'b/0' depends on 'c/0'"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    Diagnostics diagnostics;
    EXPECT_FALSE(ground(read.program, {}, diagnostics)) << "nor is it grounded without having been analysed";
    EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace neumann
