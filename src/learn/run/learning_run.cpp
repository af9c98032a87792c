#include "learn/run/learning_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#define XXH_INLINE_ALL  // the header is all that is needed
#include <xxhash.h>

#include "analyse/analyse.h"
#include "base/parallel.h"
#include "ground/limit.h"
#include "learn/evaluate/work.h"
#include "learn/published/recipe.h"
#include "learn/readers/labelled_examples.h"
#include "learn/run/learn_program.h"
#include "learn/run/learn_recorder.h"
#include "learn/run/wrong_labels.h"
#include "learn/task/learn_error.h"
#include "logic/print.h"
#include "runtime/compile.h"
#include "runtime/image_examples.h"
#include "runtime/problems.h"

namespace neumann {
namespace {

constexpr std::uint32_t published_steps = 5;  // T of the paper

// Of weighing clauses by a published algorithm: the literal soft-or, or the one that leaves 0 at 0.
Semantics published_semantics(const LearnOptions& options) {
    const std::string& given = options.learning_semantics;
    if (given.empty() || given == "paper") return semantics_named("paper");
    if (options.algorithm == LearnAlgorithm::Neumann && given == default_semantics_name)
        return semantics_named(default_semantics_name);
    throw OptionError("learning-semantics",
                      fmt::format("the algorithm {} reasons by its own equations, not by '{}'{}",
                                  info(options.algorithm).name, given,
                                  options.algorithm == LearnAlgorithm::Neumann ? "; choose paper or softor" : ""));
}

Semantics semantics_of(const std::string& given, std::string_view otherwise) {
    const std::string name = given.empty() ? std::string(otherwise) : given;
    const std::optional<Semantics> found = find_semantics(name);
    if (!found || !info(*found).for_learning)
        throw LearnError(fmt::format("'{}' is no semantics that programs are learned with", name));
    return *found;
}

LearnerOptions learner_options(const LearnOptions& options) {
    LearnerOptions result;
    result.algorithm = options.algorithm;
    result.seed = options.seed;
    result.search = options.search;
    result.weights = options.weights;
    result.program_size = options.program_size;
    result.simplify = options.simplify;
    // Where gradients may follow, the search has a share; alone it has all.
    constexpr std::uint64_t share = 6;
    const std::uint64_t all = search::Limits().work;
    result.search_work = options.work_limit.value_or(options.algorithm == LearnAlgorithm::Search ? all : all / share);
    if (options.time_limit > 0) result.search_seconds = options.time_limit;
    const bool published = is_published(options.algorithm);
    result.learning.semantics =
        published ? published_semantics(options) : semantics_of(options.learning_semantics, learning_semantics_name);
    result.reasoning.semantics = semantics_of(options.semantics, default_semantics_name);
    for (ReasonOptions* one : {&result.learning, &result.reasoning}) {
        one->engine = options.engine;
        one->gamma = options.gamma;
        one->steps = options.steps;
        one->threads = options.reading.threads == 0 ? hardware_threads() : options.reading.threads;
    }
    if (published) result.learning.steps = options.steps.value_or(published_steps);
    return result;
}

bool is_learned(const Program& program, PredicateId predicate) {
    return std::ranges::find(program.learn, predicate, &LearnTarget::predicate) != program.learn.end();
}

class LearningRun {
public:
    LearningRun(std::filesystem::path path, const LearnOptions& options, LearnProgress* progress,
                const std::atomic<bool>* stop)
        : path_(std::move(path)), options_(options), progress_(progress), stop_(stop),
          learner_(learner_options(options)), diagnostics_(make_diagnostics(options.reading)) {
        grounding_.threads = learner_.learning.threads;
        grounding_.memory_limit = options.reading.memory_limit;
        grounding_.most_new_numbers = options.reading.most_new_numbers;
    }

    LearnResult run() {
        load();
        try {
            input_.train = read_set(options_.train);
            input_.validation = read_set(options_.validation);
            test_ = read_set(options_.test);
            learn();
        } catch (const GroundingLimit& limit) {
            diagnostics_.report(codes::memory_limit, limit.span(), limit.what(), limit.advice());
            fail(*input_.program.sources);
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
    [[noreturn]] void fail(const SourceSet& sources) { throw error_of(diagnostics_, sources, options_.reading); }

    void load() {
        if (is_saved_graph(path_)) throw LearnError("a saved graph has nothing left to learn; give the program's text");
        Program& program = input_.program;
        program = load_program(path_, load_options(options_.reading), diagnostics_);
        if (program.vocabulary_complete) {
            const std::size_t left_out = std::erase_if(
                program.clauses, [&](const Clause& clause) { return is_learned(program, clause.head.predicate); });
            if (left_out > 0)
                note(fmt::format("note: {} of what is to be learned left out",
                                 left_out == 1 ? "1 clause" : fmt::format("{} clauses", left_out)));
            for (const std::string& file : options_.given) take_given(file);
            if (std::ranges::any_of(program.clauses, [](const Clause& c) { return !c.aggregates.empty(); }))
                input_.written = program;
            analyse(program, {}, diagnostics_);
            require_known_parameters(program, diagnostics_);
        }
        if (diagnostics_.has_errors()) fail(*program.sources);
        warn(without_last_break(rendered(diagnostics_, *program.sources, options_.reading)));
        if (program.learn.empty())
            throw LearnError(fmt::format("{} does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1",
                                         path_.string()));
    }

    // Clauses of predicates that another program has learned. What is given replaces what the program says.
    void take_given(const std::string& file) {
        const Program other = load_program(file, {}, diagnostics_);
        if (diagnostics_.has_errors()) fail(*other.sources);
        Program& program = input_.program;
        std::string text;
        for (const Clause& clause : other.clauses) {
            const PredicateDecl& learned = other.signature.predicate(clause.head.predicate);
            const PredicateId here = program.signature.find_predicate(learned.name, learned.args.size());
            if (!is_learned(other, clause.head.predicate) || here.is_none()) continue;
            std::erase_if(program.clauses, [&](const Clause& own) { return own.head.predicate == here; });
            std::erase_if(program.learn, [&](const LearnTarget& target) { return target.predicate == here; });
            text += print_clause(other, clause) + "\n";
        }
        if (text.empty())
            throw OptionError(
                "given", fmt::format("{} has no clauses of learned predicates that {} knows", file, path_.string()));
        add_clauses(program, file, std::move(text), diagnostics_);
    }

    // From a file of examples, or from images.
    ExampleSet read_set(const std::string& argument) {
        if (argument.empty()) return {};
        if (!names_pictures(argument))
            return read_labelled_examples(argument, input_.program, input_.pool, options_.positive);
        if (progress_ != nullptr) progress_->looking_begins(argument);
        ImageExamples images(input_.program.signature, {argument}, {.look = options_.look, .ask = {}});
        const auto watch = [&](std::size_t done) {
            if (progress_ != nullptr) progress_->looking_at_images(done, images.total());
            if (stop_ != nullptr && *stop_)
                throw Error(fmt::format("stopped while looking at pictures; {}",
                                        images.keeps() ? "what was seen so far is kept for the next time"
                                                       : "nothing of what was seen is kept"));
        };
        ExampleSet set = read_labelled_examples(images, input_.program, input_.pool, options_.positive, watch);
        for (const std::string& left_out : images.notes()) warn(left_out);
        if (images.all_unreadable()) throw LearnError("none of the pictures could be read");
        return set;
    }

    // Everything that the outcome depends on.
    std::string fingerprint() const {
        std::string all = print_program(input_.program);
        for (const ExampleSet* set : {&input_.train, &input_.validation}) {
            if (!set->empty()) all += fmt::format("\n{:016x}", digest(*set, input_.program, input_.pool));
        }
        all += "\n" + describe(learner_);
        if (options_.positive) all += fmt::format("positive {}\n", *options_.positive);
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
        LearnRecorder recorder(journal, progress_, result_);
        std::optional<LearnedProgram> learned =
            learn_program(input_, learner_, grounding_, journal, &recorder, stop_, diagnostics_);
        if (!learned) fail(*input_.program.sources);
        result_.clauses = std::move(learned->clauses);
        result_.program = std::move(learned->text);
        result_.soft_accuracy = learned->soft_accuracy;
        result_.errors = learned->errors;
        result_.round_count = learned->rounds;
        result_.clauses_scored = learned->clauses_scored;
        result_.interrupted = learned->interrupted;
        result_.search_ended = std::move(learned->search_ended);
        result_.search_work = learned->search_work;
        result_.algorithm = learned->algorithm;
        if (learned->wrong_labels) result_.wrong_labels = std::move(*learned->wrong_labels);
        result_.seconds = recorder.seconds();
        result_.scoring_seconds = recorder.scoring_seconds();
        result_.diagnosis_seconds = recorder.diagnosis_seconds();
        try {
            judge();
        } catch (const GroundingLimit& limit) {
            if (!learned->search_counts) throw;
            warn(fmt::format("the learned program was not run, as {}; what is told of it is what the search counted",
                             limit.what()));
            result_.train_labels = learned->search_counts;
            result_.train_accuracy = result_.train_labels->accuracy();
        }
    }

    // What is judged is what is written.
    void judge() {
        const auto values = [&](const ExampleSet& set) {
            return run_program(input_.program, input_.pool, set, learner_.reasoning, grounding_, diagnostics_);
        };
        if (options_.threshold) result_.threshold = *options_.threshold;
        const ProgramRun on_train = values(input_.train);
        if (!input_.validation.empty()) {
            const ProgramRun on_validation = values(input_.validation);
            if (!options_.threshold) result_.threshold = on_validation.best_threshold();
            result_.validation_labels = on_validation.counts(result_.threshold);
            result_.validation_accuracy = result_.validation_labels->accuracy();
        }
        result_.train_labels = on_train.counts(result_.threshold);
        result_.train_accuracy = result_.train_labels->accuracy();
        if (test_.empty()) return;
        const ProgramRun on_test = values(test_);
        result_.test_labels = on_test.counts(result_.threshold);
        result_.test_accuracy = result_.test_labels->accuracy();
        std::vector<std::uint32_t> atoms;
        for (const LabelledExample& example : test_.examples)
            for (const Example::Target& target : example.targets) atoms.push_back(target.atom);
        result_.wrong_in_test = find_wrong_labels(test_, on_test.values, result_.threshold, [&](std::size_t t) {
            return print_atom(input_.program.signature, input_.program.terms, input_.pool.predicate(atoms[t]),
                              input_.pool.args(atoms[t]));
        });
    }

    std::filesystem::path path_;
    const LearnOptions& options_;
    LearnProgress* progress_;
    const std::atomic<bool>* stop_;
    LearnerOptions learner_;
    GroundOptions grounding_;
    Diagnostics diagnostics_;
    LearningInput input_;
    ExampleSet test_;
    LearnResult result_;
};

}  // namespace

LearnResult run_learning(const std::filesystem::path& program, const LearnOptions& options, LearnProgress* progress,
                         const std::atomic<bool>* stop) {
    return LearningRun(program, options, progress, stop).run();
}

}  // namespace neumann
