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

#include <neumann/semantics.h>

#include "learn/probabilities/parameter_program.h"
#include "learn/probabilities/weight_examples.h"
#include "learn/probabilities/weight_fit.h"
#include "learn/probabilities/weight_loss.h"
#include "learn/task/learn_error.h"
#include "runtime/asked_queries.h"
#include "runtime/model_reasoner.h"

namespace neumann {
namespace {

class WeightRun {
public:
    WeightRun(std::filesystem::path path, const WeightLearningOptions& options, const WeightLearningProgress& progress,
              const std::atomic<bool>* stop)
        : path_(std::move(path)), options_(options), progress_(progress), stop_(stop) {}

    WeightLearningResult run() {
        require_fitting();
        load();
        const WeightExamples train = read(options_.train);
        std::optional<WeightExamples> test;
        if (!options_.test.empty()) test = read(options_.test);
        const std::vector<double> start = start_weights(model_->compiled(), program_.groups, options_.seed);
        const std::unique_ptr<GraphReasoner> reasoner =
            make_model_reasoner(*model_, options_.reason, labelled_atoms(train, test), start);
        if (!reasoner->engine().gradients)
            throw LearnError(fmt::format("the {} engine has no gradients to learn by", options_.reason.engine));
        if (progress_.learning_begins) progress_.learning_begins();
        learn(*reasoner, train, test, start);
        return std::move(result_);
    }

private:
    void require_fitting() const {
        const SemanticsSummary& laws = semantics_summary(options_.reason.semantics);
        if (!laws.has_gradients)
            throw LearnError(
                fmt::format("{} have no gradients to learn by: take {}", laws.values_name, exact_semantics_name));
        for (const std::string& file : {options_.train, options_.test})
            if (file == "-") throw LearnError("examples are read twice: give a file, not standard input");
    }

    // With the inputs that examples name, beside those that the program declares.
    void load() {
        compile({});
        std::set<std::string> inputs = inputs_of_examples(options_.train, *model_);
        if (!options_.test.empty()) inputs.merge(inputs_of_examples(options_.test, *model_));
        if (!inputs.empty()) compile({inputs.begin(), inputs.end()});
        if (!program_.warnings.empty() && progress_.message) progress_.message(program_.warnings);
        supervised_.emplace(model_->compiled(), model_->names, asked_queries(program_.queries, "query", *model_));
    }

    void compile(const std::vector<std::string>& inputs) {
        program_ = load_parameter_program(path_, options_.reading, inputs);
        model_.emplace(std::move(program_.loaded), "");
    }

    WeightExamples read(const std::string& file) {
        return read_weight_examples(file, *model_, *supervised_, program_.label);
    }

    static std::vector<std::uint32_t> labelled_atoms(const WeightExamples& train,
                                                     const std::optional<WeightExamples>& test) {
        std::set<std::uint32_t> atoms;
        const auto add = [&](const WeightExamples& set) {
            for (const WeightExample& one : set.different) {
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
            program_.groups, start, options_.search,
            [&](std::span<const double> weights) { return loss(train, weights); },
            [&](std::uint32_t iteration, double now) {
                if (progress_.iteration_done) progress_.iteration_done(iteration, now);
                return stop_ == nullptr || !*stop_;
            });
        const Program& program = model_->compiled().program;
        for (const std::uint32_t k : learned_clauses(program_.groups))
            result_.weights.push_back(
                {parameter_text(program, k), parameter_line(program, k), start[k], found.weights[k]});
        result_.program = with_learned_weights(program, program_.groups, found.weights, found.interrupted);
        result_.different_examples = train.different.size();
        result_.start_loss = found.start_loss;
        result_.train = loss.score(train, found.weights);
        if (test) result_.test = loss.score(*test, found.weights);
        result_.without_effect = static_cast<std::size_t>(train.underivable.positive);
        result_.iterations = found.iterations;
        result_.converged = found.converged;
        result_.interrupted = found.interrupted;
        result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }

    std::filesystem::path path_;
    const WeightLearningOptions& options_;
    const WeightLearningProgress& progress_;
    const std::atomic<bool>* stop_;
    ParameterProgram program_;  // what it was compiled to has gone into the model
    std::optional<Model::State> model_;
    std::optional<SupervisedAtoms> supervised_;
    WeightLearningResult result_;
};

}  // namespace

WeightLearningResult run_weight_learning(const std::filesystem::path& program, const WeightLearningOptions& options,
                                         const WeightLearningProgress& progress, const std::atomic<bool>* stop) {
    return WeightRun(program, options, progress, stop).run();
}

}  // namespace neumann
