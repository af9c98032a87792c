#include "learn/probabilities/parameter_learning.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/memory.h"
#include "learn/probabilities/evidence_examples.h"
#include "learn/probabilities/observed_literals.h"
#include "learn/probabilities/parameter_learner.h"
#include "learn/probabilities/parameter_program.h"
#include "learn/task/learn_error.h"
#include "session/model_worlds.h"
#include "worlds/interpretations.h"

namespace neumann {
namespace {

constexpr std::size_t examples_at_once = 1000;

class ParameterRun {
public:
    ParameterRun(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                 const std::atomic<bool>* stop)
        : task_(task), options_(options), progress_(progress == nullptr ? nobody_ : *progress), stop_(stop) {}

    LearnResult run() {
        program_ = load_parameter_program(task_.program, task_.reading);
        if (!program_.warnings.empty()) progress_.message(program_.warnings);
        std::vector<double> weights = start_weights(compiled(), program_.groups, options_.seed);
        names_.emplace(compiled());
        const Set train = read_set(task_.train, weights);
        std::optional<Set> test;
        if (!task_.test.empty()) test = read_set(task_.test, weights);
        progress_.learning_begins();
        learn(train, std::move(weights), test);
        return std::move(result_);
    }

private:
    struct Set {
        std::unique_ptr<Interpretations> examples;
        std::vector<std::string> places;  // "file:line" of each
        std::size_t different = 0;
    };

    CompiledProgram& compiled() { return program_.loaded.compiled; }

    std::vector<bool> given_atoms() const {
        const CompiledProgram& compiled = program_.loaded.compiled;
        std::vector<bool> given(compiled.ground.graph.atom_count(), false);
        const std::vector<PredicateDecl>& predicates = compiled.program.signature.predicates();
        for (std::uint32_t p = 0; p < predicates.size(); ++p) {
            const AtomTable::Range& range = compiled.ground.atoms.range(PredicateId(p));
            if (predicates[p].neural) std::fill_n(given.begin() + range.first, range.count, true);
        }
        return given;
    }

    bool stopped() const { return stop_ != nullptr && *stop_; }

    CompileLimits limits(const std::string& file) const {
        CompileLimits limits;
        const std::uint64_t memory = task_.reading.memory_limit;
        limits.bytes = (memory != 0 ? memory : available_memory_bytes() / 5 * 4) / 2;
        limits.watch = [this, file](std::size_t done, std::size_t all, std::size_t nodes) {
            if (task_.reading.progress)
                task_.reading.progress(fmt::format("compiling {}, {} nodes", file, nodes), done, all);
            if (stopped()) throw Error("error: stopped while compiling the examples; nothing was learned yet");
        };
        return limits;
    }

    [[noreturn]] static void refuse_impossible(const std::string& place) {
        throw ExampleError(fmt::format("{}: error: this example has probability 0: no world of the program agrees with "
                                       "all that was observed\n  correct the example, or let the program make it "
                                       "possible",
                                       place));
    }

    Set read_set(const std::string& file, std::span<const double> weights) {
        const std::unique_ptr<ExampleSource> source = open_interpretations(file);
        Set set;
        set.examples = std::make_unique<Interpretations>(compiled().ground.graph, worlds_task(compiled(), {}, weights),
                                                         given_atoms(), limits(file));
        std::set<std::vector<GraphLiteral>> different;
        try {
            for (std::vector<Example> some; !(some = source->next(examples_at_once)).empty();) {
                for (const Example& example : some) {
                    const std::vector<GraphLiteral> observed =
                        observed_literals(*source, example, *names_, program_.label);
                    set.places.push_back(source->place(example));
                    set.examples->add(observed);
                    different.insert(observed);
                }
            }
        } catch (const ImpossibleExample& example) {
            refuse_impossible(set.places[example.number]);
        } catch (const DiagramLimit& limit) {
            throw LearnError(
                fmt::format("the exact probabilities of the examples are too hard: {}; raise the limits, or "
                            "observe less at a time",
                            limit.what()));
        }
        if (set.places.empty()) throw LearnError(fmt::format("{}: there are no examples", file));
        set.examples->finish();
        set.different = different.size();
        return set;
    }

    static Interpretations::Counts count(const Set& set, std::span<const double> weights) {
        try {
            return set.examples->count(weights);
        } catch (const ImpossibleExample& example) {
            refuse_impossible(set.places[example.number]);
        }
    }

    void learn(const Set& train, std::vector<double> weights, const std::optional<Set>& test) {
        const auto begun = std::chrono::steady_clock::now();
        const std::vector<double> start = weights;
        const ParameterSearchResult found = search_parameters(
            program_.groups, std::move(weights), train.places.size(), options_.parameters,
            [&](std::span<const double> of) {
                Interpretations::Counts counts = count(train, of);
                return ExpectedCounts{counts.log_likelihood, std::move(counts.clause), std::move(counts.none)};
            },
            [&](std::uint32_t iteration, double log_likelihood) {
                progress_.iteration_done(iteration, log_likelihood);
                return !stopped();
            });
        result_.goal = LearnGoal::Probabilities;
        result_.train.examples = train.places.size();
        result_.train.log_likelihood = found.counts.log_likelihood;
        result_.different_examples = train.different;
        result_.start_objective = found.start_log_likelihood;
        result_.iterations = found.iterations;
        result_.converged = found.converged;
        result_.interrupted = found.interrupted;
        describe(start, found);
        result_.program = with_learned_weights(compiled().program, program_.groups, found.weights, found.interrupted);
        if (test) judge(*test, found.weights);
        result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }

    void judge(const Set& test, std::span<const double> weights) {
        LearnScore& score = result_.test.emplace();
        score.examples = test.places.size();
        try {
            score.log_likelihood = test.examples->count(weights).log_likelihood;
        } catch (const ImpossibleExample& example) {
            score.impossible = test.places[example.number];
        }
    }

    void describe(const std::vector<double>& start, const ParameterSearchResult& found) {
        const Program& program = compiled().program;
        std::map<std::uint32_t, double> decided;
        for (const ParameterGroup& group : program_.groups) {
            double all = found.counts.none[group.clauses[0]];
            for (const std::uint32_t k : group.clauses) all += found.counts.clause[k];
            for (const std::uint32_t k : group.clauses) decided[k] = all;
        }
        for (const auto& [k, all] : decided)
            result_.clauses.push_back({.text = parameter_text(program, k),
                                       .weight = found.weights[k],
                                       .predicate = head_of(program, k),
                                       .line = parameter_line(program, k),
                                       .start = start[k],
                                       .chosen = found.counts.clause[k],
                                       .decided = all});
    }

    const LearningTask& task_;
    const LearnOptions& options_;
    LearnProgress nobody_;
    LearnProgress& progress_;
    const std::atomic<bool>* stop_;
    ParameterProgram program_;
    std::optional<AtomNames> names_;
    LearnResult result_;
};

}  // namespace

LearnResult run_probability_learning(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                                     const std::atomic<bool>* stop) {
    return ParameterRun(task, options, progress, stop).run();
}

}  // namespace neumann
