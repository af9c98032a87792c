#include "learn/search/world_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "ground/limit.h"
#include "learn/bias/label_sample.h"
#include "learn/bias/program_clauses.h"
#include "learn/bias/target_labels.h"
#include "learn/bias/vocabulary.h"
#include "learn/evaluate/join.h"
#include "learn/search/program_search.h"
#include "learn/task/learn_error.h"
#include "logic/dependencies.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr double narrow_share = 0.6;            // of the work, for the declared bias alone
constexpr std::size_t least_base = 2;           // literals of a base clause
constexpr std::size_t least_recursive = 2 + 3;  // … and of a recursive clause with it

class WorldSearch {
public:
    WorldSearch(const Program& program, const std::vector<LearnTarget>& targets, const AtomPool& pool,
                const ExampleSet& train, const WorldSearchOptions& options)
        : program_(program), targets_(targets), pool_(pool), train_(train), options_(options) {}

    WorldSearchOutcome run() {
        if (targets_.size() != 1)
            return refused("a predicate without labels of its own has to be learned beside the labelled one");
        target_ = targets_[0].predicate;
        Program program = program_;
        TargetLabels labels(program, target_, pool_, train_);
        if (!labels.reason().empty()) return refused(labels.reason());
        find_goals(program);
        std::vector<bool> wanted = goals_;
        wanted.resize(program.signature.predicates().size(), false);
        if (!labels.asked().is_none()) wanted[labels.asked().index()] = true;
        Diagnostics reported_elsewhere;
        worlds_ = find_worlds({std::move(program), pool_, train_, std::move(wanted), options_.reasoning,
                               options_.grounding, options_.limits.stop},
                              reported_elsewhere);
        if (reported_elsewhere.has_errors()) return refused("the background cannot be grounded");
        labels_ = labels.find(worlds_);
        if (labels_.empty()) return refused(labels.reason().empty() ? "there are no labels" : labels.reason());
        search();
        outcome_.worlds.signature = std::move(worlds_.signature);
        outcome_.worlds.terms = std::move(worlds_.terms);
        return std::move(outcome_);
    }

private:
    WorldSearchOutcome refused(std::string reason) {
        outcome_.reason = std::move(reason);
        return std::move(outcome_);
    }
    void tell(const std::string& text) const {
        if (options_.tell) options_.tell(text);
    }

    // The goals of bodies: predicates of the program that do not depend on the learned one.
    void find_goals(const Program& program) {
        const DependencyGraph dependencies = dependencies_of(program);
        const std::size_t count = program_.signature.predicates().size();
        goals_.assign(count, false);
        std::vector<bool> in_modes(count, false);
        bool declared = false;
        for (const Mode& mode : program.modes) {
            if (mode.head) continue;
            declared = in_modes[mode.predicate.index()] = true;
        }
        for (std::uint32_t p = 0; p < count; ++p) {
            const PredicateDecl& decl = program.signature.predicate(PredicateId(p));
            if (declared ? !in_modes[p] : decl.auxiliary || decl.internal) continue;
            goals_[p] = !dependencies.needed_for(std::array{PredicateId(p)})[target_.index()];
        }
    }

    void search() {
        VocabularyOptions how{options_.bounds, options_.program_size.value_or(targets_[0].clause_count), false, false};
        declared_ = make_vocabulary(program_, target_, worlds_, labels_, goals_, how).declared;
        const std::uint64_t all = options_.limits.work;
        const auto narrow_work = static_cast<std::uint64_t>(narrow_share * static_cast<double>(all));
        const std::size_t narrow = attempt_both(how, narrow_work, 0);
        how.wide = true;
        if (!is_right()) attempt_both(how, all, narrow);
    }

    // Until so much work is done. Without declarations, a recursive program has to be shorter than one without
    // recursion: else it repeats it.
    std::size_t attempt_both(VocabularyOptions& how, std::uint64_t until, std::size_t before) {
        how.recursion = false;
        const std::uint64_t left = until - std::min(until, outcome_.work);
        const std::size_t goals = attempt(how, declared_ ? left : left / 2, before);
        how.recursion = true;
        if (!declared_ && goals > before && !outcome_.is_cut_off() &&
            (!is_right() || outcome_.found.size > least_recursive))
            attempt(how, until - std::min(until, outcome_.work), before);
        return goals;
    }

    // How many kinds of goals there are; nothing is tried if there are no more than `before`.
    std::size_t attempt(const VocabularyOptions& how, std::uint64_t work, std::size_t before) {
        Vocabulary made = make_vocabulary(program_, target_, worlds_, labels_, goals_, how);
        const std::size_t goals = made.forms.size();
        if (goals <= before || outcome_.is_cut_off()) return goals;
        for (const std::string& note : made.notes) tell("search: " + note);
        SearchTask task = make_task(std::move(made), labels_, worlds_, train_.examples.size());
        if (task.task.positives.empty() || task.task.negatives.empty()) return goals;
        // A right program is known: only shorter ones, of a base and a recursion, are of interest.
        task.task.score = options_.score;
        task.task.prefer = options_.prefer;
        if (is_right())
            task.task.bias.most_body =
                std::min(task.task.bias.most_body, static_cast<unsigned>(outcome_.found.size - least_base - 2));
        search::SearchResult found = search_sample(task, work);
        tell(fmt::format("search: {} candidates in {:.1f} s; clauses of up to {} goals are done{}", found.candidates,
                         found.seconds, found.finished_body,
                         found.is_shortest() ? ", and no shorter program is right" : ""));
        const bool better = is_better(found);
        outcome_.ended = better && found.is_right() ? found.ended : std::max(outcome_.ended, found.ended);
        if (better) take(std::move(task), std::move(found));
        return goals;
    }

    // On few labels first, where there are many.
    search::SearchResult search_sample(SearchTask& task, std::uint64_t work) {
        constexpr int most_rounds = 6;
        LabelSample sample(task.task);
        const search::Improved improved = [&](const search::SearchResult& best) { report(task, best); };
        search::SearchResult all;  // rounds together
        for (int round = 1;; ++round) {
            search::Limits limits = options_.limits.part(work - std::min(work, all.work));
            limits.seconds -= outcome_.seconds;
            search::SearchResult found = search::search_programs(task.task, limits, improved);
            outcome_.seconds += found.seconds;
            outcome_.work += found.work;
            outcome_.candidates += found.candidates;
            found.seconds = all.seconds += found.seconds;
            found.work = all.work += found.work;
            found.candidates = all.candidates += found.candidates;
            const bool more = sample.recount(found) && !search::is_cut_off(found.ended) && all.work < work;
            if (found.is_shortest() && !found.is_right()) found.ended = search::Ended::WorkLimit;
            if (!more) return found;
            if (round == most_rounds) sample.take_all();
        }
    }

    bool is_better(const search::SearchResult& found) const {
        if (!outcome_.task) return true;
        const search::Score score = search::score_of(outcome_.task->task);
        if (!score.alone() && found.is_right() != is_right()) return found.is_right();
        return cost(score, found) < cost(score, outcome_.found);
    }
    static double cost(const search::Score& score, const search::SearchResult& one) {
        return score.cost(one.size, one.false_positives, one.false_negatives);
    }
    bool is_right() const { return outcome_.task && outcome_.found.is_right(); }

    void report(const SearchTask& task, const search::SearchResult& best) {
        if (best.program.empty() || !options_.tell) return;
        if (!shown_) shown_.emplace(vocabulary());
        const Clause first = program_clauses(*shown_, task, {best.program.front()}, target_).front();
        tell(fmt::format("search: {} wrong of {}: {}{}", best.false_positives + best.false_negatives,
                         task.task.positives.size() + task.task.negatives.size(), print_clause(*shown_, first),
                         best.program.size() > 1 ? fmt::format(" and {} more", best.program.size() - 1) : ""));
    }

    Program vocabulary() const {
        Program program;
        program.signature = worlds_.signature;
        program.terms = worlds_.terms;
        program.modes = program_.modes;
        return program;
    }

    void take(SearchTask task, search::SearchResult found) {
        std::ranges::stable_sort(found.program, {}, [&](const search::Clause& clause) {
            return std::pair(is_recursive(task, clause), clause.body.size());
        });
        outcome_.weights.clear();
        for (const search::Clause& clause : found.program)
            outcome_.weights.push_back(found.is_right() ? 1.0 : precision(task, clause));
        outcome_.found = std::move(found);
        outcome_.task = std::move(task);
    }

    static bool is_recursive(const SearchTask& task, const search::Clause& clause) {
        return std::ranges::any_of(
            clause.body, [&](const search::Literal& goal) { return goal.predicate == task.task.bias.itself(); });
    }

    // The precision of the clause; recursive ones are judged with their program only.
    static double precision(SearchTask& task, const search::Clause& clause) {
        if (is_recursive(task, clause)) return 1;
        search::Work uncounted;
        search::Join join(task.task.bias, task.task.relations, uncounted);
        const auto covered = [&](const std::vector<std::vector<search::Value>>& atoms) {
            return static_cast<double>(
                std::ranges::count_if(atoms, [&](const auto& atom) { return join.holds(clause, atom); }));
        };
        const double right = covered(task.task.positives);
        const double all = right + covered(task.task.negatives);
        return right > 0 ? std::round(1e4 * right / all) / 1e4 : 1;
    }

    const Program& program_;
    const std::vector<LearnTarget>& targets_;
    const AtomPool& pool_;
    const ExampleSet& train_;
    const WorldSearchOptions& options_;
    PredicateId target_;
    std::vector<bool> goals_;
    Worlds worlds_;
    std::vector<TargetLabel> labels_;
    WorldSearchOutcome outcome_;
    bool declared_ = false;         // there are modes
    std::optional<Program> shown_;  // the vocabulary of clauses that are reported
};

}  // namespace

WorldSearchOutcome search_worlds(const Program& program, const std::vector<LearnTarget>& targets, const AtomPool& pool,
                                 const ExampleSet& train, const WorldSearchOptions& options) {
    WorldSearchOutcome outcome;
    try {
        return WorldSearch(program, targets, pool, train, options).run();
    } catch (const std::length_error& error) {
        outcome.reason = error.what();
    } catch (const GroundingError& error) {
        outcome.reason = error.what();
    } catch (const LearningInterrupted&) {
        outcome.ended = search::Ended::Stopped;
    }
    return outcome;
}

}  // namespace neumann
