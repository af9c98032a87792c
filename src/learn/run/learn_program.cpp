#include "learn/run/learn_program.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ground/limit.h"
#include "learn/clauses/readable.h"
#include "learn/run/algorithms.h"
#include "learn/run/deepen.h"
#include "learn/task/learn_error.h"
#include "logic/translate.h"

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

bool is_crisp(const ExampleSet& set) {
    return std::ranges::all_of(set.examples, [](const LabelledExample& example) {
        return std::ranges::all_of(example.inputs,
                                   [](const AtomValue& input) { return input.value == 0 || input.value == 1; });
    });
}

class LessonRunner {
public:
    LessonRunner(LoadedTask& task, ProgramEvaluator& evaluator, const LearnerOptions& options,
                 const GroundOptions& grounding, Journal& journal, RunProgress& progress, const std::atomic<bool>* stop,
                 Diagnostics& diagnostics)
        : task_(task), evaluator_(evaluator), options_(options), grounding_(grounding), journal_(journal),
          progress_(progress), stop_(stop), diagnostics_(diagnostics) {}

    std::optional<LearnedProgram> run() {
        if (task_.program.learn.empty())
            throw LearnError("the program does not say what to learn; add ':- learn(p/1, 1).' for a predicate p/1");
        const ExampleSet* sets[] = {&task_.train};
        const std::vector<Lesson> lessons = plan_lessons(task_.program, task_.pool, sets);
        for (std::size_t i = 0; i < lessons.size() && !learned_.interrupted; ++i) {
            if (!run_lesson(lessons[i], i, lessons.size())) return std::nullopt;
        }
        return std::move(learned_);
    }

private:
    // False: the declarations are wrong.
    bool run_lesson(const Lesson& lesson, std::size_t number, std::size_t lessons) {
        const ExampleSet train = restrict(task_.train, task_.pool, lesson);
        const ExampleSet validation = restrict(task_.validation, task_.pool, lesson);
        if (!task_.declared) require_both_labels(train);
        const bool crisp = !starts_elsewhere(lesson) && is_crisp(train) && is_crisp(validation);
        LessonResult best;
        std::string found_by;
        const auto algorithms = algorithms_for(options_.algorithm, crisp, task_.not_grounded.empty());
        for (const LearningAlgorithm* algorithm : algorithms) {
            const bool last = algorithm == algorithms.back();
            if (lessons > 1 && algorithm->laws.needs_crisp)
                progress_.note(fmt::format("lesson {} of {}", number + 1, lessons));
            Diagnostics reported = diagnostics_;
            LessonContext context{task_,    lesson,     number,     lessons,  fmt::format("lesson {}", number),
                                  train,    validation, evaluator_, options_, grounding_,
                                  journal_, progress_,  stop_,      reported};
            LessonResult result = learn(*algorithm, context, best);
            if (reported.has_errors() && (!best.clauses.empty() || !last)) {
                progress_.note(fmt::format("{}: not tried, as {}", algorithm->info.name, result.refused));
                continue;
            }
            diagnostics_ = std::move(reported);
            if (diagnostics_.has_errors()) return false;
            if (!result.refused.empty() && algorithms.size() == 1)
                throw LearnError(fmt::format("the {} cannot learn this: {}", algorithm->info.name, result.refused));
            count(result);
            if (found_by.empty() || result.better_than(best)) {
                best = std::move(result);
                found_by = algorithm->info.name;
            }
            if (best.is_right() || learned_.interrupted) break;
        }
        take(std::move(best), std::move(found_by));
        return true;
    }

    // The program sets other initial clauses.
    bool starts_elsewhere(const Lesson& lesson) const {
        return std::ranges::any_of(task_.program.initial, [&](const Clause& clause) {
            return std::ranges::find(lesson.targets, clause.head.predicate, &LearnTarget::predicate) !=
                   lesson.targets.end();
        });
    }

    LessonResult learn(const LearningAlgorithm& algorithm, LessonContext& context, const LessonResult& before) {
        try {
            return deepens(algorithm, context) ? learn_by_depth(algorithm, context) : algorithm.learn(context);
        } catch (const GroundingLimit& limit) {
            if (before.clauses.empty()) throw;
            progress_.note(fmt::format("{}: not tried, as {}", algorithm.info.name, limit.what()));
            LessonResult none;
            none.refused = limit.what();
            return none;
        }
    }

    void count(LessonResult& result) {
        learned_.interrupted = learned_.interrupted || result.interrupted;
        learned_.search.candidates += result.search.candidates;
        learned_.search.rounds += result.search.rounds;
        learned_.search.searched = learned_.search.searched || result.search.searched;
        learned_.search.finished_body = std::max(learned_.search.finished_body, result.search.finished_body);
        learned_.search.work += result.search.work;
        if (!result.search.ended.empty()) learned_.search.ended = result.search.ended;
        if (result.limits) learned_.limits = std::move(*result.limits);
    }

    void take(LessonResult best, std::string found_by) {
        learned_.algorithm = std::move(found_by);
        learned_.errors += best.verdict.errors;
        learned_.soft_accuracy = best.soft_accuracy;
        const bool first = learned_.clauses.empty();
        learned_.search.shortest = best.search.shortest && (first || learned_.search.shortest);
        learned_.search.size += best.search.size;
        learned_.values = std::move(best.values);
        learned_.counts = best.counts;
        learned_.depths = std::move(best.depths);
        learned_.enough = best.enough;
        learned_.rivals = std::move(best.rivals);
        learned_.rivals_found = best.rivals_found;
        learned_.equals = std::move(best.equals);
        std::ranges::move(best.notes, std::back_inserter(learned_.notes));
        learned_.proof = std::move(best.proof);
        std::ranges::move(best.wrong_labels, std::back_inserter(learned_.wrong_labels));
        for (Clause& clause : best.clauses) {
            add(task_.program, clause);
            if (task_.written) {
                if (const std::optional<Clause> own = translated(task_.program, clause, *task_.written))
                    add(*task_.written, *own);
            }
            learned_.clauses.push_back(std::move(clause));
        }
    }

    // As a person would write it: a variable that occurs once is anonymous.
    static void add(Program& program, Clause clause) {
        hide_singles(program.terms, clause);
        clause.certain = !clause.weight && std::ranges::find(program.learn, clause.head.predicate,
                                                             &LearnTarget::predicate) == program.learn.end();
        program.clauses.push_back(std::move(clause));
    }

    LoadedTask& task_;
    ProgramEvaluator& evaluator_;
    const LearnerOptions& options_;
    const GroundOptions& grounding_;
    Journal& journal_;
    RunProgress& progress_;
    const std::atomic<bool>* stop_;
    Diagnostics& diagnostics_;
    LearnedProgram learned_;
};

}  // namespace

std::optional<LearnedProgram> learn_program(LoadedTask& task, ProgramEvaluator& evaluator,
                                            const LearnerOptions& options, const GroundOptions& grounding,
                                            Journal& journal, RunProgress& progress, const std::atomic<bool>* stop,
                                            Diagnostics& diagnostics) {
    return LessonRunner(task, evaluator, options, grounding, journal, progress, stop, diagnostics).run();
}

ProgramEvaluator evaluator_of(const LoadedTask& task, const LearnerOptions& options, const GroundOptions& grounding) {
    return {task.program, task.pool, {&task.train, &task.validation, &task.test}, options.reasoning, grounding};
}

}  // namespace neumann
