#include <gtest/gtest.h>

#include "learn/search/fold.h"

namespace neumann::search {
namespace {

Task two_relations() {
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.body = {{"p", {0, 0}, 0, {}}, {"q", {0, 0}, 0, {}}, {"r", {0, 0}, 0, {}}};
    task.relations.assign(3, Relation(2));
    return task;
}

// f(A,B) :- r(A,B), p(C,B), q(C,A).  f(A,B) :- p(B,A), q(B,C), r(A,C).
// p(C,B), q(C,A) and p(B,A), q(B,C) have the same goals; B is known outside of the second alone.
TEST(Fold, DefinitionsWithOtherArgumentsAreOthers) {
    Task task = two_relations();
    const Clause inside{{{2, {0, 1}}, {0, {2, 1}}, {1, {2, 0}}}, 3};
    const Clause head{{{0, {1, 0}}, {1, {1, 2}}, {2, {0, 2}}}, 3};
    const auto program = folded({inside, head}, task, 2);
    ASSERT_TRUE(program);
    for (const Clause& clause : *program) {
        EXPECT_LE(clause.body.size(), 2U);
        if (clause.head != own_predicate) continue;
        std::uint32_t occurring = 0;
        for (const Literal& goal : clause.body) {
            for (std::size_t a = 0; a < task.bias.of(goal).types.size(); ++a) occurring |= 1U << goal.args[a];
        }
        EXPECT_EQ(occurring & 3U, 3U) << print(clause, task.bias);  // both arguments of the head are restricted
    }
}

TEST(Fold, TheSameGoalsAreDefinedOnce) {
    Task task = two_relations();
    const Clause one{{{0, {0, 2}}, {1, {2, 1}}, {2, {0, 0}}}, 3};
    const Clause other{{{0, {0, 2}}, {1, {2, 1}}, {2, {1, 1}}}, 3};
    const auto program = folded({one, other}, task, 2);
    ASSERT_TRUE(program);
    EXPECT_EQ(program->size(), 3U);
    EXPECT_EQ(size_of(*program), 9U);
}

}  // namespace
}  // namespace neumann::search
