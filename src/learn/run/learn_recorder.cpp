#include "learn/run/learn_recorder.h"

#include <algorithm>

#include <fmt/format.h>

#include "learn/run/wrong_labels.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t best_kept = 10;
constexpr std::size_t limits_kept = 5;

}  // namespace

LearnRecorder::LearnRecorder(Journal& journal, LearnProgress* progress, LearnResult& result)
    : journal_(journal), progress_(progress == nullptr ? nobody_ : *progress), result_(result) {}

double LearnRecorder::seconds_here() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() - diagnosis_seconds_;
}

double LearnRecorder::seconds() const { return journal_.seconds_before() + seconds_here(); }

std::string LearnRecorder::text_of(std::uint32_t candidate) {
    return print_clause(problem_->program(), refiner_->readable(problem_->candidate(candidate).clause));
}

void LearnRecorder::lesson_begins(std::size_t lesson, std::size_t lessons, LearningProblem& problem, Refiner& refiner) {
    problem_ = &problem;
    refiner_ = &refiner;
    lesson_ = lesson;
    start_ = 0;
    std::vector<std::string> predicates;
    for (const LearnTarget& target : problem.targets())
        predicates.push_back(print_indicator(problem.program().signature.predicate(target.predicate)));
    progress_.lesson_begins(lesson, lessons, predicates);
}

void LearnRecorder::lesson_ends(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                                const ExampleSet& validation) {
    if (!outcome.limit.empty())
        progress_.message(fmt::format("warning: {}; the best program so far is kept", outcome.limit));
    const double before = seconds_here();
    diagnose(learner, outcome, train, validation);
    diagnosis_seconds_ += seconds_here() - before;
}

void LearnRecorder::diagnose(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& train,
                             const ExampleSet& validation) {
    if (outcome.verdict.errors == 0 || outcome.program.empty()) return;
    add_wrong_labels(learner, outcome, train);
    if (!validation.empty()) add_wrong_labels(learner, outcome, validation);
    if (outcome.interrupted) return;
    progress_.looking_for_limits();
    result_.limits.clear();
    for (const Limitation& one : learner.find_limitations(outcome.program)) {
        if (result_.limits.size() == limits_kept) break;
        result_.limits.push_back({one.what, one.advice, one.clause, one.accuracy});
    }
}

void LearnRecorder::add_wrong_labels(LessonLearner& learner, const LearnOutcome& outcome, const ExampleSet& set) {
    const Dataset data(*problem_, set);
    const std::vector<float> values = learner.judge().values(outcome.program, outcome.weights, data);
    WrongLabels found = find_wrong_labels(set, values, 0.5, [&](std::size_t t) -> std::string {
        const std::uint32_t atom = data.target(t).atom;
        if (atom == LearningProblem::no_atom_number) return "an atom that nothing derives";
        const AtomTable& atoms = problem_->grounder().atoms();
        return print_atom(problem_->program().signature, problem_->program().terms, atoms.predicate_of(AtomId(atom)),
                          atoms.args_of(AtomId(atom)));
    });
    if (found.wrong > 0) result_.wrong_labels.push_back(std::move(found));
}

void LearnRecorder::searching(const std::string& text) {
    journal_.set_clock(seconds_here());
    progress_.note(text);
}

void LearnRecorder::stage_begins(const std::vector<SearchClause>& start) {
    ++start_;
    std::vector<std::string> clauses;
    clauses.reserve(start.size());
    for (const SearchClause& clause : start)
        clauses.push_back(print_clause(problem_->program(), refiner_->readable(clause)));
    progress_.search_begins(clauses);
}

void LearnRecorder::round_done(const RoundReport& report) {
    journal_.set_clock(seconds_here());
    LearnRound round{.lesson = lesson_,
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
    scoring_seconds_ += report.scoring_seconds;
    for (const std::uint32_t i : best_first(report.scores, best_kept))
        round.best.emplace_back(text_of(report.candidates[i]), report.scores[i]);
    result_.rounds.push_back(std::move(round));
    progress_.round_done(result_.rounds.back());
}

void LearnRecorder::search_done(std::size_t clauses) { progress_.weighing_begins(clauses); }

void LearnRecorder::epoch_done(const EpochReport& report) {
    journal_.set_clock(seconds_here());
    result_.epochs.push_back({lesson_, start_, report.start, report.epoch, report.epochs, report.train_loss,
                              report.validation_loss, report.validation_accuracy, seconds()});
    progress_.epoch_done(result_.epochs.back());
}

void LearnRecorder::program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) {
    progress_.program_found(program.size(), verdict.errors, text_of(program.front()));
}

}  // namespace neumann
