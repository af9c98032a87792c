#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const std::filesystem::path classic = std::filesystem::path(NEUMANN_SOURCE_DIR) / "examples/classic";

LearnOptions grandparent() {
    LearnOptions options;
    options.train = (classic / "grandparent.train.jsonl").string();
    options.test = (classic / "grandparent.test.jsonl").string();
    options.reading.threads = 1;
    return options;
}

class Counting : public LearnProgress {
public:
    void learning_begins() override { ++begun; }
    void round_done(const LearnRound& round) override {
        ++rounds;
        EXPECT_FALSE(round.best.empty());
    }

    std::size_t begun = 0;
    std::size_t rounds = 0;
};

TEST(Learn, FindsTheClauseAndSaysHowGoodItIs) {
    Counting counting;
    LearnOptions options = grandparent();
    options.algorithm = LearnAlgorithm::Gradient;
    const LearnResult result = learn(classic / "grandparent.nm", options, &counting);
    EXPECT_EQ(result.algorithm, LearnAlgorithm::Gradient);
    ASSERT_EQ(result.clauses.size(), 1U);
    EXPECT_EQ(result.clauses[0].predicate, "grandparent/2");
    EXPECT_NE(result.program.find(result.clauses[0].text), std::string::npos);
    EXPECT_EQ(result.train_accuracy, 1.0);
    EXPECT_EQ(result.test_accuracy, 1.0);
    EXPECT_FALSE(result.validation_accuracy);
    EXPECT_TRUE(result.wrong_labels.empty());
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(counting.begun, 1U);
    EXPECT_EQ(counting.rounds, result.rounds.size());
    EXPECT_GT(counting.rounds, 0U);
    EXPECT_NE(learning_curves_svg(result, "title").find("<svg"), std::string::npos);
    EXPECT_NO_THROW(Model::parse(result.program));
}

TEST(Learn, SearchesWhereLabelsAndInputsAreCrisp) {
    Counting counting;
    const LearnResult result = learn(classic / "grandparent.nm", grandparent(), &counting);
    EXPECT_EQ(result.algorithm, LearnAlgorithm::Search);
    ASSERT_EQ(result.clauses.size(), 1U);
    EXPECT_EQ(result.clauses[0].text, "grandparent(X,Y) :- parent(X,P1), parent(P1,Y).");
    ASSERT_TRUE(result.test_labels);
    EXPECT_EQ(result.test_labels->f1(), 1.0);
    EXPECT_EQ(result.test_labels->false_positives, 0U);
    EXPECT_EQ(counting.rounds, 0U);
    EXPECT_EQ(find_algorithm("search"), LearnAlgorithm::Search);
    EXPECT_FALSE(find_algorithm("hope"));
}

// What is more likely than not is searched with; the program is judged by the values that it gives.
TEST(Learn, SearchesUncertainInputs) {
    const TemporaryFolder folder;
    folder.write("parity.nm", R"(
:- type(thing, [a, b, c, d]).
:- neural(next(thing, thing)).
:- neural(first(thing)).
:- pred(odd(thing)).
:- learn(odd/1).
)");
    folder.write(
        "train.jsonl",
        R"json({"atoms": {"first(a)": 0.9, "next(a,b)": 0.9, "next(b,c)": 0.9, "next(c,d)": 0.9, "next(d,a)": 0.1}, )json"
        R"json("targets": {"odd(a)": 1, "odd(b)": 0, "odd(c)": 1, "odd(d)": 0}})json");
    LearnOptions options;
    options.train = (folder.path() / "train.jsonl").string();
    options.algorithm = LearnAlgorithm::Search;
    const LearnResult result = learn(folder.path() / "parity.nm", options);
    EXPECT_EQ(result.train_accuracy, 1.0) << result.program;
}

TEST(Learn, StopsWithTheBestProgramSoFar) {
    const std::atomic<bool> stop = true;
    const LearnResult result = learn(classic / "grandparent.nm", grandparent(), nullptr, &stop);
    EXPECT_TRUE(result.interrupted);
}

TEST(Learn, ResumesFromItsJournal) {
    const TemporaryFolder folder;
    LearnOptions options = grandparent();
    options.journal = folder.path() / "run";
    const LearnResult first = learn(classic / "grandparent.nm", options);
    ASSERT_TRUE(std::filesystem::exists(options.journal));
    options.resume = true;
    EXPECT_EQ(learn(classic / "grandparent.nm", options).program, first.program);
    options.seed = 2;
    EXPECT_THROW(learn(classic / "grandparent.nm", options), Error) << "it is the journal of another run";
}

TEST(Learn, WhatIsWrongIsAnError) {
    const TemporaryFolder folder;
    folder.write("none.nm", ":- type(node, [a]).\n:- pred(p(node)).\np(a).\n");
    EXPECT_THROW(learn(folder.path() / "none.nm", grandparent()), Error) << "it does not say what to learn";
    EXPECT_THROW(learn(folder.path() / "missing.nm", grandparent()), Error);
    LearnOptions options = grandparent();
    options.train = (folder.path() / "missing.jsonl").string();
    EXPECT_THROW(learn(classic / "grandparent.nm", options), Error);
    options = grandparent();
    options.learning_semantics = "hope";
    EXPECT_THROW(learn(classic / "grandparent.nm", options), Error);
}

}  // namespace
}  // namespace neumann
