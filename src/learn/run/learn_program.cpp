#include "learn/run/learn_program.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "ground/limit.h"
#include "learn/gradient/learner.h"
#include "learn/published/published_learner.h"
#include "learn/published/recipe.h"
#include "learn/run/wrong_labels.h"
#include "learn/search/world_search.h"
#include "learn/task/learn_error.h"
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

// What the search came to, judged as it will be used.
struct Searched {
    SearchRecord found;
    PredicateId target;
    std::size_t labels = 0;
    std::uint64_t errors = 0;
    double cost = 0;
    std::vector<WrongLabels> wrong_labels;
};

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
        const bool may_search = options_.algorithm <= LearnAlgorithm::Search;
        const bool only_search = options_.algorithm == LearnAlgorithm::Search;
        std::optional<Searched> searched;
        if (only_search || (may_search && suits_search(lesson, train, validation))) {
            if (lessons > 1) tell(fmt::format("lesson {} of {}", number + 1, lessons));
            searched = search(lesson, number, train, validation);
            if (only_search && !searched->found.reason.empty())
                throw LearnError(fmt::format("the search cannot learn this: {}", searched->found.reason));
            if (only_search || result_.interrupted || is_right(*searched)) return take(*searched);
        }
        try {
            run_gradient(lesson, number, lessons, train, validation, may_search, searched);
        } catch (const GroundingLimit& limit) {
            if (!searched || searched->found.clauses.empty()) throw;
            tell(fmt::format("gradients: not tried, as {}", limit.what()));
            take(*searched);
        }
    }

    // Labels and inputs are crisp, and nobody says where else to begin.
    bool suits_search(const Lesson& lesson, const ExampleSet& train, const ExampleSet& validation) const {
        const auto starts = [&](const Clause& clause) {
            return std::ranges::find(lesson.targets, clause.head.predicate, &LearnTarget::predicate) !=
                   lesson.targets.end();
        };
        return std::ranges::none_of(input_.program.initial, starts) && is_crisp(train) && is_crisp(validation);
    }

    static bool is_crisp(const ExampleSet& set) {
        return std::ranges::all_of(set.examples, [](const LabelledExample& example) {
            return std::ranges::all_of(example.inputs,
                                       [](const AtomValue& input) { return input.value == 0 || input.value == 1; });
        });
    }

    static bool is_right(const Searched& searched) { return searched.errors == 0 && !searched.found.clauses.empty(); }

    void tell(const std::string& text) {
        if (watcher_ != nullptr) watcher_->searching(text);
    }

    Searched search(const Lesson& lesson, std::size_t number, const ExampleSet& train, const ExampleSet& validation) {
        const std::string step = fmt::format("lesson {}/search", number);
        Searched searched;
        searched.target = lesson.targets.front().predicate;
        if (const SearchRecord* known = journal_.find<SearchRecord>(step)) {
            searched.found = *known;
        } else {
            // A run that is stopped in here can be resumed: the search begins anew, and comes to the same.
            const std::string begun = step + " begun";
            journal_.record(begun, SearchRecord{});
            WorldSearchOptions how;
            how.bounds = options_.search.bounds;
            how.program_size = options_.program_size;
            how.limits.work = options_.search_work;
            how.limits.seconds = options_.search_seconds;
            how.limits.stop = stop_;
            how.reasoning = options_.reasoning;
            how.grounding = grounding_;
            how.tell = [&](const std::string& text) { tell(text); };
            WorldSearchOutcome outcome = search_worlds(input_.program, lesson.targets, input_.pool, train, how);
            result_.interrupted = outcome.is_cut_off();
            searched.found = {std::move(outcome.reason),
                              std::move(outcome.clauses),
                              std::move(outcome.written),
                              std::move(outcome.invented),
                              std::move(outcome.weights),
                              outcome.size,
                              outcome.candidates,
                              std::move(outcome.counts),
                              outcome.right,
                              outcome.seconds,
                              std::string(search::name_of(outcome.ended)),
                              outcome.work};
            if (!outcome.is_cut_off()) {
                journal_.forget(begun);
                journal_.record(step, searched.found);
            }
        }
        if (!searched.found.reason.empty()) tell("search: not tried, as " + searched.found.reason);
        result_.clauses_scored += searched.found.candidates;
        result_.search_ended = searched.found.ended;
        result_.search_work += searched.found.work;
        judge(searched, train, validation);
        return searched;
    }

    // By the reasoner; by the counts of the search where what follows is too much to be grounded.
    void judge(Searched& searched, const ExampleSet& train, const ExampleSet& validation) {
        if (searched.found.clauses.empty()) return;
        try {
            run(searched, train, validation);
        } catch (const GroundingLimit& limit) {
            tell(fmt::format("search: its program was not run, as {}", limit.what()));
            const std::vector<std::uint64_t>& counts = searched.found.counts;
            searched.errors = counts[1] + counts[3];
            searched.labels = counts[0] + counts[1] + counts[2] + counts[3];
            searched.wrong_labels.clear();
        }
        searched.cost = description_length(searched.errors, searched.labels, searched.found.size);
    }

    void run(Searched& searched, const ExampleSet& train, const ExampleSet& validation) {
        Program program = input_.program;
        Diagnostics reported_when_taken;
        declare_invented(program, searched.found);
        add_clauses(program, "<learned>", text_of(searched.found), reported_when_taken);
        for (const ExampleSet* set : {&train, &validation}) {
            if (set->empty()) continue;
            const ProgramRun run =
                run_program(program, input_.pool, *set, options_.reasoning, grounding_, reported_when_taken);
            const BinaryScore counts = run.counts(0.5);
            searched.errors += counts.false_positives + counts.false_negatives;
            searched.labels += run.values.size();
            WrongLabels wrong =
                find_wrong_labels(*set, run.values, 0.5, [&](std::size_t t) { return print_target(*set, t); });
            if (wrong.wrong > 0) searched.wrong_labels.push_back(std::move(wrong));
        }
    }

    std::string print_target(const ExampleSet& set, std::size_t number) const {
        for (const LabelledExample& example : set.examples) {
            if (number < example.targets.size()) {
                const std::uint32_t atom = example.targets[number].atom;
                return print_atom(input_.program.signature, input_.program.terms, input_.pool.predicate(atom),
                                  input_.pool.args(atom));
            }
            number -= example.targets.size();
        }
        return {};
    }

    static std::string text_of(const SearchRecord& found) {
        std::string text;
        for (std::size_t i = 0; i < found.written.size(); ++i)
            text += found.weights[i] == 1 ? found.written[i] + "\n"
                                          : fmt::format("{}::{}\n", found.weights[i], found.written[i]);
        return text;
    }

    void take(const Searched& searched) {
        result_.algorithm = LearnAlgorithm::Search;
        result_.errors += searched.errors;
        if (searched.labels > 0)
            result_.soft_accuracy = 1 - static_cast<double>(searched.errors) / static_cast<double>(searched.labels);
        result_.wrong_labels = searched.wrong_labels;
        const std::vector<std::uint64_t>& counts = searched.found.counts;
        if (!counts.empty()) result_.search_counts = BinaryScore{counts[0], counts[1], counts[2], counts[3]};
        const std::string predicate = print_indicator(input_.program.signature.predicate(searched.target));
        for (std::size_t i = 0; i < searched.found.clauses.size(); ++i)
            result_.clauses.push_back({searched.found.clauses[i], searched.found.weights[i], predicate});
        declare_invented(input_.program, searched.found);
        if (input_.written) declare_invented(*input_.written, searched.found);
        add(text_of(searched.found));
    }

    static void declare_invented(Program& program, const SearchRecord& found) {
        for (const std::vector<std::string>& one : found.invented) {
            std::vector<TypeId> types;
            for (std::size_t i = 1; i < one.size(); ++i) types.push_back(program.signature.find_type(one[i]));
            if (program.signature.find_predicate(one[0], types.size()).is_none())
                program.signature.add_predicate(one[0], std::move(types), false, {});
        }
    }

    void add(std::string text) {
        if (input_.written) {
            Diagnostics reported_below;
            add_clauses(*input_.written, "<learned>", text, reported_below);
        }
        add_clauses(input_.program, "<learned>", std::move(text), diagnostics_);
    }

    void run_gradient(const Lesson& lesson, std::size_t number, std::size_t lessons, const ExampleSet& train,
                      const ExampleSet& validation, bool may_search, std::optional<Searched>& searched) {
        Program program = input_.program;
        program.learn = lesson.targets;
        const ExampleSet* sets[] = {&train, &validation};
        Diagnostics reported = diagnostics_;
        LearningProblem problem(std::move(program), input_.pool, sets, grounding_, info(options_.learning.semantics),
                                reported);
        if (reported.has_errors() && searched && !searched->found.clauses.empty()) {
            tell("gradients: not tried, as the learned predicate may hold of too much");
            return take(*searched);
        }
        diagnostics_ = std::move(reported);
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
        result_.rounds += outcome.rounds;
        result_.clauses_scored += outcome.clauses_scored;
        result_.soft_accuracy = outcome.soft_accuracy;
        result_.interrupted = outcome.interrupted;
        if (may_search && !searched && outcome.verdict.errors > 0 && !outcome.interrupted)
            searched = search(lesson, number, train, validation);
        if (searched && is_better(*searched, outcome)) return take(*searched);
        result_.algorithm = is_published(options_.algorithm) ? options_.algorithm : LearnAlgorithm::Gradient;
        result_.errors += outcome.verdict.errors;
        std::string text;
        for (std::size_t i = 0; i < outcome.program.size(); ++i) {
            const Clause clause = refiner.readable(problem.candidate(outcome.program[i]).clause);
            result_.clauses.push_back({print_clause(problem.program(), clause), outcome.weights[i],
                                       print_indicator(problem.program().signature.predicate(clause.head.predicate))});
            text += as_written(problem.program(), clause, outcome.weights[i]) + "\n";
        }
        add(std::move(text));
    }

    static bool is_better(const Searched& searched, const LearnOutcome& outcome) {
        if (searched.found.clauses.empty()) return false;
        Verdict verdict;
        verdict.errors = searched.errors;
        verdict.cost = searched.cost;
        return outcome.program.empty() || verdict.better_than(outcome.verdict);
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

BinaryScore ProgramRun::counts(double threshold) const {
    BinaryScore counts;
    for (std::size_t t = 0; t < values.size(); ++t)
        counts.count(positive[t], static_cast<double>(values[t]) >= threshold);
    return counts;
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
