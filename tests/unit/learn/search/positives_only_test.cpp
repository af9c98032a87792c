#include <algorithm>

#include <gtest/gtest.h>

#include "learn/search/positives_only.h"
#include "learn/search/refinements.h"

namespace neumann::search {
namespace {

// Two kinds of parents along a line of eight: which pairs are ancestors, by a few of them.
Task ancestors() {
    Task task;
    task.bias.head = {"ancestor", {0, 0}, 0, {}};
    task.bias.body = {{"father", {0, 0}, 0, {}}, {"mother", {0, 0}, 0, {}}};
    task.bias.most_clauses = 3;
    task.bias.recursion = true;
    Relation father(2);
    Relation mother(2);
    for (Value a = 0; a < 7; ++a) (a % 3 == 1 ? mother : father).add(std::vector<Value>{a, a + 1});
    for (Value a = 0; a < 7; ++a) (a % 3 == 1 ? father : mother).add(std::vector<Value>{a + 10, a + 1});
    task.relations.push_back(std::move(father));
    task.relations.push_back(std::move(mother));
    task.positives = {{1, 2}, {3, 6}, {14, 7}};
    return task;
}

TEST(PositivesOnly, AncestorsComeFromThreeLabels) {
    Task task = ancestors();
    std::string assumed;
    const SearchResult found = search_labels(task, {}, {}, assumed);
    EXPECT_TRUE(found.is_right());
    EXPECT_NE(assumed.find("the other way round"), std::string::npos);
    EXPECT_EQ(found.size, 7U);
    const bool calls_itself = std::ranges::any_of(found.program, [&](const Clause& clause) {
        return std::ranges::any_of(clause.body,
                                   [&](const Literal& goal) { return goal.predicate == task.bias.itself(); });
    });
    EXPECT_TRUE(calls_itself);
    for (const Clause& clause : found.program) EXPECT_TRUE(is_whole(clause, task.bias)) << print(clause, task.bias);
}

TEST(PositivesOnly, WhatIsNotLabelledIsFalseIfThatCanBe) {
    Task task = ancestors();
    task.bias.recursion = false;
    task.positives.clear();
    for (Value a = 0; a < 7; ++a)
        task.positives.push_back(a % 3 == 1 ? std::vector<Value>{a, a + 1} : std::vector<Value>{a + 10, a + 1});
    std::string assumed;
    const SearchResult found = search_labels(task, {}, {}, assumed);
    ASSERT_EQ(found.program.size(), 1U);
    EXPECT_EQ(print(found.program[0], task.bias), "ancestor(A,B) :- mother(A,B).");
    EXPECT_EQ(task.negatives.size(), 15U * 15U - 7U);
}

// f(A,B) :- q0(A,C), q0(B,A), q1(B,C). is right, and shorter than all that is right with bodies of two goals.
TEST(PositivesOnly, ShortBodiesProveNothingAboutLongOnes) {
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.body = {{"q0", {0, 0}, 0, {}}, {"q1", {0, 0}, 0, {}}};
    task.bias.most_body = 3;
    task.bias.most_variables = 3;
    task.bias.as_declared = true;
    task.relations.assign(2, Relation(2));
    for (const std::vector<Value>& pair : std::vector<std::vector<Value>>{
             {0, 3}, {0, 4}, {0, 5}, {2, 0}, {2, 1}, {2, 2}, {2, 4}, {3, 3}, {3, 4}, {4, 2}, {4, 3}, {4, 5}, {5, 2}})
        task.relations[0].add(pair);
    for (const std::vector<Value>& pair : std::vector<std::vector<Value>>{
             {0, 0}, {0, 5}, {1, 1}, {1, 3}, {1, 4}, {2, 5}, {4, 1}, {4, 4}, {4, 5}, {5, 3}})
        task.relations[1].add(pair);
    task.positives = {{0, 2}, {2, 4}, {4, 0}, {4, 2}};
    std::string assumed;
    const SearchResult found = search_labels(task, {}, {}, assumed);
    ASSERT_TRUE(found.is_right());
    EXPECT_TRUE(!found.is_shortest() || found.size == 4U);
}

// q(B,A) asks for B, which p(B) gives; nothing speaks against the clause without it, but then B is not known.
TEST(PositivesOnly, GoalsThatGiveInputsAreNotIdle) {
    Task task;
    task.bias.head = {"f", {0, 0}, 1, {}};
    task.bias.body = {{"q", {0, 0}, 1, {}}, {"p", {0}, 0, {}}};
    task.bias.most_body = 2;
    task.bias.most_variables = 2;
    task.bias.as_declared = true;
    task.relations = {Relation(2), Relation(1)};
    for (const Value v : {1U, 2U, 3U}) {
        task.relations[0].add(std::vector<Value>{v, v - 1});
        task.relations[1].add({&v, 1});
    }
    task.relations[0].add(std::vector<Value>{0, 5});  // an assumed negative that p(B) keeps away
    task.positives = {{0, 1}, {1, 2}};                // of three: all else is not false
    std::string assumed;
    const SearchResult found = search_labels(task, {}, {}, assumed);
    ASSERT_TRUE(found.is_right()) << assumed;
    ASSERT_EQ(found.program.size(), 1U);
    EXPECT_EQ(found.program[0].body.size(), 2U) << print(found.program[0], task.bias);
}

TEST(PositivesOnly, DrawsTheSameTuplesEveryTime) {
    const Task task = ancestors();
    EXPECT_EQ(unlabelled_tuples(task, 20).size(), 20U);
    EXPECT_EQ(unlabelled_tuples(task, 20), unlabelled_tuples(task, 20));
}

TEST(PositivesOnly, LabelsBothWaysSpeakForNothing) {
    Task task = ancestors();
    task.positives.push_back({2, 1});
    EXPECT_EQ(reversed_labels(task).size(), 6U);  // with itself alone
    task.positives.push_back({1, 1});
    EXPECT_TRUE(reversed_labels(task).empty());
}

}  // namespace
}  // namespace neumann::search
