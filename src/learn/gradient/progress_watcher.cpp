#include "learn/gradient/progress_watcher.h"

#include <utility>

#include <fmt/format.h>

#include "learn/evaluate/wrong_labels.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t best_kept = 10;
constexpr std::size_t limits_kept = 5;

}  // namespace

ProgressWatcher::ProgressWatcher(LearningProblem& problem, Refiner& refiner, LessonContext& context)
    : problem_(problem), refiner_(refiner), context_(context) {
    std::vector<std::string> predicates;
    for (const LearnTarget& target : problem.targets())
        predicates.push_back(print_indicator(problem.program().signature.predicate(target.predicate)));
    context.progress.lesson_begins(context.number, context.count, predicates);
}

std::string ProgressWatcher::text_of(std::uint32_t candidate) {
    return print_clause(problem_.program(), refiner_.readable(problem_.candidate(candidate).clause));
}

void ProgressWatcher::diagnose(LessonLearner& learner, const LearnOutcome& outcome, LessonResult& result) {
    if (!outcome.limit.empty())
        context_.progress.message(fmt::format("warning: {}; the best program so far is kept", outcome.limit));
    if (outcome.verdict.errors == 0 || outcome.program.empty()) return;
    context_.progress.diagnosis_begins();
    add_wrong_labels(learner, outcome, context_.train, result);
    if (!context_.validation.empty()) add_wrong_labels(learner, outcome, context_.validation, result);
    if (!outcome.interrupted && !context_.options.complete_depth) {
        context_.progress.looking_for_limits();
        result.limits.emplace();
        for (const Limitation& one : learner.find_limitations(outcome.program)) {
            if (result.limits->size() == limits_kept) break;
            result.limits->push_back({one.what, one.advice, one.clause, one.accuracy});
        }
    }
    context_.progress.diagnosis_ends();
}

void ProgressWatcher::add_wrong_labels(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& set,
                                       LessonResult& result) {
    const std::vector<float> values = learner.judge().values(outcome.program, outcome.weights, Dataset(problem_, set));
    WrongLabels found = find_wrong_labels(set, values, 0.5, context_.task.program, context_.task.pool);
    if (found.wrong > 0) result.wrong_labels.push_back(std::move(found));
}

void ProgressWatcher::stage_begins(const std::vector<SearchClause>& start) {
    ++start_;
    std::vector<std::string> clauses;
    clauses.reserve(start.size());
    for (const SearchClause& clause : start)
        clauses.push_back(print_clause(problem_.program(), refiner_.readable(clause)));
    context_.progress.search_begins(clauses);
}

void ProgressWatcher::round_done(const RoundReport& report) {
    LearnRound round{.lesson = context_.number,
                     .start = start_,
                     .round = report.round,
                     .rounds = report.rounds,
                     .clauses = report.candidates.size(),
                     .best = {},
                     .uniform_weight = report.uniform_weight,
                     .negative_share = report.negative_share,
                     .loss = report.loss,
                     .seconds = report.seconds,
                     .scoring_seconds = report.scoring_seconds};
    for (const std::uint32_t i : best_first(report.scores, best_kept))
        round.best.emplace_back(text_of(report.candidates[i]), report.scores[i]);
    context_.progress.round_done(round);
}

void ProgressWatcher::search_done(std::size_t clauses) { context_.progress.weighing_begins(clauses); }

void ProgressWatcher::epoch_done(const EpochReport& report) {
    context_.progress.epoch_done({context_.number, start_, report.start, report.epoch, report.epochs, report.train_loss,
                                  report.validation_loss, report.validation_accuracy, 0});
}

void ProgressWatcher::program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) {
    context_.progress.program_found(program.size(), verdict.errors, text_of(program.front()));
}

}  // namespace neumann
