#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "learn/evaluate/join.h"
#include "learn/evaluate/program.h"
#include "learn/search/program_search.h"
#include "unit/learn/random_tasks.h"
#include "unit/random_seed.h"

namespace neumann::search {
namespace {

// Labels by a hidden clause: a right program that is no longer is found.
TEST(Induce, FindsAHiddenClause) {
    const unsigned seed = random_seed(8);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 10; ++i) {
        Task task = random_task(random);
        const Clause hidden = random_clause(task, 2, random);
        if (!is_whole(hidden, task.bias)) continue;
        task.positives.clear();
        task.negatives.clear();
        for (Value a = 0; a < domain; ++a) {
            for (Value b = 0; b < domain; ++b)
                (holds_by_trial(hidden, task, {a, b}) ? task.positives : task.negatives).push_back({a, b});
        }
        if (task.positives.empty()) continue;
        task.bias.most_body = 2;
        const SearchResult found = search_programs(task, {});
        EXPECT_TRUE(found.is_right()) << print(hidden, task.bias);
        EXPECT_TRUE(found.is_shortest());
        EXPECT_LE(found.size, 3U);
    }
}

// A chain 0 → 1 → … → 5 and a circle: reachability needs recursion.
Task reachability() {
    Task task;
    task.bias.head = {"reach", {0, 0}, 0, {}};
    task.bias.body = {{"edge", {0, 0}, 0, {}}};
    task.bias.most_variables = 3;
    task.bias.recursion = true;
    Relation edge(2);
    for (Value a = 0; a < 5; ++a) edge.add(std::vector<Value>{a, a + 1});
    for (Value a = 6; a < 9; ++a) edge.add(std::vector<Value>{a, a == 8 ? 6 : a + 1});
    task.relations.push_back(std::move(edge));
    for (Value a = 0; a < 9; ++a) {
        for (Value b = 0; b < 9; ++b) {
            const bool reached = a < 6 ? a < b && b < 6 : b >= 6;
            (reached ? task.positives : task.negatives).push_back({a, b});
        }
    }
    return task;
}

TEST(Induce, FindsReachability) {
    Task task = reachability();
    const SearchResult found = search_programs(task, {});
    EXPECT_TRUE(found.is_right());
    EXPECT_EQ(found.program.size(), 2U);
    EXPECT_EQ(found.size, 5U);
}

TEST(Induce, RecursionEndsInCircles) {
    Task task = reachability();
    const Clause base{{{0, {0, 1}}}, 2};
    const Clause step{{{own_predicate, {0, 2}}, {own_predicate, {2, 1}}}, 3};  // reach(A,B) :- reach(A,C), reach(C,B).
    Work work;
    Program program(task.bias, task.relations, {&base, &step}, 1'000'000, work);
    for (const auto& atom : task.positives) EXPECT_TRUE(program.covers(atom)) << atom[0] << ' ' << atom[1];
    for (const auto& atom : task.negatives) EXPECT_FALSE(program.covers(atom)) << atom[0] << ' ' << atom[1];
}

TEST(Induce, StopsWithTheBestSoFar) {
    std::mt19937 random(1);
    Task task = random_task(random);
    const std::atomic<bool> stop = true;
    Limits limits;
    limits.stop = &stop;
    const SearchResult found = search_programs(task, limits);
    EXPECT_EQ(found.ended, Ended::Stopped);
    EXPECT_EQ(found.true_positives + found.false_negatives, task.positives.size());
}

// The same task comes to the same program after the same work; less work ends at its limit.
TEST(Induce, WorkIsCounted) {
    Task first = reachability();
    Task second = reachability();
    const SearchResult one = search_programs(first, {});
    const SearchResult other = search_programs(second, {});
    EXPECT_GT(one.work, 0U);
    EXPECT_EQ(one.work, other.work);
    EXPECT_EQ(one.candidates, other.candidates);
    EXPECT_EQ(one.program, other.program);
    Task third = reachability();
    Limits limits;
    limits.work = one.work / 100;
    const SearchResult cut = search_programs(third, limits);
    EXPECT_EQ(cut.ended, Ended::WorkLimit);
    EXPECT_LT(cut.work, one.work / 10);
}

}  // namespace
}  // namespace neumann::search
