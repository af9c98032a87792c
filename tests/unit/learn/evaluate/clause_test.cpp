#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/join.h"
#include "unit/learn/random_tasks.h"
#include "unit/random_seed.h"

namespace neumann::search {
namespace {

// The same clause with goals in another order and other names for the variables that are not the head's.
Clause disguised(const Clause& clause, const Bias& bias, std::mt19937& random) {
    std::vector<std::uint8_t> names(clause.variables);
    for (std::size_t v = 0; v < names.size(); ++v) names[v] = static_cast<std::uint8_t>(v);
    std::shuffle(names.begin() + static_cast<std::ptrdiff_t>(bias.arity()), names.end(), random);
    Clause other = clause;
    for (Literal& literal : other.body) {
        for (std::size_t a = 0; a < bias.of(literal).types.size(); ++a) literal.args[a] = names[literal.args[a]];
    }
    std::shuffle(other.body.begin(), other.body.end(), random);
    return other;
}

TEST(InducedClause, IsOneInAllOrdersAndNames) {
    const unsigned seed = random_seed(1);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Task task = random_task(random);
    for (int i = 0; i < 300; ++i) {
        const Clause clause = random_clause(task, 1 + random() % 5, random);
        const Clause form = canonical(clause, task.bias);
        EXPECT_EQ(form, canonical(disguised(clause, task.bias, random), task.bias)) << print(clause, task.bias);
        EXPECT_EQ(form, canonical(form, task.bias));
    }
}

TEST(InducedClause, FormsThatAreEqualMeanTheSame) {
    const unsigned seed = random_seed(2);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Task task = random_task(random);
    for (int i = 0; i < 60; ++i) {
        const Clause clause = random_clause(task, 1 + random() % 3, random);
        const Clause form = canonical(clause, task.bias);
        for (const auto& atom : task.positives)
            EXPECT_EQ(holds_by_trial(clause, task, atom), holds_by_trial(form, task, atom)) << print(clause, task.bias);
    }
}

TEST(InducedClause, JoinsAgreeWithTrial) {
    const unsigned seed = random_seed(3);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Task task = random_task(random);
    Work work;
    Join join(task.bias, task.relations, work);
    for (int i = 0; i < 200; ++i) {
        const Clause clause = random_clause(task, 1 + random() % 4, random);
        for (const auto& atom : task.positives)
            EXPECT_EQ(join.holds(clause, atom), holds_by_trial(clause, task, atom)) << print(clause, task.bias);
    }
}

TEST(InducedClause, IsPrintedWithInputsFirst) {
    Bias bias;
    bias.head = {"f", {0, 0}, 1, {}};
    bias.body = {{"next", {0, 0}, 1, {}}};
    const Clause clause{{{0, {2, 1}}, {0, {0, 2}}}, 3};
    EXPECT_EQ(print(clause, bias), "f(A,B) :- next(A,C), next(C,B).");
}

}  // namespace
}  // namespace neumann::search
