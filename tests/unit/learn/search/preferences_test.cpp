#include <algorithm>

#include <gtest/gtest.h>

#include "learn/search/program_search.h"

namespace neumann::search {
namespace {

using Pairs = std::vector<std::vector<Value>>;

Relation pairs(const Pairs& rows) {
    Relation relation(2);
    for (const std::vector<Value>& row : rows) relation.add(row);
    return relation;
}

// f(A,B) :- p(A,C), q(C,B).  The first goals of a(A,C), b(D,B) fit the labels as well.
Task linked_or_not() {
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.most_body = 2;
    task.bias.most_variables = 4;
    task.bias.as_declared = true;
    task.bias.body = {{"a", {0, 0}, 0, {}}, {"b", {0, 0}, 0, {}}};
    task.relations = {pairs({{1, 5}, {2, 6}}), pairs({{5, 3}, {6, 4}})};
    task.positives = {{1, 3}, {2, 4}};
    task.negatives = {{3, 1}, {1, 1}, {3, 3}};
    return task;
}

bool is_connected(const Clause& clause) {
    return clause.body.size() == 2 &&
           (clause.body[0].args[1] == clause.body[1].args[0] || clause.body[1].args[1] == clause.body[0].args[0]);
}

TEST(Preferences, HeadsWhoseVariablesAreConnectedComeFirst) {
    Task task = linked_or_not();
    const SearchResult found = search_programs(task, {});
    ASSERT_TRUE(found.is_right());
    ASSERT_EQ(found.program.size(), 1U);
    EXPECT_TRUE(is_connected(found.program[0]));
    EXPECT_TRUE(found.is_shortest());
    ASSERT_FALSE(found.equals.empty());
    EXPECT_FALSE(is_connected(found.equals[0][0]));
}

TEST(Preferences, CanBeLeftOut) {
    Task task = linked_or_not();
    task.prefer = false;
    const SearchResult found = search_programs(task, {});
    EXPECT_TRUE(found.is_right());
    EXPECT_TRUE(found.equals.empty());
    EXPECT_EQ(found.size, 3U);
}

}  // namespace
}  // namespace neumann::search
