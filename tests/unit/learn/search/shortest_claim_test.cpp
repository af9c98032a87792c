// "Right, and no shorter program is": where the search may say so.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "learn/search/program_search.h"

namespace neumann::search {
namespace {

// Constants 0 … `last`, all of them labelled, and unary relations over them.
Task unary_task(const std::vector<std::vector<Value>>& relations, Value last, Value first_negative) {
    Task task;
    task.bias.head = {"f", {0}, 0, {}};
    task.bias.most_body = 1;
    task.bias.as_declared = true;
    for (const std::vector<Value>& values : relations) {
        task.bias.body.push_back({"p" + std::to_string(task.relations.size()), {0}, 0, {}});
        Relation& relation = task.relations.emplace_back(1);
        for (const Value& value : values) relation.add({&value, 1});
    }
    for (Value v = 0; v <= last; ++v) (v < first_negative ? task.positives : task.negatives).push_back({v});
    return task;
}

TEST(ShortestClaim, HoldsWhereAllClausesWereSeen) {
    Task task = unary_task({{0, 1}, {1, 2}, {0, 1, 2, 3}}, 3, 3);
    const SearchResult found = search_programs(task, {});
    EXPECT_TRUE(found.is_right());
    EXPECT_TRUE(found.is_shortest());
    EXPECT_EQ(found.size, 4U);
}

// Only the declared language was searched to its end, and the program is none of it.
TEST(ShortestClaim, IsNotMadeOfGoalsThatNobodyDeclared) {
    Task task = unary_task({{0, 1, 2, 3}, {3}}, 3, 3);
    task.bias.most_body = 2;
    task.bias.as_declared = false;
    const SearchResult found = search_programs(task, {});
    ASSERT_TRUE(found.is_right());
    ASSERT_EQ(found.program.size(), 1U);
    EXPECT_EQ(print(found.program[0], task.bias), "f(A) :- p0(A), not p1(A).");
    EXPECT_FALSE(found.is_shortest());
}

// Too many sets of clauses to try them all.
TEST(ShortestClaim, IsNotMadeWhereTheSetCoverGaveUp) {
    Rng rng(1);
    constexpr Value positives = 100;
    std::vector<std::vector<Value>> relations(80);
    for (std::vector<Value>& values : relations) {
        for (Value v = 0; v < positives; ++v)
            if (rng.chance(0.1)) values.push_back(v);
    }
    for (Value v = 0; v < positives; ++v) relations[v % 10].push_back(v);
    Task task = unary_task(relations, positives, positives);
    const SearchResult found = search_programs(task, {});
    EXPECT_TRUE(found.is_right());
    EXPECT_FALSE(found.is_shortest());
}

}  // namespace
}  // namespace neumann::search
