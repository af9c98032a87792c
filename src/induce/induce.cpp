#include "induce/induce.h"

#include <algorithm>
#include <new>
#include <optional>

#include "induce/clause_search.h"
#include "induce/pool.h"
#include "induce/recursion_search.h"

namespace neumann::induce {
namespace {

constexpr unsigned longest_beside_recursion = 3;
constexpr std::size_t worth_of_recursion = 4;  // literals that a recursive program may be longer

class Induction {
public:
    Induction(Task& task, const Limits& limits, const Improved& improved)
        : task_(task), improved_(improved), clock_(limits), clauses_(task, clock_) {
        keep({}, {});
    }

    Induced run() {
        bool out_of_memory = false;
        try {
            search();
        } catch (const std::bad_alloc&) {  // what has been found is kept
            out_of_memory = true;
        }
        best_.stopped = clock_.is_up() || out_of_memory;
        best_.candidates = clauses_.evaluated() + (recursion_ ? recursion_->evaluated() : 0);
        best_.finished_body = clauses_.level();
        best_.shortest = best_.is_right() && !recursion_ && !out_of_memory && (is_proven() || clauses_.is_exhausted());
        best_.seconds = clock_.seconds();
        return best_;
    }

private:
    void search() {
        if (task_.bias.recursion) search_with_recursion();
        for (bool more = true; more && !is_proven() && !clock_.is_up();) {
            more = clauses_.next_level([&] { look_if_due(); });
            look();
        }
    }

    // Where recursion is allowed it is wanted: short clauses without it first, then both in turn, until a right program
    // has been found and the clauses of its lengths are done.
    void search_with_recursion() {
        recursion_.emplace(task_, clock_);
        for (bool more = true; more && !clock_.is_up();) {
            if (clauses_.level() < longest_beside_recursion) {
                clauses_.next_level([&] { look_if_due(); });
                look();
            }
            more = recursion_->next_level([&](const Found& found) { keep(found); });
            if (best_.is_right() && is_recursive(best_)) return;
        }
    }

    bool is_recursive(const Induced& one) const {
        return std::ranges::any_of(one.program, [&](const Clause& clause) {
            return std::ranges::any_of(clause.body,
                                       [&](const Literal& goal) { return goal.predicate == task_.bias.itself(); });
        });
    }

    // Programs are put together again when clauses have come, but not all the time.
    void look_if_due() {
        const bool complete = clauses_.pool().covered().count() == task_.positives.size();
        const double now = clock_.seconds();
        const bool first = complete && !best_.is_right();
        if (first || now > next_look_) look();
    }

    void look() {
        const std::vector<Candidate>& candidates = clauses_.pool().candidates();
        const double before = clock_.seconds();
        CoverLimits limits;
        limits.most_clauses = task_.bias.most_clauses;
        limits.stop = [&] { return clock_.is_up(); };
        bool proven = false;
        const Selection crisp = crisp_cover(candidates, task_.positives.size(), limits, proven);
        keep(crisp, candidates);
        if (!best_.is_right())
            keep(short_cover(candidates, task_.positives.size(), task_.negatives.size(), limits), candidates);
        if (best_.is_right()) clauses_.set_known_size(best_.size);
        const double now = clock_.seconds();
        next_look_ = now + std::max(1.0, 10 * (now - before));
    }

    void keep(const Selection& selection, const std::vector<Candidate>& candidates) {
        Induced one;
        for (const std::size_t c : selection.chosen) one.program.push_back(candidates[c].clause);
        one.size = selection.size;
        one.false_positives = selection.false_positives;
        one.false_negatives = selection.chosen.empty() ? task_.positives.size() : selection.false_negatives;
        keep(std::move(one));
    }

    void keep(const Found& found) {
        Induced one;
        one.program = found.program;
        one.size = found.size;
        one.false_negatives = task_.positives.size() - found.positives.count();
        keep(std::move(one));
    }

    void keep(Induced one) {
        one.true_positives = task_.positives.size() - one.false_negatives;
        one.true_negatives = task_.negatives.size() - one.false_positives;
        one.seconds = clock_.seconds();
        if (has_best_ && !is_better(one)) return;
        has_best_ = true;
        best_ = std::move(one);
        if (improved_) improved_(best_);
    }

    bool is_better(const Induced& one) const {
        if (one.is_right() != best_.is_right()) return one.is_right() && one.size <= most_right_size();
        const auto wrong = [](const Induced& p) { return p.false_positives + p.false_negatives; };
        const auto cost = [&](const Induced& p) {
            return p.size + wrong(p) + (task_.bias.recursion && !is_recursive(p) ? worth_of_recursion : 0);
        };
        return cost(one) != cost(best_) ? cost(one) < cost(best_) : wrong(one) < wrong(best_);
    }
    // A right program that is longer than the labels only repeats them.
    std::size_t most_right_size() const { return std::max<std::size_t>(40, 2 * task_.positives.size()); }

    // A shorter program would need a clause that has not been seen, and that is too long.
    bool is_proven() const { return best_.is_right() && clauses_.is_complete() && clauses_.level() + 2 >= best_.size; }

    Task& task_;
    const Improved& improved_;
    Clock clock_;
    ClauseSearch clauses_;
    Induced best_;
    std::optional<RecursionSearch> recursion_;
    bool has_best_ = false;
    double next_look_ = 1;
};

}  // namespace

Induced induce(Task& task, const Limits& limits, const Improved& improved) {
    return Induction(task, limits, improved).run();
}

}  // namespace neumann::induce
