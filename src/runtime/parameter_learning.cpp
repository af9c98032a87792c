#include "runtime/parameter_learning.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "learn/learn_error.h"
#include "learn/parameter_learner.h"
#include "logic/print.h"
#include "prove/interpretations.h"
#include "runtime/compile.h"
#include "runtime/evidence_examples.h"
#include "runtime/model_worlds.h"
#include "runtime/observed_literals.h"
#include "runtime/problems.h"

namespace neumann {
namespace {

constexpr std::size_t examples_at_once = 1000;

// A clause alone, or the heads of an annotated disjunction; those with something to learn.
std::vector<ParameterGroup> parameter_groups(const std::vector<Clause>& clauses) {
    std::vector<ParameterGroup> groups;
    std::map<std::uint32_t, ParameterGroup> by_choice;
    for (std::uint32_t k = 0; k < clauses.size(); ++k) {
        const Clause& clause = clauses[k];
        if (clause.choice) {
            ParameterGroup& group = by_choice[*clause.choice];
            if (clause.parameter) group.clauses.push_back(k);
            if (!clause.parameter) group.fixed += clause.weight_value();
        } else if (clause.parameter) {
            groups.push_back({{k}, 0});
        }
    }
    for (auto& [choice, group] : by_choice)
        if (!group.clauses.empty()) groups.push_back(std::move(group));
    return groups;
}

std::string head_or_clause(const Program& program, Clause clause) {
    if (clause.choice)
        return print_atom(program.signature, program.terms, clause.head.predicate, clause.head.args, clause.variables);
    clause.weight.reset();
    std::string text = print_clause(program, clause);
    text.pop_back();  // its dot
    return text;
}

class ParameterRun {
public:
    ParameterRun(std::filesystem::path path, const ParameterOptions& options, const ParameterProgress& progress,
                 const std::atomic<bool>* stop)
        : path_(std::move(path)), options_(options), progress_(progress), stop_(stop),
          diagnostics_(make_diagnostics(options.reading)) {}

    ParameterResult run() {
        load();
        const Program& program = loaded_.compiled.program;
        groups_ = parameter_groups(program.clauses);
        if (groups_.empty())
            throw LearnError(
                fmt::format("{} has no probability to learn; mark some: t(_)::p. or t(0.3)::p :- q.", path_.string()));
        const std::span<const double> written = loaded_.compiled.ground.graph.weight.span();
        std::vector<double> weights(written.begin(), written.end());
        std::vector<bool> open;
        for (const Clause& clause : program.clauses) open.push_back(clause.parameter && clause.parameter->open);
        for (const ParameterGroup& group : groups_) draw_start(group, open, options_.seed, weights);
        names_.emplace(loaded_.compiled);
        const Set train = read_set(options_.train, weights);
        std::optional<Set> test;
        if (!options_.test.empty()) test = read_set(options_.test, weights);
        if (progress_.learning_begins) progress_.learning_begins();
        learn(train, std::move(weights), test);
        return std::move(result_);
    }

private:
    struct Set {
        std::unique_ptr<Interpretations> examples;
        std::vector<std::string> places;  // "file:line" of each
        std::size_t different = 0;
    };

    void load() {
        std::error_code ignored;
        if (is_saved_graph(path_)) throw LearnError("a saved graph has nothing left to learn; give the program's text");
        if (std::filesystem::is_directory(path_, ignored))
            throw LearnError(
                fmt::format("{} is a folder; probabilities are learned for a program in one file", path_.string()));
        CompileOptions compiling;
        const unsigned threads = options_.reading.threads;
        compiling.ground.threads = threads == 0 ? hardware_threads() : threads;
        compiling.ground.memory_limit = options_.reading.memory_limit;
        compiling.ground.most_new_numbers = options_.reading.most_new_numbers;
        compiling.open_parameters = true;
        Program program = load_program(path_, load_options(options_.reading), diagnostics_);
        for (const Evidence& one : program.evidence)
            diagnostics_.report(codes::unsupported, one.atom.span,
                                "evidence in a program whose probabilities are learned",
                                "what was observed stands in the examples");
        if (!program.labels.empty())
            label_ = print_atom(program.signature, program.terms, program.labels[0].predicate, program.labels[0].args);
        for (const Clause& clause : program.clauses)
            if (clause.parameter && clause.parameter->span.file != 0)
                diagnostics_.report(codes::unsupported, clause.parameter->span,
                                    "a probability to be learned in a file that is included",
                                    "write the clause into the program itself, which is what learning writes anew");
        program.queries.clear();  // all that examples may observe is needed
        program.labels.clear();
        const std::shared_ptr<SourceSet> sources = program.sources;
        const bool good = sources->size() > 0 && compile(std::move(program), compiling, diagnostics_, loaded_);
        if (!good) throw error_of(diagnostics_, *sources, options_.reading);
        const std::string warnings = without_last_break(rendered(diagnostics_, *sources, options_.reading));
        if (!warnings.empty() && progress_.message) progress_.message(warnings);
    }

    std::vector<bool> given_atoms() const {
        const CompiledProgram& compiled = loaded_.compiled;
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
        const std::uint64_t memory = options_.reading.memory_limit;
        limits.bytes = (memory != 0 ? memory : available_memory_bytes() / 5 * 4) / 2;
        limits.watch = [this, file](std::size_t done, std::size_t all, std::size_t nodes) {
            if (options_.reading.progress)
                options_.reading.progress(fmt::format("compiling {}, {} nodes", file, nodes), done, all);
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
        set.examples = std::make_unique<Interpretations>(
            loaded_.compiled.ground.graph, worlds_task(loaded_.compiled, {}, weights), given_atoms(), limits(file));
        std::set<std::vector<GraphLiteral>> different;
        try {
            for (std::vector<Example> some; !(some = source->next(examples_at_once)).empty();) {
                for (const Example& example : some) {
                    const std::vector<GraphLiteral> observed = observed_literals(*source, example, *names_, label_);
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
            groups_, std::move(weights), train.places.size(), options_.search,
            [&](std::span<const double> of) {
                Interpretations::Counts counts = count(train, of);
                return ExpectedCounts{counts.log_likelihood, std::move(counts.clause), std::move(counts.none)};
            },
            [&](std::uint32_t iteration, double log_likelihood) {
                if (progress_.iteration_done) progress_.iteration_done(iteration, log_likelihood);
                return !stopped();
            });
        result_.examples = train.places.size();
        result_.different_examples = train.different;
        result_.start_log_likelihood = found.start_log_likelihood;
        result_.log_likelihood = found.counts.log_likelihood;
        result_.iterations = found.iterations;
        result_.converged = found.converged;
        result_.interrupted = found.interrupted;
        describe(start, found);
        result_.program = rewritten(found);
        if (test) judge(*test, found.weights);
        result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }

    void judge(const Set& test, std::span<const double> weights) {
        result_.test_examples = test.places.size();
        try {
            result_.test_log_likelihood = test.examples->count(weights).log_likelihood;
        } catch (const ImpossibleExample& example) {
            result_.test_impossible = test.places[example.number];
        }
    }

    void describe(const std::vector<double>& start, const ParameterSearchResult& found) {
        const Program& program = loaded_.compiled.program;
        std::map<std::uint32_t, double> decided;
        for (const ParameterGroup& group : groups_) {
            double all = found.counts.none[group.clauses[0]];
            for (const std::uint32_t k : group.clauses) all += found.counts.clause[k];
            for (const std::uint32_t k : group.clauses) decided[k] = all;
        }
        for (const auto& [k, all] : decided)
            result_.parameters.push_back({head_or_clause(program, program.clauses[k]),
                                          program.sources->line(program.clauses[k].parameter->span), start[k],
                                          found.weights[k], found.counts.clause[k], all});
    }

    // The program's text with numbers in the place of t(…).
    std::string rewritten(const ParameterSearchResult& found) const {
        const Program& program = loaded_.compiled.program;
        std::map<Span, double, std::greater<>> places;  // from the end on, so that they stay right
        for (const ParameterGroup& group : groups_)
            for (const std::uint32_t k : group.clauses) places[program.clauses[k].parameter->span] = found.weights[k];
        std::string text(program.sources->file(0).text());
        for (const auto& [span, value] : places) {
            const bool may_go_on = found.interrupted && value > 0 && value < 1;
            text.replace(span.begin, span.end - span.begin,
                         may_go_on ? fmt::format("t({})", value) : fmt::format("{}", value));
        }
        return text;
    }

    std::filesystem::path path_;
    const ParameterOptions& options_;
    const ParameterProgress& progress_;
    const std::atomic<bool>* stop_;
    Diagnostics diagnostics_;
    LoadedProgram loaded_;
    std::optional<AtomNames> names_;
    std::string label_;  // the atom that the label of an example is about
    std::vector<ParameterGroup> groups_;
    ParameterResult result_;
};

}  // namespace

ParameterResult run_parameter_learning(const std::filesystem::path& program, const ParameterOptions& options,
                                       const ParameterProgress& progress, const std::atomic<bool>* stop) {
    return ParameterRun(program, options, progress, stop).run();
}

}  // namespace neumann
