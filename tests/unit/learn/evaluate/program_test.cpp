#include <gtest/gtest.h>

#include "learn/evaluate/program.h"
#include "learn/evaluate/relational_task.h"
#include "learn/search/special_goals.h"

namespace neumann::search {
namespace {

// f/2 over edge/2, which is 0 → 1 → 2.
Task edges() {
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.body = {{"edge", {0, 0}, 0, {}}};
    task.bias.recursion = true;
    Relation& edge = task.relations.emplace_back(2);
    for (Value a = 0; a < 2; ++a) edge.add(std::vector<Value>{a, a + 1});
    return task;
}

// f(A,B) :- edge(C,B), A = B.
TEST(Program, EqualArgumentsMayBeKnownFromEitherSide) {
    Task task = edges();
    add_equality(task);
    const Clause same{{{0, {2, 1}}, {1, {0, 1}}}, 3};
    Program program(task.bias, task.relations, {&same}, 10'000, *task.work);
    for (const Mask known : {1U, 2U}) {
        const TupleTable& rows = program.solve(std::vector<Value>{1, 1}, known);
        ASSERT_EQ(rows.size(), 1U);
        EXPECT_EQ(rows.values(), (std::vector<Value>{1, 1}));
    }
    EXPECT_FALSE(program.gave_up());
}

// A goal that is asked without its inputs has answers that nobody sees: whatever is not covered may be so all the same.
TEST(Program, GivesUpWhereInputsAreMissing) {
    Task task = edges();
    task.bias.body[0].inputs = 1;
    task.relations[0] = Relation(2, 1, [](std::span<const Value> args, Mask, std::vector<Value>& tuples) {
        if (args[0] < 2) tuples.insert(tuples.end(), {args[0], args[0] + 1});
        return Relation::Answers::All;
    });
    const Clause base{{{0, {0, 1}}}, 2};
    const Clause from_anywhere{{{own_predicate, {2, 1}}, {0, {0, 3}}}, 4};  // f(A,B) :- f(C,B), edge(A,D).
    Program program(task.bias, task.relations, {&base, &from_anywhere}, 10'000, *task.work);
    EXPECT_FALSE(program.covers(std::vector<Value>{0, 2}));
    EXPECT_TRUE(program.gave_up());
    const Clause step{{{0, {0, 2}}, {own_predicate, {2, 1}}}, 3};  // f(A,B) :- edge(A,C), f(C,B).
    Program directed(task.bias, task.relations, {&base, &step}, 10'000, *task.work);
    EXPECT_TRUE(directed.covers(std::vector<Value>{0, 2}));
    EXPECT_FALSE(directed.gave_up());
}

}  // namespace
}  // namespace neumann::search
