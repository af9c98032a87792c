#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "learn/task/learn_error.h"
#include "unit/learning_tasks.h"

namespace neumann {
namespace {

TEST(LearnProgram, FindsGrandparents) {
    const Learned learned = learn(grandparent());
    EXPECT_EQ(clauses(learned), Texts{"grandparent(X,Y) :- parent(X,P1), parent(P1,Y)."});
    EXPECT_EQ(learned.errors, 0U);
    EXPECT_FALSE(learned.interrupted);
    ASSERT_FALSE(learned.clauses.empty());
    EXPECT_EQ(learned.clauses[0].weight_value(), 1);
    EXPECT_GT(learned.search.rounds, 0U);
    EXPECT_GT(learned.search.candidates, 0U);
}

TEST(LearnProgram, FindsARecursionAndItsBase) {
    const Learned learned = learn(connected());
    ASSERT_EQ(learned.clauses.size(), 2U);
    EXPECT_EQ(learned.texts[0], "connected(X,Y) :- edge(X,Y).");
    const Texts recursions = {"connected(X,Y) :- edge(X,N1), connected(N1,Y).",
                              "connected(X,Y) :- connected(X,N1), edge(N1,Y)."};
    EXPECT_NE(std::ranges::find(recursions, learned.texts[1]), recursions.end()) << learned.texts[1];
    EXPECT_EQ(learned.errors, 0U);
}

TEST(LearnProgram, FindsWhatMostLabelsSay) {
    const Learned learned = learn(noisy(200));
    EXPECT_EQ(clauses(learned), Texts{"good(X) :- in(T1,X), in(T2,X), red(T1), round(T2), touch(T1,T2)."});
    EXPECT_GT(learned.errors, 0U);
    EXPECT_LT(learned.errors, 40U);
}

TEST(LearnProgram, GradientsFollowASearchThatIsNotRight) {
    Task task = noisy(200);
    task.options.algorithm = default_algorithm;
    task.options.search_work = 20'000'000;
    const Learned learned = learn(task);
    EXPECT_GT(learned.search.rounds, 0U);
    EXPECT_LE(learned.errors, learn(noisy(200)).errors + 5);
}

TEST(LearnProgram, TheSearchTellsWhatCannotBeRun) {
    const Task task = grandparent();
    LoadedTask input = learning_input(task.program, task.train);
    LearnerOptions options = task.options;
    options.algorithm = default_algorithm;
    GroundOptions grounding;
    grounding.memory_limit = 1;
    Journal journal;
    Diagnostics diagnostics;
    Stopper watcher;
    const auto learned = learn_task(input, options, grounding, journal, watcher, diagnostics);
    ASSERT_TRUE(learned);
    EXPECT_EQ(clauses(*learned), Texts{"grandparent(X,Y) :- parent(X,P1), parent(P1,Y)."});
    EXPECT_EQ(learned->algorithm, "search");
    ASSERT_TRUE(learned->counts);
    EXPECT_EQ(learned->counts->accuracy(), 1);
}

TEST(LearnProgram, LearnsLessonAfterLesson) {
    const Learned learned = learn(two_lessons());
    ASSERT_EQ(learned.clauses.size(), 2U);
    EXPECT_EQ(learned.texts[0], "good(X) :- red(X).");
    const Texts fine = {"fine(X) :- round(X), good(X).", "fine(X) :- red(X), round(X)."};
    EXPECT_NE(std::ranges::find(fine, learned.texts[1]), fine.end()) << learned.texts[1];
    EXPECT_EQ(learned.errors, 0U);
}

TEST(LearnProgram, LearnsTogetherWhatHasNoLabelsOfItsOwn) {
    Task task = two_lessons();
    for (WrittenExample& example : task.train) example.targets.erase(example.targets.begin());
    const Learned learned = learn(task);
    EXPECT_EQ(learned.errors, 0U);
    ASSERT_FALSE(learned.clauses.empty());
    EXPECT_TRUE(learned.texts.back().starts_with("fine("));
}

TEST(LearnProgram, OtherWaysOfSearchingFindTheSame) {
    const std::vector<std::function<void(LearnerOptions&)>> ways = {
        [](LearnerOptions& options) { options.search.kind = SearchKind::Beam; },
        [](LearnerOptions& options) { options.search.with_replacement = true; },
        [](LearnerOptions& options) { options.search.reserves = 0; },
        [](LearnerOptions& options) { options.search.uniform_weight = 0.25; },
        [](LearnerOptions& options) { options.search.negative_rounds = 0; },
        [](LearnerOptions& options) { options.learning.semantics = semantics_named("noisy-or"); },
        [](LearnerOptions& options) { options.learning.steps = 3; },
        [](LearnerOptions& options) { options.weights.optimiser.kind = OptimiserKind::Adam; },
        [](LearnerOptions& options) { options.simplify = false; },
        [](LearnerOptions& options) { options.seed = 99; },
    };
    for (std::size_t way = 0; way < ways.size(); ++way) {
        SCOPED_TRACE(way);
        Task task = grandparent();
        ways[way](task.options);
        EXPECT_EQ(clauses(learn(task)), Texts{"grandparent(X,Y) :- parent(X,P1), parent(P1,Y)."});
        task = connected();
        ways[way](task.options);
        // With replacement it takes luck: most draws are the same few clauses.
        if (task.options.search.with_replacement) continue;
        EXPECT_EQ(learn(task).errors, 0U);
    }
}

TEST(LearnProgram, TheLeastOfEverythingIsStillAnAnswer) {
    const std::vector<std::function<void(LearnerOptions&)>> ways = {
        [](LearnerOptions& options) { options.search.trials = options.search.more_trials = 0; },
        [](LearnerOptions& options) { options.search.samples = 1; },
        [](LearnerOptions& options) { options.search.bounds.max_body = 0; },
        [](LearnerOptions& options) { options.search.bounds.max_variables = 1; },
        [](LearnerOptions& options) { options.search.uniform_weight = 0; },
        [](LearnerOptions& options) { options.search.uniform_weight = 1; },
        [](LearnerOptions& options) { options.search.beta = 0; },
        [](LearnerOptions& options) { options.weights.epochs = 0; },
        [](LearnerOptions& options) { options.weights.batch = 1; },
        [](LearnerOptions& options) { options.weights.optimiser.rate = 0; },
    };
    for (std::size_t way = 0; way < ways.size(); ++way) {
        SCOPED_TRACE(way);
        for (Task task : {grandparent(), connected(), two_lessons()}) {
            ways[way](task.options);
            task.options.weights.epochs = std::min(task.options.weights.epochs, 2U);
            const Learned learned = learn(task);
            EXPECT_FALSE(learned.clauses.empty());
            for (const Clause& clause : learned.clauses) {
                EXPECT_GT(clause.weight_value(), 0);
                EXPECT_LE(clause.weight_value(), 1);
            }
        }
    }
}

TEST(LearnProgram, TheSizeOfAProgramIsABound) {
    Task task = connected();
    task.options.program_size = 1;
    const Learned learned = learn(task);
    EXPECT_EQ(learned.clauses.size(), 1U);
    EXPECT_GT(learned.errors, 0U);
}

TEST(LearnProgram, TheSearchBeginsWithTheDeclaredClauses) {
    Task task = grandparent();
    task.options.search.trials = 1;
    task.options.search.more_trials = 0;
    EXPECT_NE(learn(task).errors, 0U) << "two goals are two steps away";
    task.program += ":- initial((grandparent(X, Y) :- parent(X, Z))).\n";
    EXPECT_EQ(clauses(learn(task)), Texts{"grandparent(X,Y) :- parent(X,P1), parent(P1,Y)."});
}

TEST(LearnProgram, APredicateWithoutArgumentsCanBeLearned) {
    Task task;
    task.program = R"(
:- type(thing, [t1, t2]).
:- neural(red(thing)).
:- neural(round(thing)).
:- pred(good).
:- modeh(1, good).
:- modeb(1, red(-thing)).
:- modeb(1, round(+thing)).
:- learn(good/0, 1).
)";
    for (int i = 0; i < 16; ++i) {
        const auto bit = [&](int place) { return ((i >> place) & 1) != 0; };
        WrittenExample example;
        for (int t = 0; t < 2; ++t) {
            example.atoms.emplace_back(fmt::format("red(t{})", t + 1), bit(2 * t) ? 1.0F : 0.0F);
            example.atoms.emplace_back(fmt::format("round(t{})", t + 1), bit(2 * t + 1) ? 1.0F : 0.0F);
        }
        example.targets.emplace_back("good", (bit(0) && bit(1)) || (bit(2) && bit(3)));
        task.train.push_back(std::move(example));
    }
    task.options = quick();
    EXPECT_EQ(clauses(learn(task)), Texts{"good :- red(T1), round(T1)."});
}

TEST(LearnProgram, NobodyNeedsToWatch) {
    const Task task = connected();
    LoadedTask input = learning_input(task.program, task.train, task.validation);
    Diagnostics diagnostics;
    Journal journal;
    RunProgress progress(journal, nullptr);
    ProgramEvaluator evaluator = evaluator_of(input, task.options, {});
    ASSERT_TRUE(learn_program(input, evaluator, task.options, {}, journal, progress, nullptr, diagnostics));
    EXPECT_EQ(print_program(input.program), learn(task).text);
}

TEST(LearnProgram, TheTextIsTheWholeProgramAndAnswersAsItWasJudged) {
    for (const Task& task : {grandparent(), connected(), two_lessons()}) {
        const Learned learned = learn(task);
        for (const std::string& clause : learned.texts)
            EXPECT_NE(learned.text.find(clause), std::string::npos) << learned.text;
        LoadedTask again = learning_input(learned.text, task.train);
        Diagnostics diagnostics;
        const LabelledValues run = evaluator_of(again, {}, {}).evaluate(again.program, diagnostics)[0];
        EXPECT_FALSE(diagnostics.has_errors());
        EXPECT_EQ(run.accuracy(0.5), 1.0);
        EXPECT_LT(run.accuracy(1.1), 1.0);
    }
}

// Neither does one that found no clause to begin with.
TEST(LearnProgram, WithoutAnyClauseNothingIsRight) {
    Task task = grandparent();
    task.program += ":- pred(aunt(person, person)).\n:- initial((grandparent(X, Y) :- aunt(X, Y))).\n";
    const Learned learned = learn(task);
    EXPECT_TRUE(learned.clauses.empty());
    EXPECT_EQ(learned.errors, 4U);
}

// Nothing at all gets every positive label wrong.
TEST(LearnProgram, AnInterruptedRunDoesNotClaimToBeRight) {
    Journal journal;
    Stopper at_once(1);
    const Learned learned = learn(grandparent(), journal, at_once);
    EXPECT_TRUE(learned.interrupted);
    EXPECT_TRUE(learned.clauses.empty());
    EXPECT_EQ(learned.errors, 4U);
}

TEST(LearnProgram, SaysWhatIsMissing) {
    const auto refusal = [](const Task& task) -> std::string {
        try {
            learn(task);
        } catch (const LearnError& error) {
            return error.what();
        }
        return "accepted";
    };
    Task task = two_lessons();
    for (WrittenExample& example : task.train) example.targets[0].second = true;
    EXPECT_EQ(refusal(task), "test.jsonl: all labels are 1; learning needs positive and negative examples");
    for (WrittenExample& example : task.train) example.targets[0].second = false;
    EXPECT_EQ(refusal(task), "test.jsonl: all labels are 0; learning needs positive and negative examples");
    for (WrittenExample& example : task.train) example.targets.pop_back();
    EXPECT_NE(refusal(task).find("depends on 'fine/1'"), std::string::npos);
    task.program = ":- type(thing, [it]).\n:- pred(good(thing)).\n";
    task.train = {{{}, {{"good(it)", true}}}};
    EXPECT_NE(refusal(task).find("the program does not say what to learn"), std::string::npos);
}

TEST(LearnProgram, ATypeWithoutEndIsReported) {
    LoadedTask input = learning_input(R"(
:- type(number, [0]).
:- functor(s(number), number).
:- pred(even(number)).
:- modeh(1, even(+number)).
:- learn(even/1, 1).
)",
                                      {{{}, {{"even(0)", true}, {"even(s(0))", false}}}});
    Diagnostics diagnostics;
    Journal journal;
    Stopper watcher;
    EXPECT_FALSE(learn_task(input, quick(), {}, journal, watcher, diagnostics));
    EXPECT_NE(render(diagnostics, *input.program.sources).find("[unbounded-type]"), std::string::npos);
}

}  // namespace
}  // namespace neumann
