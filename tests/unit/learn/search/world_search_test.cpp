#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/bias/program_clauses.h"
#include "learn/search/world_search.h"
#include "unit/learning_tasks.h"

namespace neumann {
namespace {

// What was found, and its clauses as text.
struct Outcome : WorldSearchOutcome {
    Texts clauses;
    bool right = false;
};

Outcome search(const std::string& program, const WrittenExamples& train) {
    const LoadedTask input = learning_input(program, train);
    WorldSearchOptions options;
    options.limits.work = 5 * search::work_of_second;
    Outcome outcome{search_worlds(input.program, input.program.learn, input.pool, input.train, options), {}, false};
    if (!outcome.task) return outcome;
    outcome.right = outcome.found.is_right();
    Program vocabulary;
    vocabulary.signature = outcome.worlds.signature;
    vocabulary.terms = outcome.worlds.terms;
    vocabulary.modes = input.program.modes;
    const PredicateId target = input.program.learn.front().predicate;
    for (const Clause& clause : program_clauses(vocabulary, *outcome.task, outcome.found.program, target))
        outcome.clauses.push_back(print_clause(vocabulary, clause));
    return outcome;
}

TEST(WorldSearch, FindsGrandparentsAmongFactsOfTheProgram) {
    const Task task = grandparent();
    const Outcome found = search(task.program, task.train);
    EXPECT_EQ(found.reason, "");
    EXPECT_EQ(found.clauses, Texts{"grandparent(X,Y) :- parent(X,P1), parent(P1,Y)."});
    EXPECT_TRUE(found.right);
    EXPECT_EQ(found.weights, std::vector<double>{1});
}

TEST(WorldSearch, FindsARecursionOverWorldsWithTheSameNames) {
    const Task task = connected();
    const Outcome found = search(task.program, task.train);
    EXPECT_TRUE(found.right) << found.reason;
    ASSERT_EQ(found.clauses.size(), 2U);
    EXPECT_EQ(found.clauses[0], "connected(X,Y) :- edge(X,Y).");
}

// Two worlds that only the clauses of the background tell apart, and a goal that joins nothing of another world.
TEST(WorldSearch, KnownClausesAreEvaluatedInEachWorld) {
    const std::string program = R"(
:- type(node, [a, b, c]).
:- neural(edge(node, node)).
:- pred(next_to(node, node)).
:- pred(busy(node)).
next_to(X, Y) :- edge(X, Y).
next_to(X, Y) :- edge(Y, X).
:- modeh(1, busy(+node)).
:- modeb(2, next_to(+node, -node)).
:- learn(busy/1, 1).
)";
    const WrittenExamples train = {{{{"edge(a,b)", 1.0F}}, {{"busy(a)", true}, {"busy(b)", true}, {"busy(c)", false}}},
                                   {{{"edge(c,b)", 1.0F}}, {{"busy(a)", false}, {"busy(b)", true}, {"busy(c)", true}}}};
    const Outcome found = search(program, train);
    EXPECT_TRUE(found.right);
    EXPECT_EQ(found.clauses, Texts{"busy(X) :- next_to(X,N1)."});
}

TEST(WorldSearch, HeadsAndGoalsMayBeWithoutArguments) {
    const std::string program = R"(
:- type(thing, [a, b]).
:- neural(red(thing)).
:- neural(night).
:- pred(alarm).
:- pred(seen(thing)).
:- learn(alarm/0).
)";
    const auto world = [](bool a, bool b, bool night) {
        return WrittenExample{
            {{"red(a)", a ? 1.0F : 0.0F}, {"red(b)", b ? 1.0F : 0.0F}, {"night", night ? 1.0F : 0.0F}},
            {{"alarm", (a || b) && night}}};
    };
    WrittenExamples train;
    for (int way = 0; way < 8; ++way) train.push_back(world((way & 1) != 0, (way & 2) != 0, (way & 4) != 0));
    const Outcome found = search(program, train);
    EXPECT_TRUE(found.right) << found.reason;
    EXPECT_EQ(found.clauses, Texts{"alarm :- red(T1), night."});
}

TEST(WorldSearch, TakesListsApartAndWritesThemTogether) {
    const std::string program = R"(
:- type(colour, [red, green]).
:- list(colours, colour, f, '*').
:- max_length(colours, 3).
:- pred(member(colour, colours)).
:- learn(member/2).
)";
    WrittenExample world;
    const Texts colours = {"red", "green"};
    for (const std::string& x : colours) {
        for (const std::string& a : colours) {
            for (const std::string& b : colours) {
                for (const std::string& c : colours)
                    world.targets.emplace_back(fmt::format("member({},[{},{},{}])", x, a, b, c),
                                               x == a || x == b || x == c);
            }
        }
    }
    const Outcome found = search(program, {world});
    EXPECT_TRUE(found.right) << found.reason;
    EXPECT_EQ(found.clauses, (Texts{"member(X,[X|Y]).", "member(X,[Y|Z]) :- member(X,Z)."}));
}

TEST(WorldSearch, ConstantsAndNumbersAreFoundWhereNothingElseIsRight) {
    const std::string program = R"(
:- type(person, [p1, p2, p3, p4, p5, p6]).
:- type(years, [3, 10, 17, 18, 40, 70]).
:- neural(age(person, years)).
:- pred(grown(person)).
:- learn(grown/1).
)";
    WrittenExample world;
    const std::vector<int> ages = {3, 10, 17, 18, 40, 70};
    for (std::size_t i = 0; i < ages.size(); ++i) {
        world.atoms.emplace_back(fmt::format("age(p{},{})", i + 1, ages[i]), 1.0F);
        world.targets.emplace_back(fmt::format("grown(p{})", i + 1), ages[i] >= 18);
    }
    const Outcome found = search(program, {world});
    EXPECT_TRUE(found.right) << found.reason;
    EXPECT_EQ(found.clauses, Texts{"grown(X) :- age(X,Y1), Y1 >= 18."});
}

// More labels than are looked at from the beginning, one of which is unlike all others.
TEST(WorldSearch, ManyLabelsAreSampledAndWhatIsWrongJoins) {
    constexpr int count = 9000;
    std::string program = ":- type(thing).\n:- neural(red(thing)).\n:- neural(round(thing)).\n:- pred(good(thing)).\n";
    program += ":- learn(good/1).\n";
    for (int i = 0; i < count; ++i) program += fmt::format("{}(t{}).\n", i == 7 ? "round" : "red", i);
    WrittenExample world;
    for (int i = 0; i < count; ++i) world.targets.emplace_back(fmt::format("good(t{})", i), i % 3 != 1 || i == 7);
    for (int i = 1; i < count; i += 3)
        if (i != 7) program.replace(program.find(fmt::format("red(t{}).", i)), 3, "odd");
    const Outcome found = search(":- neural(odd(thing)).\n" + program, {world});
    EXPECT_TRUE(found.right) << found.reason;
    EXPECT_EQ(found.clauses, (Texts{"good(X) :- red(X).", "good(X) :- round(X)."}));
}

TEST(WorldSearch, LabelsMayBeOfWhatUsesTheLearnedPredicate) {
    const std::string program = R"(
:- type(thing, [a, b]).
:- neural(shown(thing)).
:- pred(red(thing)).
:- pred(good(thing)).
:- pred(picture).
red(a).
picture :- shown(X), good(X).
:- modeb(1, red(+thing)).
:- learn(good/1, 1).
)";
    const WrittenExamples train = {{{{"shown(a)", 1.0F}}, {{"picture", true}}},
                                   {{{"shown(b)", 1.0F}}, {{"picture", false}}}};
    const Outcome found = search(program, train);
    EXPECT_EQ(found.reason, "");
    EXPECT_EQ(found.clauses, Texts{"good(X) :- red(X)."});
}

TEST(WorldSearch, RecallsAreKept) {
    Task task = grandparent();
    task.program.replace(task.program.find("modeb(2"), 7, "modeb(1");
    EXPECT_FALSE(search(task.program, task.train).right);
}

TEST(WorldSearch, SaysWhyItIsNotTried) {
    Task task = two_lessons();
    const LoadedTask input = learning_input(task.program, task.train);
    EXPECT_NE(search_worlds(input.program, input.program.learn, input.pool, input.train, {}).reason, "");
}

TEST(WorldSearch, StopsAtOnce) {
    const Task task = connected();
    const LoadedTask input = learning_input(task.program, task.train);
    const std::atomic<bool> stop = true;
    WorldSearchOptions options;
    options.limits.stop = &stop;
    EXPECT_TRUE(search_worlds(input.program, input.program.learn, input.pool, input.train, options).is_cut_off());
}

}  // namespace
}  // namespace neumann
