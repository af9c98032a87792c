#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "examples/json_examples.h"
#include "session/scorer.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const std::string vocabulary = ":- type(o, [a, b, 'a c']).\n"
                               ":- neural(seen(o)).\n"
                               ":- pred(good(o)).\n"
                               ":- pred(other(o)).\n"
                               ":- pred(answer(o)).\n"
                               "good(X) :- seen(X).\n"
                               "other(X) :- seen(X).\n"
                               "answer(X) :- seen(X).\n";

// Scores examples of which every atom has the value that the test gives it.
Score score(const std::string& program, const std::string& lines, const std::map<std::string, double>& values,
            const ScoreOptions& options = {}) {
    const TemporaryFolder folder;
    Diagnostics diagnostics;
    LoadedProgram loaded;
    EXPECT_TRUE(compile(parse_program("test.nm", vocabulary + program, {}, diagnostics), {}, diagnostics, loaded))
        << render(diagnostics, *loaded.compiled.program.sources);
    AtomNames names(loaded.compiled);
    std::vector<AtomNames::QueryAtoms> queries;
    for (const std::string& text : std::vector<std::string>(loaded.compiled.queries))
        queries.push_back(*names.query(text, diagnostics));
    const SupervisedAtoms atoms(loaded.compiled, names, queries);
    ExampleBinder binder(names);
    JsonExamples source(folder.write("x.jsonl", lines).string());
    Scorer scorer(options);
    BindingFailure failed;
    const auto value = [&](std::uint32_t atom) {
        const auto found = values.find(loaded.compiled.atom_text(atom));
        return found == values.end() ? 0.0 : found->second;
    };
    for (std::vector<Example> read = source.next(1000); !read.empty(); read = source.next(1000)) {
        for (const BoundExample& example : binder.bind_all(source, std::move(read), failed))
            scorer.count(source, example, binder, atoms, value);
    }
    EXPECT_EQ(failed, "");
    return scorer.score();
}

std::string text(const BinaryScore& score) {
    return std::to_string(score.true_positives) + " " + std::to_string(score.false_positives) + " " +
           std::to_string(score.true_negatives) + " " + std::to_string(score.false_negatives);
}

std::string problem(const Score& score) {
    if (score.problems.empty()) return "none";
    return score.problems.front().substr(score.problems.front().find("x.jsonl"));
}

TEST(Scorer, PrecisionRecallAndF1) {
    const BinaryScore score{.true_positives = 6, .false_positives = 2, .true_negatives = 9, .false_negatives = 3};
    EXPECT_EQ(score.all(), 20U);
    EXPECT_DOUBLE_EQ(score.accuracy(), 0.75);
    EXPECT_DOUBLE_EQ(score.precision(), 0.75);
    EXPECT_DOUBLE_EQ(score.recall(), 6.0 / 9);
    EXPECT_DOUBLE_EQ(score.f1(), 2 * 0.75 * (6.0 / 9) / (0.75 + 6.0 / 9));
    EXPECT_FALSE((BinaryScore{.true_positives = 3, .false_negatives = 1}).has_both());
    EXPECT_EQ(BinaryScore().f1(), 0);
}

TEST(Scorer, LabelsAreAboutTheProgramsLabel) {
    const std::string lines = R"json({"atoms": {}, "label": 1}
{"atoms": {}, "label": false}
{"atoms": {}, "label": 1.0})json";
    EXPECT_EQ(text(score(":- label(good(a)).", lines, {{"good(a)", 0.7}}).labels), "2 1 0 0");
    EXPECT_EQ(text(score(":- label(good(a)).", lines, {{"good(a)", 0.7}}, {.threshold = 0.8}).labels), "0 0 1 2");
    EXPECT_EQ(text(score(":- query(good(b)).", lines, {{"good(b)", 0.7}}).labels), "2 1 0 0") << "the only atom asked";
}

TEST(Scorer, LabelsOfClasses) {
    const std::string lines = "{\"atoms\": {}, \"label\": 2}\n{\"atoms\": {}, \"label\": 0}";
    EXPECT_TRUE(score(":- label(good(a)).", lines, {}).labels_are_classes);
    const Score known = score(":- label(good(a)).", lines, {{"good(a)", 1}}, {.positive = 2});
    EXPECT_FALSE(known.labels_are_classes);
    EXPECT_EQ(text(known.labels), "1 1 0 0");
}

TEST(Scorer, TruthIsNoNumberOfAClass) {
    const std::string lines = "{\"atoms\": {}, \"label\": false}\n{\"atoms\": {}, \"label\": 0}";
    const Score known = score(":- label(good(a)).", lines, {{"good(a)", 1}}, {.positive = 0});
    EXPECT_EQ(text(known.labels), "1 0 0 0") << "false is not turned round";
    EXPECT_EQ(known.not_understood, 1U);
    EXPECT_NE(problem(known).find("the label says true or false"), std::string::npos) << problem(known);
}

TEST(Scorer, TargetsAreScoredOneByOne) {
    const std::string lines =
        R"json({"atoms": {}, "targets": {"good(a)": 1, "good(b)": 0, "good( 'a c' )": true}})json";
    EXPECT_EQ(text(score("", lines, {{"good(a)", 0.9}, {"good(b)", 0.6}}).targets), "1 1 0 1");
    const std::string underivable = R"json({"atoms": {}, "targets": {"lone(a)": 0, "lone(b)": 1}})json";
    EXPECT_EQ(text(score(":- pred(lone(o)).", underivable, {}).targets), "0 0 1 1") << "what nothing derives is false";
}

TEST(Scorer, TargetsThatNobodyAskedForAreTold) {
    const Score one = score(":- query(good(X)).", R"json({"atoms": {}, "targets": {"good(a)": 1, "other(a)": 1}})json",
                            {{"good(a)", 1}});
    EXPECT_EQ(text(one.targets), "1 0 0 0");
    EXPECT_EQ(one.not_understood, 1U);
    EXPECT_EQ(
        problem(one),
        "x.jsonl:1:42: warning: 'other(a)': nobody asked for it, so it was not computed; ask for it with --query");
}

TEST(Scorer, WhatIsNotUnderstoodIsTold) {
    const auto told = [](const std::string& line) { return problem(score(":- label(good(a)).", line, {})); };
    EXPECT_EQ(told(R"json({"atoms": {}, "label": "red"})json"),
              "x.jsonl:1:16: warning: 'label': expected 0 or 1, not \"red\"");
    EXPECT_EQ(told(R"json({"atoms": {}, "label": 0.5})json"),
              "x.jsonl:1:16: warning: 'label': expected 0 or 1, not 0.5");
    EXPECT_EQ(told(R"json({"atoms": {}, "lable": 1})json"),
              "x.jsonl:1:16: warning: there is \"lable\" but no \"label\" or \"targets\"");
    EXPECT_EQ(told(R"json({"atoms": {}, "targets": {"good(zz)": 1}})json").substr(0, 50),
              "x.jsonl:1:33: warning: 'good(zz)': unknown constan");
    EXPECT_EQ(told(R"json({"atoms": {}, "targets": {"good(a)": 2}})json"),
              "x.jsonl:1:28: warning: 'good(a)': expected 0 or 1, not 2");
    EXPECT_EQ(told(R"json({"atoms": {}, "answer": ["a"]})json"),
              "x.jsonl:1:16: warning: 'answer': expected the text of a term, not [\"a\"]");
    EXPECT_EQ(
        problem(score("", R"json({"atoms": {}, "label": 1})json", {})),
        "x.jsonl:1:16: warning: nobody says which atom the label is for; add ':- label(…).' to the program, or ask "
        "for one atom with --query");
    const Score many = score(":- label(good(a)).",
                             "{\"atoms\": {}, \"label\": \"x\"}\n{\"atoms\": {}, \"label\": \"x\"}\n"
                             "{\"atoms\": {}, \"label\": \"x\"}\n{\"atoms\": {}, \"label\": \"x\"}",
                             {});
    EXPECT_EQ(many.not_understood, 4U);
    EXPECT_EQ(many.problems.size(), 3U);
}

TEST(Scorer, TheLikeliestAnswerCounts) {
    const auto right = [](const std::string& program, const std::string& answer,
                          const std::map<std::string, double>& values) {
        const Score one = score(program, R"json({"atoms": {}, "answer": )json" + answer + "}", values);
        EXPECT_EQ(one.answers.all, 1U) << problem(one);
        return one.answers.right == 1;
    };
    const std::string asked = ":- query(answer(X)).";
    EXPECT_TRUE(right(asked, "\"a\"", {{"answer(a)", 0.6}, {"answer(b)", 0.5}}));
    EXPECT_FALSE(right(asked, "\"b\"", {{"answer(a)", 0.6}, {"answer(b)", 0.5}}));
    EXPECT_FALSE(right(asked, "\"a\"", {{"answer(a)", 0.6}, {"answer(b)", 0.6}})) << "two are none";
    EXPECT_TRUE(right(asked, "\"a c\"", {{"answer('a c')", 0.6}}));
    EXPECT_TRUE(right("", "\"a\"", {{"answer(a)", 1}})) << "without queries, what is derived is asked for";
    EXPECT_TRUE(right(":- query(other(X)).", "\"a\"", {{"other(a)", 1}})) << "any query for one term";
    EXPECT_TRUE(right(asked + ":- query(other(X)).", "\"a\"", {{"answer(a)", 1}, {"other(b)", 1}}));
    const Score open = score(":- query(other(X)). :- query(good(X)).", R"json({"atoms": {}, "answer": "a"})json", {});
    EXPECT_EQ(open.answers.all, 0U);
    EXPECT_EQ(problem(open),
              "x.jsonl:1:16: warning: nobody says what this answers; ask with --query \"p(X)\" for one term");
}

}  // namespace
}  // namespace neumann
