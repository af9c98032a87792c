#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "learn/task/learn_error.h"
#include "learn/task/lessons.h"
#include "unit/learning_world.h"

namespace neumann {
namespace {

const std::string vocabulary = R"(
:- type(thing, [a, b]).
:- neural(given(thing)).
:- pred(p(thing)).
:- pred(q(thing)).
:- pred(r(thing)).
:- pred(both(thing)).
:- pred(over(thing)).
:- pred(other(thing)).
both(X) :- p(X), q(X).
over(X) :- given(X).
over(X) :- both(X).
over(X) :- over(X), given(X).
other(X) :- given(X).
)";

// "p/1 by p/1; q/1, r/1 by both/1, r/1": what each lesson is about and whose labels it takes.
std::string lessons(const std::string& learn, const std::vector<std::string>& labels,
                    const std::vector<std::string>& more_labels = {}) {
    WrittenExamples one(1);
    for (const std::string& label : labels) one[0].targets.emplace_back(label, true);
    WrittenExamples more(1);
    for (const std::string& label : more_labels) more[0].targets.emplace_back(label, false);
    const LoadedTask input = learning_input(vocabulary + learn, one, more);
    const ExampleSet* sets[] = {&input.train, &input.validation};
    std::vector<std::string> texts;
    for (const Lesson& lesson : plan_lessons(input.program, input.pool, sets)) {
        std::vector<std::string> targets;
        for (const LearnTarget& target : lesson.targets)
            targets.push_back(print_indicator(input.program.signature.predicate(target.predicate)));
        std::vector<std::string> teachers;
        for (std::uint32_t p = 0; p < lesson.teaches.size(); ++p) {
            if (lesson.teaches[p])
                teachers.push_back(print_indicator(input.program.signature.predicate(PredicateId(p))));
        }
        texts.push_back(fmt::format("{} by {}", fmt::join(targets, ", "), fmt::join(teachers, ", ")));
    }
    return fmt::format("{}", fmt::join(texts, "; "));
}

std::string refusal(const std::string& learn, const std::vector<std::string>& labels) {
    try {
        return lessons(learn, labels);
    } catch (const LearnError& error) {
        return error.what();
    }
}

const std::string p = ":- learn(p/1, 1).\n";
const std::string q = ":- learn(q/1, 2).\n";
const std::string r = ":- learn(r/1, 1).\n";

TEST(Lessons, OneAfterTheOtherInTheOrderOfTheDirectives) {
    EXPECT_EQ(lessons(p, {"p(a)", "p(b)"}), "p/1 by p/1");
    EXPECT_EQ(lessons(p + q, {"q(a)", "p(a)"}), "p/1 by p/1; q/1 by q/1");
    EXPECT_EQ(lessons(q + p, {"q(a)", "p(a)"}), "q/1 by q/1; p/1 by p/1");
}

TEST(Lessons, LabelsOfWhatDependsOnAPredicateTeachIt) {
    EXPECT_EQ(lessons(p, {"both(a)"}), "p/1 by both/1");
    EXPECT_EQ(lessons(p, {"over(a)"}), "p/1 by over/1") << "also through others, and through recursion";
    EXPECT_EQ(lessons(p, {"over(a)", "both(b)", "p(a)"}), "p/1 by p/1, both/1, over/1");
}

TEST(Lessons, OtherLabelsTeachNothing) { EXPECT_EQ(lessons(p, {"p(a)", "other(a)"}), "p/1 by p/1"); }

TEST(Lessons, WhatDependsOnALaterPredicateWaitsForIt) {
    EXPECT_EQ(lessons(p + q, {"p(a)", "both(a)"}), "p/1 by p/1; q/1 by both/1");
    EXPECT_EQ(lessons(p + q, {"p(a)", "q(a)", "over(a)"}), "p/1 by p/1; q/1 by q/1, over/1");
}

TEST(Lessons, WithoutLabelsInBetweenPredicatesAreLearnedTogether) {
    EXPECT_EQ(lessons(p + q, {"both(a)"}), "p/1, q/1 by both/1");
    EXPECT_EQ(lessons(p + q, {"q(a)"}), "p/1, q/1 by q/1") << "an invented predicate: learned clauses of q may use it";
    EXPECT_EQ(lessons(q + p, {"p(a)", "both(a)"}), "q/1, p/1 by p/1, both/1");
    EXPECT_EQ(lessons(p + q + r, {"p(a)", "r(a)"}), "p/1 by p/1; q/1, r/1 by r/1");
    EXPECT_EQ(lessons(r + p + q, {"both(a)", "r(a)"}), "r/1 by r/1; p/1, q/1 by both/1");
}

TEST(Lessons, LabelsOfAllSetsCount) { EXPECT_EQ(lessons(p + q, {"p(a)"}, {"q(a)"}), "p/1 by p/1; q/1 by q/1"); }

TEST(Lessons, TheNumberOfClausesComesAlong) {
    const LoadedTask input = learning_input(vocabulary + p + q, {{{}, {{"p(a)", true}, {"q(a)", true}}}});
    const ExampleSet* sets[] = {&input.train};
    const std::vector<Lesson> plan = plan_lessons(input.program, input.pool, sets);
    ASSERT_EQ(plan.size(), 2U);
    EXPECT_EQ(plan[0].targets.front().clause_count, 1U);
    EXPECT_EQ(plan[1].targets.front().clause_count, 2U);
}

TEST(Lessons, APredicateThatNoLabelSaysAnythingAboutIsAnError) {
    EXPECT_NE(refusal(p, {}).find("no label in the training examples depends on 'p/1'"), std::string::npos);
    EXPECT_NE(refusal(p, {"other(a)", "given(b)"}).find("'p/1'"), std::string::npos);
    EXPECT_NE(refusal(p + q, {"p(a)"}).find("'q/1'"), std::string::npos) << "it comes after all labels";
    EXPECT_NE(refusal(p + r, {"both(a)"}).find("'r/1'"), std::string::npos);
}

}  // namespace
}  // namespace neumann
