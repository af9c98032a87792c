#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <neumann/neumann.h>

#include "cli/learn_output.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

const std::filesystem::path classic = std::filesystem::path(NEUMANN_SOURCE_DIR) / "examples/classic";

LearningTask grandparent() {
    LearningTask task;
    task.program = classic / "grandparent.nm";
    task.train = (classic / "grandparent.train.jsonl").string();
    task.test = (classic / "grandparent.test.jsonl").string();
    task.reading.threads = 1;
    return task;
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
    LearnOptions options;
    options.algorithm = "gradient";
    const LearnResult result = learn(grandparent(), options, &counting);
    EXPECT_EQ(result.algorithm, "gradient");
    ASSERT_EQ(result.clauses.size(), 1U);
    EXPECT_EQ(result.clauses[0].predicate, "grandparent/2");
    EXPECT_NE(result.program.find(result.clauses[0].text), std::string::npos);
    EXPECT_EQ(result.train.accuracy, 1.0);
    ASSERT_TRUE(result.test);
    EXPECT_EQ(result.test->accuracy, 1.0);
    EXPECT_FALSE(result.validation);
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
    const LearnResult result = learn(grandparent(), {}, &counting);
    EXPECT_EQ(result.algorithm, "search");
    EXPECT_TRUE(result.search.shortest);
    ASSERT_EQ(result.clauses.size(), 1U);
    EXPECT_EQ(result.clauses[0].text, "grandparent(X,Y) :- parent(X,P1), parent(P1,Y).");
    ASSERT_TRUE(result.test);
    EXPECT_EQ(result.test->counts->f1(), 1.0);
    EXPECT_EQ(result.test->counts->false_positives, 0U);
    EXPECT_EQ(counting.rounds, 0U);
    EXPECT_NE(find_algorithm("search"), nullptr);
    EXPECT_EQ(find_algorithm("hope"), nullptr);
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
    LearningTask task;
    task.program = folder.path() / "parity.nm";
    task.train = (folder.path() / "train.jsonl").string();
    LearnOptions options;
    options.algorithm = "search";
    const LearnResult result = learn(task, options);
    EXPECT_EQ(result.train.accuracy, 1.0) << result.program;
}

TEST(Learn, StopsWithTheBestProgramSoFar) {
    const std::atomic<bool> stop = true;
    const LearnResult result = learn(grandparent(), {}, nullptr, &stop);
    EXPECT_TRUE(result.interrupted);
}

TEST(Learn, ResumesFromItsJournal) {
    const TemporaryFolder folder;
    LearnOptions options;
    options.journal = folder.path() / "run";
    const LearnResult first = learn(grandparent(), options);
    ASSERT_TRUE(std::filesystem::exists(options.journal));
    options.resume = true;
    EXPECT_EQ(learn(grandparent(), options).program, first.program);
    options.seed = 2;
    EXPECT_THROW(learn(grandparent(), options), Error) << "it is the journal of another run";
}

TEST(Learn, WhatIsWrongIsAnError) {
    const TemporaryFolder folder;
    LearningTask task = grandparent();
    task.program = folder.write("none.nm", ":- type(node, [a]).\n:- pred(p(node)).\np(a).\n");
    EXPECT_THROW(learn(task), Error) << "it does not say what to learn";
    task.program = folder.path() / "missing.nm";
    EXPECT_THROW(learn(task), Error);
    task = grandparent();
    task.train = (folder.path() / "missing.jsonl").string();
    EXPECT_THROW(learn(task), Error);
    LearnOptions options;
    options.learning_semantics = "hope";
    EXPECT_THROW(learn(grandparent(), options), Error);
    options = {};
    options.algorithm = "hope";
    EXPECT_THROW(learn(grandparent(), options), Error);
}

class LearnPopper : public ::testing::Test {
protected:
    LearnPopper() {
        task_.program = folder_.path();
        task_.format = TaskFormat::Popper;
        task_.reading.threads = 1;
    }
    void write(const std::string& bias, const std::string& background, const std::string& examples) {
        folder_.write("bias.pl", bias);
        folder_.write("bk.pl", background);
        folder_.write("exs.pl", examples);
    }

    TemporaryFolder folder_;
    LearningTask task_;
};

TEST_F(LearnPopper, TakesTheOrdinaryRoad) {
    write("head_pred(gp,2).\nbody_pred(parent,2).\ntype(gp,(person,person)).\ntype(parent,(person,person)).\n",
          "parent(ann,bob). parent(bob,cid). parent(cid,dan). parent(ann,eva).\n",
          "pos(gp(ann,cid)).\npos(gp(bob,dan)).\nneg(gp(ann,bob)).\nneg(gp(eva,ann)).\n");
    task_.test = folder_.write("more.pl", "pos(gp(bob,dan)).\nneg(gp(dan,ann)).\nneg(gp(ann,cid)).\n").string();
    const LearnResult result = learn(task_);
    ASSERT_EQ(result.clauses.size(), 1U);
    EXPECT_EQ(result.clauses[0].text, "gp(X,Y) :- parent(X,P1), parent(P1,Y).");
    EXPECT_TRUE(result.search.shortest);
    EXPECT_EQ(result.train.labels, 4U);
    EXPECT_EQ(result.train.accuracy, 1);
    ASSERT_TRUE(result.test);
    EXPECT_EQ(result.test->labels, 3U);
    EXPECT_EQ(result.wrong_in_test.wrong, 1U);
    EXPECT_EQ(result.wrong_in_test.first.front().atom, "gp(ann,cid)");
    EXPECT_EQ(result.only_prolog, "");
    // The program is one of the language, with its declarations, and asks for what was learned.
    const Model model = Model::parse(result.program);
    EXPECT_EQ(model.queries().size(), 1U);
}

TEST_F(LearnPopper, WithABackgroundThatCannotBeGroundedIsPrologText) {
    write("head_pred(last,2).\nbody_pred(tail,2).\nbody_pred(head,2).\nbody_pred(empty,1).\nenable_recursion.\n"
          "type(last,(list,element)).\ntype(tail,(list,list)).\ntype(head,(list,element)).\ntype(empty,(list,)).\n"
          "direction(last,(in,out)).\ndirection(tail,(in,out)).\ndirection(head,(in,out)).\ndirection(empty,(in,)).\n",
          "tail([_|T],T).\nhead([H|_],H).\nempty([]).\n",
          "pos(last([a,b,c],c)).\npos(last([b,d],d)).\npos(last([e],e)).\nneg(last([a,b],a)).\n");
    task_.test = folder_.write("more.pl", "pos(last([x,y,z,w],w)).\nneg(last([x,y],x)).\n").string();
    const LearnResult result = learn(task_);
    EXPECT_EQ(result.train.accuracy, 1) << result.program;
    ASSERT_TRUE(result.test);
    EXPECT_EQ(result.test->accuracy, 1) << result.program;
    EXPECT_NE(result.only_prolog.find("bk.pl:1:"), std::string::npos) << result.only_prolog;
    LearnOptions options;
    options.require_program = true;
    EXPECT_THROW(learn(task_, options), Error);
    options = {};
    options.algorithm = "gradient";
    EXPECT_THROW(learn(task_, options), Error);
}

}  // namespace
}  // namespace neumann
