// Learner on graphs of candidates: one lesson, from the candidates to a discrete program.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "learn/evaluate/judge.h"
#include "learn/gradient/diagnose.h"
#include "learn/gradient/search.h"
#include "learn/gradient/weight_learner.h"

namespace neumann {

// Reports the progress of a learner.
class LearnWatcher : public SearchWatcher, public EpochWatcher {
public:
    virtual void stage_begins(const std::vector<SearchClause>& start) = 0;
    virtual void search_done(std::size_t clauses) = 0;  // whose weights are learned next
    virtual void program_found(const std::vector<std::uint32_t>& program, const Verdict& verdict) = 0;
};

struct LearnOutcome {
    std::vector<std::uint32_t> program;  // candidates of the problem, by predicate
    std::vector<double> weights;         // of its clauses
    Verdict verdict;
    std::vector<std::pair<std::uint32_t, double>> soft_weights;  // of the last weighing: the clauses that got most
    double soft_accuracy = 0;                                    // on validation, before it was made discrete
    std::uint32_t rounds = 0;
    std::uint64_t clauses_scored = 0;
    bool interrupted = false;
    bool complete = true;  // the search ended without reaching a limit
    // No clause within the bounds gets more training labels right; others as long with enough of them right.
    bool complete_depth = false;
    std::vector<std::uint32_t> alternatives;
    std::string limit;  // the part that took too much memory, and advice; empty: none
};

// A lesson, as a learner gets it. All borrowed but the name; watcher and stop may be null.
struct LessonRequest {
    LearningProblem& problem;
    Refiner& refiner;
    const Dataset& train;
    const Dataset& validation;
    const LearnerOptions& options;
    Journal& journal;
    std::string name;
    LearnWatcher* watcher;
    const std::atomic<bool>* stop;
};

class LessonLearner {
public:
    LessonLearner() = default;
    virtual ~LessonLearner() = default;
    LessonLearner(const LessonLearner&) = delete;
    LessonLearner& operator=(const LessonLearner&) = delete;

    virtual LearnOutcome run() = 0;
    virtual Judge& judge() = 0;
    // Reasons why the program of run() does not get all labels right; empty if the algorithm does not find any.
    virtual std::vector<Limitation> find_limitations(const std::vector<std::uint32_t>& program) = 0;
};

// The atoms that labels are about.
std::vector<bool> labelled_atoms(const LearningProblem& problem, const Dataset& train, const Dataset& validation);
// The clauses that a search begins with: the declared ones, or the most general.
std::vector<SearchClause> first_clauses(const Program& program, Refiner& refiner);

}  // namespace neumann
