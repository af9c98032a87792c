#include "learn/gradient/gradient_algorithm.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "learn/gradient/learner.h"
#include "learn/gradient/progress_watcher.h"
#include "logic/print.h"
#include "logic/translate.h"

namespace neumann {
namespace {

class GraphAlgorithm : public LearningAlgorithm {
public:
    GraphAlgorithm(std::string_view name, std::string_view summary, AlgorithmLaws laws, LearnerFactory make)
        : LearningAlgorithm(name, summary, laws), make_(make) {}

    LessonResult learn(LessonContext& context) const override {
        LessonResult result;
        Program program = context.task.program;
        program.learn = context.lesson.targets;
        const ExampleSet* sets[] = {&context.train, &context.validation};
        Diagnostics reported = context.diagnostics;
        LearningProblem problem(std::move(program), context.task.pool, sets, context.grounding,
                                info(context.options.learning.semantics), reported);
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
        for (std::size_t i = 0; i < outcome.program.size(); ++i) {
            const Clause readable = refiner.readable(problem.candidate(outcome.program[i]).clause);
            std::optional<Clause> own = translated(problem.program(), readable, context.task.program);
            if (!own) throw std::logic_error("a candidate is not a clause of the program");
            if (outcome.weights[i] != 1) own->weight = outcome.weights[i];
            result.search.size += own->body.size() + 1;
            result.clauses.push_back(std::move(*own));
        }
        return result;
    }

private:
    LearnerFactory make_;
};

std::unique_ptr<LessonLearner> make_gradient_learner(const LearnerParts& parts) {
    return std::make_unique<Learner>(parts.problem, parts.refiner, parts.train, parts.validation, parts.options,
                                     parts.journal, parts.name, parts.watcher, parts.stop);
}

}  // namespace

std::unique_ptr<LearningAlgorithm> make_graph_algorithm(std::string_view name, std::string_view summary,
                                                        AlgorithmLaws laws, LearnerFactory make) {
    return std::make_unique<GraphAlgorithm>(name, summary, laws, make);
}

std::unique_ptr<LearningAlgorithm> make_gradient_algorithm() {
    return make_graph_algorithm("gradient", "gradient scores, weights, exact checks", {.needs_gradients = true},
                                make_gradient_learner);
}

}  // namespace neumann
