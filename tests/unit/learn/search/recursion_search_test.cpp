#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learn/search/program_search.h"
#include "learn/search/recursion_search.h"

namespace neumann::search {
namespace {

using Pairs = std::vector<std::vector<Value>>;

// f/2 over relations q0, q1, … of pairs.
Task pairs_task(const std::vector<Pairs>& relations, Pairs positives, Pairs negatives) {
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.most_body = 2;
    task.bias.most_variables = 3;
    task.bias.recursion = true;
    task.bias.as_declared = true;
    for (const Pairs& pairs : relations) {
        task.bias.body.push_back({"q" + std::to_string(task.relations.size()), {0, 0}, 0, {}});
        Relation& relation = task.relations.emplace_back(2);
        for (const std::vector<Value>& pair : pairs) relation.add(pair);
    }
    task.positives = std::move(positives);
    task.negatives = std::move(negatives);
    return task;
}

// f(A,B) :- q0(A,B), q1(A,B).  f(A,B) :- q1(B,C), f(A,C).
// Shorter bases answer the calls that follow from the positives in the same way, and cover a negative.
TEST(RecursionSearch, BasesThatAnswerAlikeMayDifferInNegatives) {
    Task task =
        pairs_task({{{0, 0}, {1, 0}, {2, 0}, {2, 1}}, {{0, 0}, {1, 2}, {2, 1}}}, {{2, 2}}, {{0, 2}, {1, 0}, {1, 1}});
    EXPECT_TRUE(search_programs(task, {}).is_right());
}

// f(A,B) :- q0(A,C), q0(C,B).  f(A,B) :- q0(C,A), f(B,C).
// A shorter base answers the calls alike, and lacks a positive that the recursive clause cannot cover.
TEST(RecursionSearch, BasesThatAnswerAlikeMayDifferInOtherPositives) {
    Task task = pairs_task({{{1, 0}, {1, 1}, {2, 1}}}, {{0, 0}, {0, 2}, {2, 0}}, {{2, 2}});
    task.bias.most_clauses = 2;
    EXPECT_TRUE(search_programs(task, {}).is_right());
}

// f(A,B) :- f(B,A).  f(A,B) :- q0(C,C), q1(C,A), q2(C,B).
TEST(RecursionSearch, LongBasesAreTriedWithShortRecursion) {
    Task task = pairs_task({{{3, 3}, {5, 5}}, {{0, 0}, {3, 1}, {3, 4}, {4, 1}}, {{0, 0}, {3, 2}, {4, 3}}},
                           {{2, 1}, {2, 4}}, {{0, 0}, {4, 3}, {3, 1}});
    task.bias.body[1].fixed = {-1, 0};
    task.bias.most_body = 3;
    const SearchResult found = search_programs(task, {});
    EXPECT_TRUE(found.is_right());
    EXPECT_LE(found.size, 6U);
}

// Paths in a chain of nodes; one pair behind another has the wrong label, and so has one that is before it.
TEST(RecursionSearch, ProgramsMayCoverNegativesThatLabelsGetWrong) {
    constexpr Value nodes = 7;
    Pairs edges;
    for (Value v = 0; v + 1 < nodes; ++v) edges.push_back({v, v + 1});
    Pairs positives;
    Pairs negatives;
    for (Value a = 0; a < nodes; ++a) {
        for (Value b = 0; b < nodes; ++b) {
            const bool wrong = (a == 1 && b == 5) || (a == 6 && b == 2);
            ((a < b) != wrong ? positives : negatives).push_back({a, b});
        }
    }
    for (const ScoreKind score : {ScoreKind::Literals, ScoreKind::Mdl, ScoreKind::Mml}) {
        Task task = pairs_task({edges}, positives, negatives);
        task.score = score;
        const SearchResult found = search_programs(task, {});
        EXPECT_EQ(found.false_positives, 1U);
        EXPECT_EQ(found.false_negatives, 1U);
        EXPECT_EQ(found.size, 5U);
    }
}

}  // namespace
}  // namespace neumann::search
