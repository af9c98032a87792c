#include "learn/run/learning_run.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

#include "base/parallel.h"
#include "compile/problems.h"
#include "ground/limit.h"
#include "learn/evaluate/work.h"
#include "learn/evaluate/wrong_labels.h"
#include "learn/published/component.h"
#include "learn/readers/declared_task.h"
#include "learn/readers/labelled_examples.h"
#include "learn/readers/program_task.h"
#include "learn/readers/resolved_labels.h"
#include "learn/run/algorithms.h"
#include "learn/run/learn_program.h"
#include "learn/task/learn_error.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::uint32_t published_steps = 5;  // T of the paper

bool is_published(const LearnOptions& options) {
    const LearnAlgorithmInfo* const found = find_algorithm(options.algorithm);
    return found != nullptr && found->published;
}

// Of weighing clauses by a published algorithm: the literal soft-or, or the one that leaves 0 at 0.
Semantics published_semantics(const LearnOptions& options) {
    const std::string& given = options.learning_semantics;
    const bool may_choose = options.algorithm == "neumann";
    if (given.empty() || given == "paper") return semantics_named("paper");
    if (may_choose && given == default_semantics_name) return semantics_named(default_semantics_name);
    throw OptionError("learning-semantics",
                      fmt::format("the algorithm {} reasons by its own equations, not by '{}'{}", options.algorithm,
                                  given, may_choose ? "; choose paper or softor" : ""));
}

Semantics semantics_of(const std::string& given, std::string_view otherwise) {
    const std::string name = given.empty() ? std::string(otherwise) : given;
    const std::optional<Semantics> found = find_semantics(name);
    if (!found || !info(*found).for_learning)
        throw LearnError(fmt::format("'{}' is no semantics that programs are learned with", name));
    return *found;
}

LearnerOptions learner_options(const LearnOptions& options, const ModelOptions& reading) {
    LearnerOptions result;
    result.algorithm = options.algorithm;
    result.seed = options.seed;
    result.search = options.search;
    result.weights = options.weights;
    result.program_size = options.program_size;
    result.simplify = options.simplify;
    result.enough = options.enough;
    result.score = options.score;
    result.parts = options.parts;
    result.prefer = options.prefer;
    if (options.algorithm == "search") result.search_work = search::Limits().work;  // nothing follows
    if (options.work_limit) result.search_work = *options.work_limit;
    if (options.time_limit > 0) result.search_seconds = options.time_limit;
    const bool published = is_published(options);
    result.learning.semantics =
        published ? published_semantics(options) : semantics_of(options.learning_semantics, learning_semantics_name);
    result.reasoning.semantics = semantics_of(options.semantics, default_semantics_name);
    for (ReasonOptions* one : {&result.learning, &result.reasoning}) {
        one->engine = options.engine;
        one->gamma = options.gamma;
        one->steps = options.steps;
        one->threads = reading.threads == 0 ? hardware_threads() : reading.threads;
    }
    if (published) result.learning.steps = options.steps.value_or(published_steps);
    return result;
}

class LearningRun {
public:
    LearningRun(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                const std::atomic<bool>* stop)
        : files_(task), options_(options), progress_(progress), stop_(stop),
          learner_(learner_options(options, task.reading)), diagnostics_(make_diagnostics(task.reading)) {
        grounding_.threads = learner_.learning.threads;
        grounding_.memory_limit = task.reading.memory_limit;
        grounding_.most_new_numbers = task.reading.most_new_numbers;
    }

    LearnResult run() {
        if (is_published(options_)) published_component();  // a missing one is an error before any work
        try {
            read();
            learn();
        } catch (const GroundingLimit& limit) {
            diagnostics_.report(codes::memory_limit, limit.span(), limit.what(), limit.advice());
            fail();
        }
        return std::move(result_);
    }

private:
    void warn(const std::string& text) {
        if (progress_ != nullptr && !text.empty()) progress_->message(text);
    }
    void note(const std::string& text) {
        if (progress_ != nullptr) progress_->note(text);
    }
    [[noreturn]] void fail() { throw error_of(diagnostics_, *task_.program.sources, files_.reading); }

    // Reading is no part of the search: it ends by time or by the caller.
    search::Limits reading_limits() const {
        search::Limits limits;
        limits.work = search::unlimited_work;
        limits.seconds = learner_.search_seconds;
        limits.stop = stop_;
        return limits;
    }

    void read() {
        task_ = files_.format == TaskFormat::Program ? read_program_task(files_, diagnostics_, progress_, stop_)
                                                     : read_declared_task(files_, reading_limits(), progress_);
        if (diagnostics_.has_errors()) fail();
        if (options_.require_program && !task_.not_grounded.empty())
            throw LearnError(fmt::format("the learned program could only be written as Prolog text: choose a name that "
                                         "ends in .pl\n{}",
                                         task_.not_grounded));
        // The bias of a declared task is the search's.
        if (task_.declared && learner_.algorithm == default_algorithm) {
            learner_.algorithm = "search";
            learner_.search_work = options_.work_limit.value_or(search::Limits().work);
        }
        if (!task_.not_grounded.empty() && learner_.algorithm != "search")
            throw LearnError(fmt::format("the algorithm {} needs a background that can be grounded\n{}",
                                         learner_.algorithm, task_.not_grounded));
    }

    // Everything that the outcome depends on.
    std::string fingerprint() const {
        std::string all = print_program(task_.program) + task_.files;
        for (const ExampleSet* set : {&task_.train, &task_.validation}) {
            if (!set->empty()) all += fmt::format("\n{:016x}", digest(*set, task_.program, task_.pool));
        }
        all += "\n" + describe(learner_);
        if (files_.positive) all += fmt::format("positive {}\n", *files_.positive);
        return fmt::format("{:016x}", XXH3_64bits(all.data(), all.size()));
    }

    void learn() {
        Journal journal(options_.journal, fingerprint());
        std::error_code ignored;
        if (!options_.resume && std::filesystem::exists(options_.journal, ignored))
            throw LearnError(
                fmt::format("'{}' is what a run that was not finished has left: go on with --resume, or remove "
                            "it to begin anew",
                            options_.journal.string()));
        if (options_.resume && !journal.resume()) note("note: nothing to resume, starting anew");
        if (progress_ != nullptr) progress_->learning_begins();
        RunProgress progress(journal, progress_);
        ProgramEvaluator evaluator = evaluator_of(task_, learner_, grounding_);
        std::optional<LearnedProgram> learned =
            learn_program(task_, evaluator, learner_, grounding_, journal, progress, stop_, diagnostics_);
        if (!learned) fail();
        progress.put_into(result_);
        describe_program(*learned);
        result_.algorithm = std::move(learned->algorithm);
        result_.search = learned->search;
        result_.soft_accuracy = learned->soft_accuracy;
        result_.errors = learned->errors;
        result_.interrupted = learned->interrupted;
        result_.wrong_labels = std::move(learned->wrong_labels);
        result_.limits = std::move(learned->limits);
        result_.depths = std::move(learned->depths);
        result_.enough = learned->enough;
        result_.rivals = std::move(learned->rivals);
        result_.rivals_found = learned->rivals_found;
        result_.equals = std::move(learned->equals);
        result_.notes = task_.notes;
        std::ranges::move(learned->notes, std::back_inserter(result_.notes));
        result_.proof = std::move(learned->proof);
        judge(*learned, evaluator);
        judge_other_world();
    }

    // Test examples with a background of their own: as Prolog answers.
    void judge_other_world() {
        if (!task_.declared || !task_.declared->test) return;
        const OtherWorld& world = *task_.declared->test;
        std::string clauses;
        for (const LearnedClause& clause : result_.clauses) clauses += clause.text + "\n";
        const std::vector<float> values =
            search::resolved_values(*world.background, clauses, task_.declared->task.task.bias.head, world.tuples);
        BinaryScore counts;
        for (std::size_t t = 0; t < values.size(); ++t) counts.count(t < world.positives, values[t] >= 0.5F);
        result_.test.emplace();
        result_.test->examples = 1;
        result_.test->labels = values.size();
        result_.test->counts = counts;
        result_.test->accuracy = counts.accuracy();
    }

    void describe_program(const LearnedProgram& learned) {
        for (Clause clause : learned.clauses) {
            const double weight = clause.weight_value();
            clause.weight.reset();
            result_.clauses.push_back(
                {.text = print_clause(task_.program, clause),
                 .weight = weight,
                 .predicate = print_indicator(task_.program.signature.predicate(clause.head.predicate)),
                 .start = {}});
        }
        if (task_.not_grounded.empty()) {
            result_.program = print_program(task_.written ? *task_.written : task_.program);
            return;
        }
        result_.program = task_.background;
        for (const LearnedClause& clause : result_.clauses) result_.program += clause.text + "\n";
        result_.only_prolog = task_.not_grounded;
    }

    // The whole program is judged as it will be used.
    void judge(const LearnedProgram& learned, ProgramEvaluator& evaluator) {
        if (options_.threshold) result_.threshold = *options_.threshold;
        const std::array<const ExampleSet*, 3> sets = {&task_.train, &task_.validation, &task_.test};
        std::vector<LabelledValues> values;
        if (!learned.values.empty()) {
            for (const ExampleSet* set : sets) values.push_back(values_of(*set, learned.values));
        } else {
            try {
                std::ranges::copy(evaluator.evaluate(task_.program, diagnostics_), std::back_inserter(values));
            } catch (const GroundingLimit& limit) {
                if (!learned.counts) throw;
                warn(fmt::format("the learned program was not run, as {}; its scores are the counts of the search",
                                 limit.what()));
                result_.train = {.examples = task_.train.examples.size(),
                                 .labels = learned.counts->all(),
                                 .accuracy = learned.counts->accuracy(),
                                 .counts = learned.counts};
                return;
            }
        }
        if (!task_.validation.empty() && !options_.threshold) result_.threshold = values[1].best_threshold();
        result_.train = score(task_.train, values[0]);
        if (!task_.validation.empty()) result_.validation = score(task_.validation, values[1]);
        if (task_.test.empty()) return;
        result_.test = score(task_.test, values[2]);
        result_.wrong_in_test =
            find_wrong_labels(task_.test, values[2].values, result_.threshold, task_.program, task_.pool);
    }

    LearnScore score(const ExampleSet& set, const LabelledValues& values) const {
        LearnScore score;
        score.examples = set.examples.size();
        score.labels = values.values.size();
        score.counts = values.counts(result_.threshold);
        score.accuracy = score.counts->accuracy();
        return score;
    }

    const LearningTask& files_;
    const LearnOptions& options_;
    LearnProgress* progress_;
    const std::atomic<bool>* stop_;
    LearnerOptions learner_;
    GroundOptions grounding_;
    Diagnostics diagnostics_;
    LoadedTask task_;
    LearnResult result_;
};

}  // namespace

LearnResult run_clause_learning(const LearningTask& task, const LearnOptions& options, LearnProgress* progress,
                                const std::atomic<bool>* stop) {
    return LearningRun(task, options, progress, stop).run();
}

}  // namespace neumann
