#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learn/search/special_goals.h"

namespace neumann::search {
namespace {

std::string last_goal(const Task& task, std::vector<std::uint8_t> args) {
    Literal goal{static_cast<std::uint16_t>(task.bias.body.size() - 1), {}};
    std::ranges::copy(args, goal.args.begin());
    return print({{goal}, 2}, task.bias);
}

// color(A,red) is a relation of A alone, written with its constant.
TEST(SpecialGoals, NegationsAreWrittenAsSuch) {
    Task task;
    task.bias.head = {"f", {1}, 0, {}};
    task.bias.body = {{"color", {1}, 0, {}}};
    task.bias.body[0].pattern = {"color(", ",red)"};
    task.relations.assign(1, Relation(1));
    add_special_goals(task);
    EXPECT_EQ(last_goal(task, {0}), "f(A) :- not color(A,red).");
}

TEST(SpecialGoals, TypesWithOneVariableAreNotCompared) {
    Task task;
    task.bias.head = {"f", {1, 2}, 0, {}};
    task.bias.body = {{"p", {1, 2}, 0, {}}};
    task.bias.single_types = {1};
    task.relations.assign(1, Relation(2));
    add_special_goals(task);
    ASSERT_EQ(task.bias.body.size(), 3U);
    EXPECT_EQ(task.bias.body[1].kind, GoalKind::Different);
    EXPECT_EQ(task.bias.body[1].types[0], 2U);
    EXPECT_EQ(task.bias.body[2].kind, GoalKind::Negation);
}

TEST(SpecialGoals, WhatAsksForInputsIsNotNegated) {
    Task task;
    task.bias.head = {"f", {1}, 0, {}};
    task.bias.body = {{"p", {1, 1}, 1, {}}};
    task.relations.emplace_back(
        2, 1, [](std::span<const Value>, Mask, std::vector<Value>&) { return Relation::Answers::All; });
    add_special_goals(task);
    EXPECT_EQ(task.bias.body.back().kind, GoalKind::Different);
}

}  // namespace
}  // namespace neumann::search
