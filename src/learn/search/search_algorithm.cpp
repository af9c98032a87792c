#include "learn/search/search_algorithm.h"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "ground/limit.h"
#include "learn/bias/program_clauses.h"
#include "learn/evaluate/program.h"
#include "learn/evaluate/wrong_labels.h"
#include "learn/journal/clause_record.h"
#include "learn/readers/resolved_labels.h"
#include "learn/search/cross_validation.h"
#include "learn/search/declared_search.h"
#include "learn/search/world_search.h"
#include "learn/task/learn_error.h"
#include "logic/print.h"
#include "logic/translate.h"

namespace neumann {
namespace {

class LessonSearch {
public:
    explicit LessonSearch(LessonContext& context) : context_(context), step_(context.name + "/search") {}

    LessonResult run() {
        if (const SearchRecord* known = context_.journal.find<SearchRecord>(step_)) {
            found_ = *known;
            result_.clauses = read_clauses(found_.clauses, found_.invented, context_.task.program);
        } else {
            // A search that is killed begins anew when it is resumed. It depends on nothing but the task and the
            // options, so it comes to the same.
            const std::string begun = step_ + " begun";
            context_.journal.record(begun, SearchRecord{});
            search();
            if (!result_.interrupted) {
                context_.journal.forget(begun);
                context_.journal.record(step_, found_);
            }
        }
        if (!found_.reason.empty()) tell("search: not tried, as " + found_.reason);
        result_.refused = found_.reason;
        result_.equals = found_.equals;
        result_.notes = found_.notes;
        result_.proof = found_.proof;
        result_.search.searched = found_.reason.empty();
        result_.search.candidates = found_.candidates;
        result_.search.size = found_.size;
        result_.search.finished_body = found_.finished_body;
        result_.search.shortest = found_.shortest;
        result_.search.ended = found_.ended;
        result_.search.work = found_.work;
        result_.complete_depth = found_.ended == search::name_of(search::Ended::Proven) ||
                                 found_.ended == search::name_of(search::Ended::Exhausted);
        judge();
        return std::move(result_);
    }

private:
    void tell(const std::string& text) { context_.progress.note(text); }
    PredicateId target() const { return context_.lesson.targets.front().predicate; }

    void search() {
        if (context_.task.declared) return search_declared();
        WorldSearchOptions how;
        how.bounds = context_.options.search.bounds;
        how.program_size = context_.options.program_size;
        how.limits = limits();
        how.score = context_.options.score;
        how.prefer = context_.options.prefer;
        how.reasoning = context_.options.reasoning;
        how.grounding = context_.grounding;
        how.tell = [&](const std::string& text) { tell(text); };
        WorldSearchOutcome outcome =
            search_worlds(context_.task.program, context_.lesson.targets, context_.task.pool, context_.train, how);
        found_.reason = std::move(outcome.reason);
        found_.candidates = outcome.candidates;
        found_.ended = search::name_of(outcome.ended);
        found_.work = outcome.work;
        result_.interrupted = outcome.is_cut_off();
        if (!outcome.task) return;
        Program vocabulary;
        vocabulary.signature = std::move(outcome.worlds.signature);
        vocabulary.terms = std::move(outcome.worlds.terms);
        vocabulary.modes = context_.task.program.modes;
        std::vector<Clause> clauses = program_clauses(vocabulary, *outcome.task, outcome.found.program, target());
        for (Clause& clause : clauses) {
            std::optional<Clause> own = translated(vocabulary, clause, context_.task.program);
            if (!own) throw std::logic_error("a clause of the search is not one of the program");
            clause = std::move(*own);
        }
        take(outcome.found, std::move(clauses), outcome.weights);
        for (const auto& program : some_equals(outcome.found))
            keep_equal(vocabulary, program_clauses(vocabulary, *outcome.task, program, target()));
    }

    ScoreKind chosen_score(const search::Task& task) {
        const std::size_t parts = context_.options.parts;
        if (task.positives.size() < parts || task.negatives.size() < parts)
            throw LearnError(
                fmt::format("cross-validation with {} parts needs as many positive and negative labels", parts));
        const std::vector<search::ValidatedScore> all = search::cross_validate(task, limits(), parts);
        std::string text = "cross-validation, accuracy on labels left out:";
        for (const search::ValidatedScore& one : all)
            text += fmt::format(" {} {:.2f} %", score_names()[static_cast<std::size_t>(one.score)], 100 * one.accuracy);
        const auto best = std::ranges::max_element(all, {}, &search::ValidatedScore::accuracy);
        found_.notes.push_back(text);
        tell("note: " + text);
        return best->score;
    }

    search::Limits limits() const {
        search::Limits limits;
        limits.work = context_.options.search_work;
        limits.seconds = context_.options.search_seconds;
        limits.stop = context_.stop;
        limits.watch = [this](const search::SearchResult& best) {
            LearnSearch so_far;
            so_far.size = best.size;
            so_far.candidates = best.candidates;
            so_far.finished_body = best.finished_body;
            so_far.work = best.work;
            context_.progress.search_goes_on(so_far, best.false_positives + best.false_negatives);
        };
        return limits;
    }

    void search_declared() {
        search::Task& declared = context_.task.declared->task.task;
        declared.score = context_.options.score;
        declared.prefer = context_.options.prefer;
        if (context_.options.parts > 0) declared.score = chosen_score(declared);
        const search::SearchResult found =
            search_declared_task(*context_.task.declared, limits(), context_.progress, found_.notes);
        found_.ended = search::name_of(found.ended);
        found_.work = found.work;
        found_.candidates = found.candidates;
        result_.interrupted = search::is_cut_off(found.ended);
        const search::Background& background = *context_.task.declared->background;
        if (background.given_up > 0) {
            found_.notes.push_back(
                fmt::format("{} of the background did not end or were errors, and count as answered so far; the "
                            "first one: {}",
                            counted(background.given_up, "call"), background.first_given_up));
            tell("note: " + found_.notes.back());
        }
        SearchTask& task = context_.task.declared->task;
        take(found, program_clauses(context_.task.program, task, found.program, target()),
             std::vector<double>(found.program.size(), 1));
        for (const auto& program : some_equals(found))
            keep_equal(context_.task.program, program_clauses(context_.task.program, task, program, target()));
        if (found.program.empty()) return;
        found_.values = covered(task.task, found.program, context_.task.declared->tuples);
        if (!found_.values.empty() || context_.task.not_grounded.empty()) return;
        found_.values = search::resolved_values(*context_.task.declared->background,
                                                fmt::format("{}\n", fmt::join(found_.clauses, "\n")),
                                                task.task.bias.head, context_.task.declared->tuples);
    }

    // 1 for each tuple that a program without invented predicates covers, else 0; nothing for other programs.
    static std::vector<float> covered(search::Task& task, const std::vector<search::Clause>& program,
                                      const std::vector<std::vector<search::Value>>& tuples) {
        constexpr std::uint64_t steps_of_label = 200'000;
        constexpr std::size_t labels_of_tables = 200;  // after which tables begin anew
        std::vector<const search::Clause*> clauses;
        for (const search::Clause& clause : program) {
            if (clause.head != search::own_predicate) return {};
            clauses.push_back(&clause);
        }
        search::Work uncounted;
        std::optional<search::Program> tables;
        std::vector<float> values;
        for (const std::vector<search::Value>& tuple : tuples) {
            if (!tables || tables->gave_up() || values.size() % labels_of_tables == 0)
                tables.emplace(task.bias, task.relations, clauses, steps_of_label, uncounted);
            values.push_back(tables->covers(tuple) ? 1.0F : 0.0F);
        }
        return values;
    }

    static std::span<const std::vector<search::Clause>> some_equals(const search::SearchResult& found) {
        constexpr std::size_t most = 10;
        return std::span(found.equals).first(std::min(most, found.equals.size()));
    }
    void keep_equal(const Program& vocabulary, const std::vector<Clause>& clauses) {
        std::string text;
        for (const Clause& clause : clauses) text += (text.empty() ? "" : "\n") + print_clause(vocabulary, clause);
        if (std::ranges::find(found_.equals, text) == found_.equals.end()) found_.equals.push_back(std::move(text));
    }

    void take(const search::SearchResult& found, std::vector<Clause> clauses, const std::vector<double>& weights) {
        for (std::size_t c = 0; c < clauses.size(); ++c) {
            if (weights[c] != 1) clauses[c].weight = weights[c];
            found_.description += size_of(context_.task.program.terms, clauses[c]);
        }
        found_.size = found.size;
        found_.proof = found.proof;
        found_.finished_body = found.finished_body;
        found_.shortest = found.is_shortest();
        found_.counts = {found.true_positives, found.false_positives, found.true_negatives, found.false_negatives};
        found_.clauses = written_clauses(clauses, context_.task.program);
        found_.invented = written_inventions(clauses, target(), context_.task.program);
        result_.clauses = std::move(clauses);
    }

    // By the reasoner; by the counts of the search if the program is too large to be grounded.
    void judge() {
        if (result_.clauses.empty()) return;
        result_.values = found_.values;
        result_.counts = BinaryScore{found_.counts[0], found_.counts[1], found_.counts[2], found_.counts[3]};
        std::size_t labels = 0;
        if (!found_.values.empty()) {
            labels = count(found_.values);
        } else {
            try {
                labels = run_program();
            } catch (const GroundingLimit& limit) {
                tell(fmt::format("search: its program was not run, as {}", limit.what()));
                const std::vector<std::uint64_t>& counts = found_.counts;
                result_.verdict.errors = counts[1] + counts[3];
                labels = counts[0] + counts[1] + counts[2] + counts[3];
                result_.wrong_labels.clear();
            }
        }
        if (labels > 0)
            result_.soft_accuracy = 1 - static_cast<double>(result_.verdict.errors) / static_cast<double>(labels);
        result_.verdict.cost = description_length(result_.verdict.errors, labels, found_.description);
    }

    std::size_t run_program() {
        Program program = context_.task.program;
        for (const Clause& clause : result_.clauses) program.clauses.push_back(clause);
        Diagnostics reported_when_taken;
        const std::span<const LabelledValues> values = context_.evaluator.evaluate(program, reported_when_taken);
        return judge_set(context_.train, values, context_.task.train, 0) +
               judge_set(context_.validation, values, context_.task.validation, 1);
    }

    // The values of the lesson's labels, taken from those of a whole set.
    std::size_t judge_set(const ExampleSet& lesson, std::span<const LabelledValues> values, const ExampleSet& whole,
                          std::size_t number) {
        if (lesson.empty()) return 0;
        std::vector<float> own;
        std::size_t t = 0;
        for (const LabelledExample& example : whole.examples) {
            for (const Example::Target& target : example.targets) {
                const float value = values[number].values[t++];
                if (context_.lesson.teaches[context_.task.pool.predicate(target.atom).index()]) own.push_back(value);
            }
        }
        return add_errors(lesson, own);
    }

    std::size_t count(const std::vector<float>& by_atom) {
        std::size_t labels = 0;
        for (const ExampleSet* set : {&context_.train, &context_.validation}) {
            if (!set->empty()) labels += add_errors(*set, values_of(*set, by_atom).values);
        }
        return labels;
    }

    std::size_t add_errors(const ExampleSet& set, const std::vector<float>& values) {
        WrongLabels wrong = find_wrong_labels(set, values, 0.5, context_.task.program, context_.task.pool);
        result_.verdict.errors += wrong.wrong;
        if (wrong.wrong > 0) result_.wrong_labels.push_back(std::move(wrong));
        return values.size();
    }

    LessonContext& context_;
    std::string step_;
    SearchRecord found_;
    LessonResult result_;
};

class SearchAlgorithm : public LearningAlgorithm {
public:
    SearchAlgorithm()
        : LearningAlgorithm({"search", "every small clause, and programs of them", false, {"min-body"}},
                            {.needs_crisp = true, .invents = true, .proves = true}) {}

    LessonResult learn(LessonContext& context) const override { return LessonSearch(context).run(); }
};

}  // namespace

std::unique_ptr<LearningAlgorithm> make_search_algorithm() { return std::make_unique<SearchAlgorithm>(); }

}  // namespace neumann
