#include "runtime/learn_program.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "learn/algorithms/published_learner.h"
#include "learn/learn_error.h"
#include "learn/learner.h"
#include "logic/print.h"
#include "logic/substitution.h"
#include "syntax/load.h"

namespace neumann {
namespace {

// The examples with only those targets that a lesson is about. Examples without any are left out.
ExampleSet restrict(const ExampleSet& set, const AtomPool& pool, const Lesson& lesson) {
    ExampleSet result;
    result.file = set.file;
    for (const LabelledExample& example : set.examples) {
        LabelledExample kept = example;
        std::erase_if(kept.targets, [&](const Example::Target& target) {
            return !lesson.teaches[pool.predicate(target.atom).index()];
        });
        if (!kept.targets.empty()) result.examples.push_back(std::move(kept));
    }
    return result;
}

void require_both_labels(const ExampleSet& set) {
    bool seen[2] = {false, false};
    for (const LabelledExample& example : set.examples) {
        for (const Example::Target& target : example.targets) seen[target.positive ? 1 : 0] = true;
    }
    if (seen[0] && seen[1]) return;
    throw LearnError(
        fmt::format("{}: all labels are {}; learning needs positive and negative examples", set.file, seen[1] ? 1 : 0));
}

// As a user would write it: "0.9::kp(X) :- …" or without a weight, and variables that occur once as _.
std::string as_written(const Program& program, Clause clause, double weight) {
    std::vector<int> uses(clause.variables.size(), 0);
    const auto count = [&](const Atom& atom) {
        for (const TermId arg : atom.args) for_each_variable(program.terms, arg, [&](std::uint32_t v) { ++uses[v]; });
    };
    count(clause.head);
    std::ranges::for_each(clause.body, count, &Literal::atom);
    for (std::size_t v = 0; v < uses.size(); ++v) {
        if (uses[v] == 1) clause.variables[v].name = "_";
    }
    const std::string text = print_clause(program, clause);
    return weight == 1 ? text : fmt::format("{}::{}", weight, text);
}

class LessonRunner {
public:
    LessonRunner(LearningInput& input, const LearnerOptions& options, const GroundOptions& grounding, Journal& journal,
                 LessonWatcher* watcher, const std::atomic<bool>* stop, Diagnostics& diagnostics)
        : input_(input), options_(options), grounding_(grounding), journal_(journal), watcher_(watcher), stop_(stop),
          diagnostics_(diagnostics) {}

    std::optional<LearnedProgram> run() {
        if (input_.program.learn.empty())
            throw LearnError("the program does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1");
        const ExampleSet* sets[] = {&input_.train};
        const std::vector<Lesson> lessons = plan_lessons(input_.program, input_.pool, sets);
        for (std::size_t i = 0; i < lessons.size() && !result_.interrupted; ++i) {
            run_lesson(lessons[i], i, lessons.size());
            if (diagnostics_.has_errors()) return std::nullopt;
        }
        result_.text = print_program(input_.written ? *input_.written : input_.program);
        return std::move(result_);
    }

private:
    void run_lesson(const Lesson& lesson, std::size_t number, std::size_t lessons) {
        const ExampleSet train = restrict(input_.train, input_.pool, lesson);
        const ExampleSet validation = restrict(input_.validation, input_.pool, lesson);
        require_both_labels(train);
        Program program = input_.program;
        program.learn = lesson.targets;
        const ExampleSet* sets[] = {&train, &validation};
        LearningProblem problem(std::move(program), input_.pool, sets, grounding_, info(options_.learning.semantics),
                                diagnostics_);
        if (diagnostics_.has_errors()) return;
        const Dataset train_data(problem, train);
        const Dataset validation_data(problem, validation);
        Refiner refiner(problem.program(), {problem.program().modes, options_.search.bounds});
        if (watcher_ != nullptr) watcher_->lesson_begins(number, lessons, problem, refiner);
        const Dataset& judged_data = validation.empty() ? train_data : validation_data;
        const std::unique_ptr<LessonLearner> learner =
            make_learner(problem, refiner, train_data, judged_data, fmt::format("lesson {}", number));
        const LearnOutcome outcome = learner->run();
        if (watcher_ != nullptr) watcher_->lesson_ends(*learner, outcome, train, validation);
        result_.soft_accuracy = outcome.soft_accuracy;
        result_.rounds += outcome.rounds;
        result_.clauses_scored += outcome.clauses_scored;
        result_.errors += outcome.verdict.errors;
        result_.interrupted = outcome.interrupted;
        std::string text;
        for (std::size_t i = 0; i < outcome.program.size(); ++i) {
            const Clause clause = refiner.readable(problem.candidate(outcome.program[i]).clause);
            result_.clauses.push_back({print_clause(problem.program(), clause), outcome.weights[i],
                                       print_indicator(problem.program().signature.predicate(clause.head.predicate))});
            text += as_written(problem.program(), clause, outcome.weights[i]) + "\n";
        }
        if (input_.written) {
            Diagnostics reported_below;
            add_clauses(*input_.written, "<learned>", text, reported_below);
        }
        add_clauses(input_.program, "<learned>", std::move(text), diagnostics_);
    }

    std::unique_ptr<LessonLearner> make_learner(LearningProblem& problem, Refiner& refiner, const Dataset& train,
                                                const Dataset& validation, std::string name) {
        if (is_published(options_.algorithm))
            return std::make_unique<PublishedLearner>(problem, refiner, train, validation, options_, journal_,
                                                      std::move(name), watcher_, stop_);
        return std::make_unique<Learner>(problem, refiner, train, validation, options_, journal_, std::move(name),
                                         watcher_, stop_);
    }

    LearningInput& input_;
    const LearnerOptions& options_;
    const GroundOptions& grounding_;
    Journal& journal_;
    LessonWatcher* watcher_;
    const std::atomic<bool>* stop_;
    Diagnostics& diagnostics_;
    LearnedProgram result_;
};

}  // namespace

std::optional<LearnedProgram> learn_program(LearningInput& input, const LearnerOptions& options,
                                            const GroundOptions& grounding, Journal& journal, LessonWatcher* watcher,
                                            const std::atomic<bool>* stop, Diagnostics& diagnostics) {
    return LessonRunner(input, options, grounding, journal, watcher, stop, diagnostics).run();
}

double ProgramRun::accuracy(double threshold) const {
    std::size_t right = 0;
    for (std::size_t t = 0; t < values.size(); ++t)
        right += (static_cast<double>(values[t]) >= threshold) == positive[t] ? 1 : 0;
    return values.empty() ? 0 : static_cast<double>(right) / static_cast<double>(values.size());
}

double ProgramRun::best_threshold() const {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return values[t]; });
    // From a threshold below all values upwards: what is passed is called negative.
    std::int64_t right = std::ranges::count(positive, true);
    std::int64_t best = -1;
    double best_at = 0.5;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const float below = i == 0 ? 0.0F : values[order[i - 1]];
        if (below < values[order[i]] && right > best) {
            best = right;
            best_at = 0.5 * (static_cast<double>(below) + static_cast<double>(values[order[i]]));
        }
        right += positive[order[i]] ? -1 : 1;
    }
    const double at_half = accuracy(0.5) * static_cast<double>(values.size());
    return static_cast<double>(best) > at_half + 0.5 ? best_at : 0.5;
}

ProgramRun run_program(const Program& program, const AtomPool& pool, const ExampleSet& set,
                       const ReasonOptions& reasoning, const GroundOptions& grounding, Diagnostics& diagnostics) {
    Program closed = program;
    closed.learn.clear();
    const ExampleSet* sets[] = {&set};
    const LearningProblem problem(std::move(closed), pool, sets, grounding, info(reasoning.semantics), diagnostics);
    const Dataset data(problem, set);
    std::vector<bool> asked(problem.grounder().atoms().size(), false);
    ProgramRun run;
    for (std::size_t t = 0; t < data.target_count(); ++t) {
        run.positive.push_back(data.target(t).positive);
        if (data.target(t).atom != LearningProblem::no_atom_number) asked[data.target(t).atom] = true;
    }
    CandidateGraph graph(problem, {}, asked, {reasoning, std::nullopt, nullptr});
    graph.predict(data, run.values);
    return run;
}

}  // namespace neumann
