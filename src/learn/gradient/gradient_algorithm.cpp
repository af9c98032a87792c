#include "learn/gradient/gradient_algorithm.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "learn/gradient/learner.h"
#include "learn/gradient/progress_watcher.h"
#include "logic/print.h"
#include "logic/translate.h"

namespace neumann {
namespace {

class GraphAlgorithm : public LearningAlgorithm {
public:
    GraphAlgorithm(LearnAlgorithmInfo about, LearnerFactory make, RoundsOfDepth rounds)
        : LearningAlgorithm(std::move(about), {.needs_gradients = true, .rounds_of_depth = rounds}), make_(make) {}

    LessonResult learn(LessonContext& context) const override {
        LessonResult result;
        Program program = context.task.program;
        program.learn = context.lesson.targets;
        const ExampleSet* sets[] = {&context.train, &context.validation};
        Diagnostics reported = context.diagnostics;
        LearningProblem problem(std::move(program), context.task.pool, sets, context.grounding,
                                neumann::info(context.options.learning.semantics), reported);
        context.diagnostics = std::move(reported);
        if (context.diagnostics.has_errors()) {
            result.refused = "the learned predicate may hold of too much";
            return result;
        }
        const Dataset train(problem, context.train);
        const Dataset validation(problem, context.validation);
        Refiner refiner(problem.program(), {problem.program().modes, context.options.search.bounds});
        ProgressWatcher watcher(problem, refiner, context);
        const std::unique_ptr<LessonLearner> learner =
            make_({problem, refiner, train, context.validation.empty() ? train : validation, context.options,
                   context.journal, context.name, &watcher, context.stop});
        const LearnOutcome outcome = learner->run();
        watcher.diagnose(*learner, outcome, result);
        result.verdict = outcome.verdict;
        result.soft_accuracy = outcome.soft_accuracy;
        result.interrupted = outcome.interrupted;
        result.search.rounds = outcome.rounds;
        result.search.candidates = outcome.clauses_scored;
        const auto written = [&](std::uint32_t candidate) {
            const Clause readable = refiner.readable(problem.candidate(candidate).clause);
            std::optional<Clause> own = translated(problem.program(), readable, context.task.program);
            if (!own) throw std::logic_error("a candidate is not a clause of the program");
            return std::move(*own);
        };
        for (std::size_t i = 0; i < outcome.program.size(); ++i) {
            Clause& clause = result.clauses.emplace_back(written(outcome.program[i]));
            if (outcome.weights[i] != 1) clause.weight = outcome.weights[i];
            result.search.size += clause.body.size() + 1;
        }
        result.complete_depth = outcome.complete_depth;
        for (const std::uint32_t candidate : outcome.alternatives) result.alternatives.push_back(written(candidate));
        return result;
    }

private:
    LearnerFactory make_;
};

std::unique_ptr<LessonLearner> make_gradient_learner(LessonRequest request) {
    return std::make_unique<Learner>(request.problem, request.refiner, request.train, request.validation,
                                     request.options, request.journal, std::move(request.name), request.watcher,
                                     request.stop);
}

}  // namespace

std::unique_ptr<LearningAlgorithm> make_graph_algorithm(LearnAlgorithmInfo info, LearnerFactory make,
                                                        RoundsOfDepth rounds) {
    return std::make_unique<GraphAlgorithm>(std::move(info), make, rounds);
}

std::unique_ptr<LearningAlgorithm> make_gradient_algorithm() {
    return make_graph_algorithm({"gradient", "gradient scores, weights, exact checks", false, {"min-body"}},
                                make_gradient_learner);
}

}  // namespace neumann
