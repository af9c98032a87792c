#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "learn/evaluate/program.h"
#include "learn/search/fold.h"
#include "learn/search/program_search.h"
#include "learn/search/special_goals.h"
#include "unit/learn/random_tasks.h"
#include "unit/random_seed.h"

namespace neumann::search {
namespace {

// 0 … `last`, with zero/1 and succ/2 in the order of `names`; f/1 holds of the multiples of `factor`.
Task multiples(Value last, Value factor, const std::vector<Value>& names) {
    Task task;
    task.bias.head = {"f", {0}, 0, {}};
    task.bias.body = {{"zero", {0}, 0, {}}, {"succ", {0, 0}, 0, {}}};
    task.bias.recursion = true;
    task.bias.invention = true;
    task.bias.most_body = 2;
    Relation zero(1);
    zero.add(std::vector<Value>{names[0]});
    Relation succ(2);
    for (Value i = 0; i < last; ++i) succ.add(std::vector<Value>{names[i], names[i + 1]});
    task.relations.push_back(std::move(zero));
    task.relations.push_back(std::move(succ));
    for (Value i = 0; i <= last; ++i) (i % factor == 0 ? task.positives : task.negatives).push_back({names[i]});
    return task;
}

// Ends with the first program that is right and has at most so many literals.
SearchResult first_right(Task& task, std::size_t most = 100) {
    std::atomic<bool> stop = false;
    Limits limits;
    limits.stop = &stop;
    return search_programs(task, limits,
                           [&](const SearchResult& best) { stop = best.is_right() && best.size <= most; });
}

std::size_t longest_body(const SearchResult& found) {
    std::size_t longest = 0;
    for (const Clause& clause : found.program) longest = std::max(longest, clause.body.size());
    return longest;
}

TEST(Invention, FoldsBodiesThatAreTooLong) {
    const unsigned seed = random_seed(5);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (const Value factor : {2U, 3U, 5U}) {
        std::vector<Value> names(12);
        for (Value i = 0; i < names.size(); ++i) names[i] = i;
        std::shuffle(names.begin(), names.end(), random);
        Task task = multiples(11, factor, names);
        const SearchResult found = first_right(task);
        EXPECT_TRUE(found.is_right()) << factor;
        EXPECT_LE(longest_body(found), 2U);
        EXPECT_TRUE(std::ranges::any_of(found.program, [](const Clause& c) { return c.head != own_predicate; }));
    }
}

// Edges a → b → … with circles: what lies on one needs the closure of edge, which nobody gives.
TEST(Invention, FindsARecursiveDefinition) {
    Task task;
    task.bias.head = {"cyclic", {0}, 0, {}};
    task.bias.body = {{"edge", {0, 0}, 0, {}}};
    task.bias.recursion = true;
    task.bias.invention = true;
    task.bias.most_body = 2;
    Relation edge(2);
    const std::vector<std::pair<Value, Value>> edges = {{0, 1},   {1, 2},   {2, 3},   {3, 4},   {4, 0},   {5, 0},
                                                        {2, 6},   {6, 7},   {8, 8},   {8, 9},   {10, 11}, {11, 10},
                                                        {11, 12}, {12, 13}, {13, 14}, {14, 15}, {15, 13}, {15, 16}};
    for (const auto& [a, b] : edges) edge.add(std::vector<Value>{a, b});
    task.relations.push_back(std::move(edge));
    const std::set<Value> on_circles = {0, 1, 2, 3, 4, 8, 10, 11, 13, 14, 15};
    for (Value v = 0; v <= 16; ++v) (on_circles.contains(v) ? task.positives : task.negatives).push_back({v});
    const SearchResult found = first_right(task, 7);
    ASSERT_TRUE(found.is_right());
    std::string text;
    for (const Clause& clause : found.program) text += print(clause, task.bias) + "\n";
    EXPECT_NE(text.find("inv1(A,A)"), std::string::npos) << text;
    EXPECT_EQ(found.size, 7U) << text;
}

TEST(Invention, NegatesAndComparesWhereNothingElseWillDo) {
    const unsigned seed = random_seed(6);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.body = {{"q", {0, 0}, 0, {}}, {"p", {0}, 0, {}}};
    task.bias.most_body = 2;
    std::set<std::pair<Value, Value>> q;
    std::set<Value> p;
    for (int i = 0; i < 14; ++i) q.emplace(random() % domain, random() % domain);
    q.insert({{0, 1}, {1, 1}, {1, 0}});
    p = {0, 2, 3};
    task.relations = {Relation(2), Relation(1)};
    for (const auto& [a, b] : q) task.relations[0].add(std::vector<Value>{a, b});
    for (const Value a : p) task.relations[1].add(std::vector<Value>{a});
    for (Value a = 0; a < domain; ++a) {
        for (Value b = 0; b < domain; ++b)
            (q.contains({a, b}) && !p.contains(a) ? task.positives : task.negatives).push_back({a, b});
    }
    const SearchResult found = first_right(task);
    EXPECT_TRUE(found.is_right());
}

// Folded clauses cover what they covered before.
TEST(Invention, FoldingKeepsTheMeaning) {
    const unsigned seed = random_seed(7);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    int folds = 0;
    for (int i = 0; i < 60; ++i) {
        Task task = random_task(random);
        const Clause clause = random_clause(task, 4, random);
        const auto program = folded({clause}, task, 2);
        if (!program) continue;
        ++folds;
        // The invented predicates, in the order of their definitions, as tables.
        std::vector<Clause> rest(program->begin() + 1, program->end());
        for (const Clause& definition : rest) {
            Bias bias = task.bias;
            bias.head = task.bias.body[definition.head];
            Work work;
            Join join(bias, task.relations, work);
            Relation table(bias.arity());
            const std::vector<Value> open(bias.arity(), 0);
            join.each(definition, open, 0, nullptr, [&](std::span<const Value> tuple) {
                table.add(tuple);
                return false;
            });
            task.relations[definition.head] = std::move(table);
        }
        Work work;
        Join join(task.bias, task.relations, work);
        for (const auto& atom : task.positives)
            EXPECT_EQ(join.holds((*program)[0], atom), holds_by_trial(clause, task, atom)) << print(clause, task.bias);
    }
    EXPECT_GT(folds, 10);
}

}  // namespace
}  // namespace neumann::search
