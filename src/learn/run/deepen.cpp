#include "learn/run/deepen.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "learn/clauses/refine.h"
#include "learn/evaluate/wrong_labels.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t most_alternatives = 20;
constexpr double band_of_alternatives = 0.95;  // of training labels, where the share that is enough is not given
constexpr int depths_without_gain = 2;         // on training labels, after which only the last depth is tried

class Deepening {
public:
    Deepening(const LearningAlgorithm& algorithm, LessonContext& context)
        : algorithm_(algorithm), context_(context), options_(context.options),
          evaluator_(context.task.program, context.task.pool, {&context.train, &context.validation},
                     context.options.reasoning, context.grounding) {}

    LessonResult run() {
        const std::size_t start = goals_of_start();
        const std::size_t most = std::max<std::size_t>(options_.search.bounds.max_body, start + 1);
        std::vector<LessonResult> found;
        std::optional<std::uint64_t> fewest;  // wrong training labels
        int idle = 0;
        for (std::size_t depth = 1; start + depth <= most; ++depth) {
            if (idle == depths_without_gain) depth = most - start;
            LessonResult one = learn(depth, start + depth);
            if (!one.refused.empty() && found.empty()) return one;
            if (!one.refused.empty()) break;
            score(one);
            report(one, depth);
            const std::uint64_t wrong = one.verdict.errors;
            idle = fewest && wrong >= *fewest ? idle + 1 : 0;
            fewest = std::min(wrong, fewest.value_or(wrong));
            const bool ends =
                one.interrupted || wrong == 0 || *one.validation_accuracy >= options_.enough.value_or(1.0);
            found.push_back(std::move(one));
            if (ends) break;
        }
        const bool interrupted = found.back().interrupted;
        const auto most_right = std::ranges::max_element(
            found, {}, [](const LessonResult& one) { return *one.validation_accuracy; });  // of equal ones the first
        const double enough = options_.enough.value_or(within_error(*most_right->validation_accuracy, labels()));
        const auto reaches = [&](const LessonResult& one) { return *one.validation_accuracy >= enough; };
        auto chosen = std::ranges::find_if(found, reaches);
        if (chosen == found.end()) chosen = most_right;
        const std::size_t depth = depths_[static_cast<std::size_t>(chosen - found.begin())].depth;
        LessonResult best = std::move(*chosen);
        best.enough = enough;
        best.reached = options_.enough && reaches(best) && !best.clauses.empty();
        if (reaches(best) && !best.complete_depth) prune(best, enough);
        compare(best, enough);
        best.depths = std::move(depths_);
        best.interrupted = interrupted;
        // Clauses with more goals than were allowed make a longer program than this one.
        const std::size_t size = size_of_program(best);
        search_.shortest = best.search.shortest && size <= start + depth + 1;
        best.search = search_;
        best.search.size = size;
        finish(best);
        return best;
    }

private:
    std::size_t goals_of_start() const {
        std::size_t goals = 0;
        for (const Clause& clause : context_.task.program.initial) {
            const auto& targets = context_.lesson.targets;
            if (std::ranges::find(targets, clause.head.predicate, &LearnTarget::predicate) != targets.end())
                goals = std::max(goals, clause.body.size());
        }
        return goals;
    }

    // On training labels alone; a published algorithm reads validation examples as its authors have it.
    LessonResult learn(std::size_t depth, std::size_t goals) {
        LearnerOptions at = options_;
        at.search.bounds.max_body = static_cast<std::uint32_t>(goals);
        at.complete_depth = true;
        at.enough = options_.enough.value_or(band_of_alternatives);
        at.search_work = options_.search_work - std::min(options_.search_work, search_.work);
        const ExampleSet none;
        const bool withheld = algorithm_.laws.rounds_of_depth == RoundsOfDepth::Free;
        if (algorithm_.laws.rounds_of_depth == RoundsOfDepth::OneMore) {
            at.search.trials = static_cast<std::uint32_t>(depth + 1);
            at.search.more_trials = 0;
        }
        LessonContext inner{context_.task,
                            context_.lesson,
                            context_.number,
                            context_.count,
                            fmt::format("{}/depth {}", context_.name, depth),
                            context_.train,
                            withheld ? none : context_.validation,
                            context_.evaluator,
                            at,
                            context_.grounding,
                            context_.journal,
                            context_.progress,
                            context_.stop,
                            context_.diagnostics};
        const DeclaredBody declared(context_.task, goals);
        LessonResult found = algorithm_.learn(inner);
        search_.candidates += found.search.candidates;
        search_.rounds += found.search.rounds;
        search_.searched = search_.searched || found.search.searched;
        search_.finished_body = std::max(search_.finished_body, found.search.finished_body);
        search_.work += found.search.work;
        search_.ended = found.search.ended;
        return found;
    }

    // The bound on goals of a declared task, while a depth is learned.
    class DeclaredBody {
    public:
        DeclaredBody(LoadedTask& task, std::size_t goals) : task_(task) {
            if (!task.declared) return;
            before_ = task.declared->task.task.bias.most_body;
            task.declared->task.task.bias.most_body = std::min(before_, static_cast<unsigned>(goals));
        }
        ~DeclaredBody() {
            if (task_.declared) task_.declared->task.task.bias.most_body = before_;
        }
        DeclaredBody(const DeclaredBody&) = delete;
        DeclaredBody& operator=(const DeclaredBody&) = delete;

    private:
        LoadedTask& task_;
        unsigned before_ = 0;
    };

    struct Shares {
        LabelledValues train;
        LabelledValues validation;
    };
    Shares values(const LessonResult& result) {
        if (!result.values.empty())
            return {values_of(context_.train, result.values), values_of(context_.validation, result.values)};
        Program program = context_.task.program;
        program.clauses.insert(program.clauses.end(), result.clauses.begin(), result.clauses.end());
        Diagnostics reported;  // when it was learned
        const std::span<const LabelledValues> found = evaluator_.evaluate(program, reported);
        return {found[0], found[1]};
    }

    static std::uint64_t wrong(const LabelledValues& values) {
        const BinaryScore counts = values.counts(0.5);
        return counts.false_positives + counts.false_negatives;
    }

    void score(LessonResult& result) {
        const Shares shares = values(result);
        result.verdict.errors = wrong(shares.train);
        result.verdict.false_alarms = shares.train.counts(0.5).false_positives;
        result.train_accuracy = shares.train.accuracy(0.5);
        result.validation_accuracy = shares.validation.accuracy(0.5);
    }

    // Leaves out the goal that costs least on validation for as long as enough labels of both sets are right.
    void prune(LessonResult& result, double enough) {
        if (!result.values.empty()) return;
        const double on_train = std::min(enough, result.train_accuracy);
        Refiner refiner(context_.task.program, {context_.task.program.modes, options_.search.bounds});
        while (true) {
            std::optional<LessonResult> shorter;
            for (std::size_t c = 0; c < result.clauses.size(); ++c) {
                for (const SearchClause& general : refiner.generalise(refiner.canonical(result.clauses[c]))) {
                    if (general.clause.body.size() >= result.clauses[c].body.size()) continue;
                    LessonResult other = result;
                    other.clauses[c] = refiner.readable(general);
                    other.clauses[c].weight = result.clauses[c].weight;
                    score(other);
                    if (*other.validation_accuracy < enough || other.train_accuracy < on_train) continue;
                    if (!shorter || *other.validation_accuracy > *shorter->validation_accuracy)
                        shorter = std::move(other);
                }
            }
            if (!shorter) return;
            result = std::move(*shorter);
        }
    }

    std::size_t labels() const {
        std::size_t count = 0;
        for (const LabelledExample& example : context_.validation.examples) count += example.targets.size();
        return count;
    }

    // The alternatives that validation labels do not tell from the program either.
    void compare(LessonResult& result, double enough) {
        std::vector<Clause> alternatives = std::move(result.alternatives);
        result.alternatives.clear();
        for (Clause& clause : alternatives) {
            LessonResult other;
            other.clauses = {std::move(clause)};
            score(other);
            const std::string text = print_clause(context_.task.program, other.clauses.front());
            if (*other.validation_accuracy < enough || text == text_of(result)) continue;
            ++result.rivals_found;
            if (result.rivals.size() < most_alternatives)
                result.rivals.push_back({text, other.train_accuracy, *other.validation_accuracy});
        }
    }

    std::string text_of(const LessonResult& result) const {
        std::string text;
        for (const Clause& clause : result.clauses) {
            Clause written = clause;
            written.weight.reset();
            text += (text.empty() ? "" : "\n") + print_clause(context_.task.program, written);
        }
        return text;
    }

    void report(const LessonResult& result, std::size_t depth) {
        LearnDepth one{.depth = depth,
                       .program = text_of(result),
                       .train_accuracy = result.train_accuracy,
                       .validation_accuracy = *result.validation_accuracy,
                       .complete = result.complete_depth};
        context_.progress.note(fmt::format("depth {}: {} training labels wrong, validation {:.2f} %{}", depth,
                                           result.verdict.errors, 100 * one.validation_accuracy,
                                           one.complete ? "" : "; not every clause was tried"));
        depths_.push_back(std::move(one));
    }

    std::size_t size_of_program(const LessonResult& result) const {
        std::size_t size = 0;
        for (const Clause& clause : result.clauses) size += clause.body.size() + 1;
        return size;
    }

    // From here on validation labels count as they do without deepening: in the errors, and by example.
    void finish(LessonResult& result) {
        const Shares shares = values(result);
        result.verdict.errors = 0;
        result.verdict.false_alarms = 0;
        result.verdict.train_accuracy = result.train_accuracy;
        result.verdict.validation_accuracy = *result.validation_accuracy;
        result.wrong_labels.clear();
        for (const auto& [set, found] :
             {std::pair(&context_.train, &shares.train), std::pair(&context_.validation, &shares.validation)}) {
            WrongLabels labels = find_wrong_labels(*set, found->values, 0.5, context_.task.program, context_.task.pool);
            result.verdict.errors += labels.wrong;
            result.verdict.false_alarms += found->counts(0.5).false_positives;
            if (labels.wrong > 0) result.wrong_labels.push_back(std::move(labels));
        }
        result.search.shortest = result.search.shortest && result.verdict.errors == 0;
    }

    const LearningAlgorithm& algorithm_;
    LessonContext& context_;
    const LearnerOptions& options_;
    ProgramEvaluator evaluator_;
    LearnSearch search_;
    std::vector<LearnDepth> depths_;
};

}  // namespace

double within_error(double accuracy, std::size_t labels) {
    return accuracy - std::sqrt(accuracy * (1 - accuracy) / static_cast<double>(labels));
}

bool deepens(const LearningAlgorithm& algorithm, const LessonContext& context) {
    if (context.validation.empty() || algorithm.laws.rounds_of_depth == RoundsOfDepth::None) return false;
    return context.options.enough || !algorithm.info.published;
}

LessonResult learn_by_depth(const LearningAlgorithm& algorithm, LessonContext& context) {
    return Deepening(algorithm, context).run();
}

}  // namespace neumann
