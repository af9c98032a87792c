#include "learn/probabilities/weight_learning.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <neumann/reasoner.h>
#include <neumann/semantics.h>

#include "learn/probabilities/parameter_program.h"
#include "learn/probabilities/weight_examples.h"
#include "learn/probabilities/weight_fit.h"
#include "learn/probabilities/weight_loss.h"
#include "learn/task/learn_error.h"
#include "session/asked_queries.h"
#include "session/model_reasoner.h"

namespace neumann {
namespace {

class WeightRun {
public:
    WeightRun(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
              const std::atomic<bool>* stop)
        : task_(task), options_(options), progress_(progress == nullptr ? nobody_ : *progress), stop_(stop),
          reading_(task.reading) {
        if (!options.semantics.empty()) reason_.semantics = options.semantics;
        reason_.engine = options.engine;
        reason_.gamma = options.gamma;
        reason_.steps = options.steps;
        reason_.threads = task.reading.threads;
        for (const SemanticsSummary& one : known_semantics()) {
            if (one.name == reason_.semantics && !one.keeps_zero) reading_.grounding = Grounding::Full;
        }
    }

    LearnResult run() {
        require_fitting();
        load();
        const WeightExamples train = read(task_.train);
        std::optional<WeightExamples> test;
        if (!task_.test.empty()) test = read(task_.test);
        const std::vector<double> start = start_weights(model_->compiled(), program_.groups, options_.seed);
        const std::unique_ptr<GraphReasoner> reasoner =
            make_model_reasoner(*model_, reason_, labelled_atoms(train, test), start);
        if (!reasoner->engine().gradients)
            throw LearnError(fmt::format("the {} engine has no gradients to learn by", reason_.engine));
        progress_.learning_begins();
        learn(*reasoner, train, test, start);
        return std::move(result_);
    }

private:
    void require_fitting() const {
        const SemanticsSummary& laws = semantics_summary(reason_.semantics);
        if (!laws.has_gradients)
            throw LearnError(
                fmt::format("{} have no gradients to learn by: take {}", laws.values_name, exact_semantics_name));
        for (const std::string& file : {task_.train, task_.test})
            if (file == "-") throw LearnError("examples are read twice: give a file, not standard input");
    }

    // With the inputs that examples name, in addition to those that the program declares.
    void load() {
        compile({});
        std::set<std::string> inputs = inputs_of_examples(task_.train, *model_);
        if (!task_.test.empty()) inputs.merge(inputs_of_examples(task_.test, *model_));
        if (!inputs.empty()) compile({inputs.begin(), inputs.end()});
        if (!program_.warnings.empty()) progress_.message(program_.warnings);
        supervised_.emplace(model_->compiled(), model_->names, asked_queries(program_.queries, "query", *model_));
    }

    void compile(const std::vector<std::string>& inputs) {
        program_ = load_parameter_program(task_.program, reading_, inputs);
        model_.emplace(std::move(program_.loaded), "");
    }

    WeightExamples read(const std::string& file) {
        return read_weight_examples(file, *model_, *supervised_, program_.label);
    }

    static std::vector<std::uint32_t> labelled_atoms(const WeightExamples& train,
                                                     const std::optional<WeightExamples>& test) {
        std::set<std::uint32_t> atoms;
        const auto add = [&](const WeightExamples& set) {
            for (const SupervisedExample& one : set.different) {
                for (const auto& [atom, labels] : one.atoms) atoms.insert(atom);
                for (const auto& [first, labels] : one.classes) atoms.insert(labels.atoms.begin(), labels.atoms.end());
            }
        };
        add(train);
        if (test) add(*test);
        return {atoms.begin(), atoms.end()};
    }

    void learn(const GraphReasoner& reasoner, const WeightExamples& train, const std::optional<WeightExamples>& test,
               const std::vector<double>& start) {
        const auto begun = std::chrono::steady_clock::now();
        LabelledLoss loss(reasoner, options_.loss);
        const WeightFit found = fit_weights(
            program_.groups, start, options_.parameters,
            [&](std::span<const double> weights) { return loss(train, weights); },
            [&](std::uint32_t iteration, double now) {
                progress_.iteration_done(iteration, now);
                return stop_ == nullptr || !*stop_;
            });
        const Program& program = model_->compiled().program;
        for (const std::uint32_t k : learned_clauses(program_.groups))
            result_.clauses.push_back({.text = parameter_text(program, k),
                                       .weight = found.weights[k],
                                       .predicate = head_of(program, k),
                                       .line = parameter_line(program, k),
                                       .start = start[k]});
        result_.program = with_learned_weights(program, program_.groups, found.weights, found.interrupted);
        result_.different_examples = train.different.size();
        result_.goal = LearnGoal::Weights;
        result_.start_objective = found.start_loss;
        result_.train = loss.score(train, found.weights);
        if (test) result_.test = loss.score(*test, found.weights);
        result_.without_effect = static_cast<std::size_t>(train.underivable.positive);
        result_.iterations = found.iterations;
        result_.converged = found.converged;
        result_.interrupted = found.interrupted;
        result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }

    const LearningTask& task_;
    const LearnOptions& options_;
    LearnProgress nobody_;
    LearnProgress& progress_;
    const std::atomic<bool>* stop_;
    ModelOptions reading_;
    ReasonerOptions reason_;
    ParameterProgram program_;  // its compiled form is in the model
    std::optional<Model::State> model_;
    std::optional<SupervisedAtoms> supervised_;
    LearnResult result_;
};

}  // namespace

LearnResult run_weight_learning(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                                const std::atomic<bool>* stop) {
    return WeightRun(task, options, progress, stop).run();
}

}  // namespace neumann
