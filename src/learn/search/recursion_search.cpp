#include "learn/search/recursion_search.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace neumann::search {
namespace {

constexpr unsigned short_base = 2;
constexpr unsigned longest_base = 3;
constexpr unsigned long_bases_from = 3;  // goals of the recursive clauses
constexpr unsigned most_own = 2;         // goals of its own predicate in a clause
constexpr std::size_t most_bases = 1'000;
constexpr std::size_t most_frontier = 400'000;
constexpr std::size_t most_kept = 200;  // programs that cover some positives
constexpr std::size_t most_extended = 30;
constexpr std::size_t most_clauses = 5;
constexpr std::size_t most_answers = 50;  // of a base to one call
constexpr std::uint64_t steps_of_atom = 3'000;
constexpr std::uint64_t work_of_program = 400;
constexpr std::uint64_t work_of_answer = 1;  // that is known
constexpr std::uint64_t no_answers = 1;      // the fingerprint of none

}  // namespace

RecursionSearch::RecursionSearch(const Bias& bias, Task& task, const Dependencies& dependencies, Wanted wanted)
    : bias_(bias), base_bias_(bias), task_(task), work_(*task.work), wanted_(wanted),
      join_(base_bias_, task.relations, work_), dependencies_(dependencies), calls_(bias.arity() + 1),
      score_(score_of(task)), best_cost_(score_.cost(0, 0, task.positives.size())) {
    for (Predicate& predicate : bias_.body) predicate.usable = predicate.usable && predicate.kind != GoalKind::Same;
    Node& root = frontier_.emplace_back();
    root.clause.variables = static_cast<std::uint8_t>(bias_.arity());
    root.positives = Bits(task.positives.size(), true);
    base_frontier_ = {root.clause};
    for (unsigned goals = 1; goals <= std::min(short_base, bias_.most_body); ++goals) find_bases(goals);
}

// Clauses without recursion that cover no negative; they need not cover a positive, as [] often has no label.
void RecursionSearch::find_bases(unsigned goals) {
    std::vector<Clause> next;
    SeenForms seen;
    for (const Clause& clause : std::exchange(base_frontier_, {})) {
        for (const Literal& goal : refinements(clause, base_bias_, false)) {
            if (work_.is_over()) return;
            if (dependencies_.is_superfluous(clause, goal)) continue;
            const std::optional<Clause> one = new_form(clause, goal, bias_, seen, work_);
            if (!one) continue;
            if (goals < longest_base) next.push_back(*one);
            if (!is_whole(*one, bias_) || bases_.size() >= most_bases || !is_allowed(*one)) continue;
            ++evaluated_;
            const auto holds = [&](const std::vector<Value>& atom) { return join_.holds(*one, atom); };
            std::size_t wrong = 0;
            const std::size_t most = wanted_.tolerant ? most_negatives(one->body.size() + 1, 0) : 0;
            for (std::size_t n = 0; n < task_.negatives.size() && wrong <= most; ++n)
                wrong += holds(task_.negatives[n]);
            if (wrong > most) continue;
            Base base{*one, Bits(task_.positives.size()), has_needed(*one), {}};
            bool right = true;
            for (std::size_t p = 0; p < task_.positives.size() && right; ++p) {
                if (holds(task_.positives[p])) base.positives.set(p);
                right = !wanted_.functional || !gives_others(*one, task_.positives[p]);
            }
            right = right && wrong * task_.positives.size() <= base.positives.count() * task_.negatives.size();
            if (right && !work_.is_over()) bases_.push_back(std::move(base));
        }
    }
    base_frontier_ = std::move(next);
}

// Whether it gives other outputs for the inputs.
bool RecursionSearch::gives_others(const Clause& clause, const std::vector<Value>& atom) {
    return join_.each(clause, atom, bias_.head.inputs, nullptr,
                      [&](std::span<const Value> tuple) { return !std::ranges::equal(tuple, atom); });
}

bool RecursionSearch::has_needed(const Clause& clause) const {
    return !wanted_.needed ||
           std::ranges::any_of(clause.body, [&](const Literal& goal) { return goal.predicate == *wanted_.needed; });
}

bool RecursionSearch::is_allowed(const Clause& clause) const {
    return !bias_.filter || bias_.filter->allows_somewhere(clause, bias_);
}

bool RecursionSearch::is_loose(const Clause& clause) const {
    std::array<unsigned, most_variables> uses{};
    for (std::size_t a = 0; a < bias_.arity(); ++a) ++uses[a];
    for (const Literal& goal : clause.body) {
        for (std::size_t a = 0; a < bias_.of(goal).types.size(); ++a) ++uses[goal.args[a]];
    }
    return std::any_of(uses.begin(), uses.begin() + clause.variables, [](unsigned count) { return count == 1; });
}

// Recursive clauses with one goal more, then programs of them: those without loose variables with short bases first.
// The others, and long bases, wait until clauses with one more goal have been tried.
bool RecursionSearch::advance(const FoundProgram& found) {
    while (!work_.is_over()) {
        bool done = false;
        if (stage_ == Stage::Grow) {
            const unsigned last = bias_.most_body + (bias_.most_body >= longest_base ? 1 : 0);  // for long bases alone
            if (level_ >= last || (frontier_.empty() && tight_.empty())) return false;
            done = grow();
        } else if (stage_ == Stage::Pair) {
            done = pair_all(next_tight_, tight_, false, found);
        } else if (stage_ == Stage::Extend) {
            done = extend_all(found);
        } else {
            if (level_ >= long_bases_from && bias_.most_body >= longest_base && !base_frontier_.empty() &&
                next_postponed_ == 0)
                find_bases(longest_base);
            done = pair_all(next_loose_, loose_, false, found) &&
                   (level_ < long_bases_from || pair_all(next_postponed_, postponed_, true, found));
        }
        if (!done) return !work_.is_over();
        if (stage_ == Stage::Postponed) {
            stage_ = Stage::Grow;
            return true;
        }
        stage_ = static_cast<Stage>(static_cast<std::uint8_t>(stage_) + 1);
    }
    return false;
}

bool RecursionSearch::grow() {
    if (level_ >= bias_.most_body) frontier_.clear();
    for (; position_ < frontier_.size(); ++position_) {
        if (work_.slice_is_over()) return false;
        refine(frontier_[position_]);
        if (next_.size() > most_frontier) break;
    }
    ++level_;
    position_ = 0;
    if (level_ > long_bases_from) postponed_.clear();
    postponed_.insert(postponed_.end(), tight_.begin(), tight_.end());
    tight_.clear();
    loose_.clear();
    next_tight_ = next_loose_ = next_postponed_ = 0;
    for (const Node& node : next_) {
        if (node.own == 0 || !is_whole(node.clause, bias_) || !uses_what_it_calls(node)) continue;
        if (!is_allowed(node.clause)) continue;
        (node.loose ? loose_ : tight_).push_back(steps_.size());
        steps_.push_back(node);
    }
    frontier_ = std::exchange(next_, {});
    seen_.clear();
    return true;
}

bool RecursionSearch::pair_all(std::size_t& next, const std::vector<std::size_t>& steps, bool long_bases,
                               const FoundProgram& found) {
    for (; next < steps.size(); ++next) {
        if (work_.slice_is_over()) return false;
        pair_up(steps_[steps[next]], long_bases, found);
    }
    return true;
}

void RecursionSearch::refine(const Node& node) {
    for (const Literal& goal : refinements(node.clause, bias_, node.own < most_own)) {
        if (dependencies_.is_superfluous(node.clause, goal)) continue;
        std::optional<Clause> form = new_form(node.clause, goal, bias_, seen_, work_);
        if (!form) continue;
        Node one{std::move(*form), Bits(task_.positives.size()), node.own + (goal.predicate == bias_.itself() ? 1 : 0),
                 false, false};
        const Clause possible = relaxed(one.clause);
        node.positives.each([&](std::size_t p) {
            if (join_.holds(possible, task_.positives[p])) one.positives.set(p);
        });
        one.loose = is_loose(one.clause);
        one.needed = has_needed(one.clause);
        if (work_.is_over()) return;
        const bool grows = !bias_.filter || bias_.filter->may_grow(one.clause, bias_);
        if (grows && !one.positives.none()) next_.push_back(std::move(one));
    }
}

// The goals that can be evaluated without the clause's own predicate: an upper bound of its coverage.
Clause RecursionSearch::relaxed(const Clause& clause) const {
    Clause result{{}, clause.variables};
    std::uint32_t bound = (1U << bias_.arity()) - 1;
    std::vector<bool> taken(clause.body.size(), false);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t g = 0; g < clause.body.size(); ++g) {
            const Literal& literal = clause.body[g];
            if (taken[g] || literal.predicate == bias_.itself()) continue;
            const Relation& relation = task_.relations[literal.predicate];
            bool ready = true;
            std::uint32_t used = 0;
            for (std::size_t a = 0; a < relation.arity(); ++a) {
                used |= 1U << literal.args[a];
                if ((relation.inputs() >> a & 1U) != 0 && (bound >> literal.args[a] & 1U) == 0) ready = false;
            }
            if (!ready) continue;
            taken[g] = more = true;
            bound |= used;
            result.body.push_back(literal);
        }
    }
    return result;
}

bool RecursionSearch::evaluate(Found& program, const Bits& before, const Bits& possible,
                               std::optional<std::size_t>& wrong) {
    if (bias_.filter && !bias_.filter->allows(program.program, bias_)) return false;
    std::vector<const Clause*> clauses;
    for (const Clause& clause : program.program) clauses.push_back(&clause);
    ++evaluated_;
    work_.add(work_of_program);
    Program runs(bias_, task_.relations, clauses, steps_of_atom, work_);
    if (wrong && !wanted_.tolerant && runs.covers(task_.negatives[*wrong])) return false;
    program.positives = before;
    bool more = false;
    possible.each([&](std::size_t p) {
        if (runs.gave_up() || program.positives.has(p) || !runs.covers(task_.positives[p])) return;
        program.positives.set(p);
        more = true;
    });
    if (!more || runs.gave_up()) return false;
    const std::size_t most = wanted_.tolerant ? most_negatives(program.size, 0) : 0;
    program.false_positives = 0;
    for (std::size_t n = 0; n < task_.negatives.size(); ++n) {
        const bool covered = runs.covers(task_.negatives[n]);
        if (covered) wrong = n;
        if ((covered && ++program.false_positives > most) || runs.gave_up()) return false;
    }
    return !wanted_.functional || std::ranges::all_of(task_.positives, [&](const auto& atom) {
        const TupleTable& rows = runs.solve(atom, bias_.head.inputs);
        return !runs.gave_up() &&
               (rows.size() == 0 || (rows.size() == 1 && std::equal(atom.begin(), atom.end(), rows.tuple(0))));
    });
}

// Whether some output of each call of itself occurs elsewhere.
bool RecursionSearch::uses_what_it_calls(const Node& node) const {
    const Bias& bias = bias_;
    const Mask all = (Mask{1} << bias.arity()) - 1;
    if (bias.head.inputs == 0 || bias.head.inputs == all) return true;
    return std::ranges::all_of(node.clause.body, [&](const Literal& own) {
        if (own.predicate != bias.itself()) return true;
        for (std::size_t a = 0; a < bias.arity(); ++a) {
            if ((bias.head.inputs >> a & 1U) != 0) continue;
            if (own.args[a] < bias.arity()) return true;
            for (const Literal& other : node.clause.body) {
                const auto* end = other.args.begin() + bias.of(other).types.size();
                if (other != own && std::find(other.args.begin(), end, own.args[a]) != end) return true;
            }
        }
        return false;
    });
}

std::vector<std::uint32_t> RecursionSearch::calls_of(const Node& node) {
    work_.add(work_of_program);
    Program alone(bias_, task_.relations, {&node.clause}, steps_of_atom / 10, work_);
    node.positives.each([&](std::size_t p) {
        if (!alone.gave_up()) alone.covers(task_.positives[p]);
    });
    std::vector<std::uint32_t> all;
    if (alone.gave_up()) return all;
    const TupleTable& calls = alone.calls();
    for (std::uint32_t c = 0; c < calls.size(); ++c) all.push_back(calls_.add(calls.tuple(c)).first);
    return all;
}

std::uint64_t RecursionSearch::answers_of(Base& base, std::uint32_t call) {
    if (base.answers.size() < calls_.size()) base.answers.resize(calls_.size(), 0);
    std::uint64_t& known = base.answers[call];
    if (known != 0) return known;
    const Value* asked = calls_.tuple(call);
    std::vector<std::vector<Value>> all;
    join_.each(base.clause, {asked + 1, bias_.arity()}, asked[0], nullptr, [&](std::span<const Value> tuple) {
        all.emplace_back(tuple.begin(), tuple.end());
        return all.size() >= most_answers;
    });
    std::ranges::sort(all);
    known = no_answers;
    for (const auto& tuple : all) known = known * 0x9e3779b97f4a7c15ULL + TupleHash()(tuple) + 1;
    return known = std::max(known, no_answers);
}

std::vector<std::pair<RecursionSearch::Base*, std::uint64_t>>
RecursionSearch::bases_for(const std::vector<std::uint32_t>& calls, bool long_bases) {
    std::vector<std::pair<Base*, std::uint64_t>> fitting;
    for (Base& base : bases_) {
        const bool is_long = base.clause.body.size() > short_base;
        if (is_long && !long_bases) continue;
        if (work_.is_over()) return {};
        work_.add(work_of_answer * calls.size());
        std::uint64_t all = 0;
        base.positives.each([&](std::size_t p) { all = (all ^ p) * 0xff51afd7ed558ccdULL + 1; });
        bool answers = false;
        for (const std::uint32_t call : calls) {
            const std::uint64_t one = answers_of(base, call);
            answers = answers || one != no_answers;
            all = (all ^ one) * 0xff51afd7ed558ccdULL + 1;
        }
        if (answers) fitting.emplace_back(&base, all);
    }
    return fitting;
}

// Of bases that answer the same, a longer one is of use only if the shorter ones cover a negative.
void RecursionSearch::pair_up(const Node& node, bool long_bases, const FoundProgram& found) {
    std::unordered_map<std::uint64_t, std::optional<std::size_t>> tried;  // answers: a negative that is covered
    for (const auto& [base, answers] : bases_for(calls_of(node), long_bases)) {
        if (work_.is_over()) return;
        if ((base->clause.body.size() > short_base) != long_bases) continue;
        const auto [known, is_new] = tried.try_emplace(answers);
        if (!is_new && (!known->second || wanted_.tolerant)) continue;
        if (node.positives.beyond(base->positives) == 0) continue;
        Found program{{base->clause, node.clause}, base->clause.body.size() + node.clause.body.size() + 2, {}};
        std::optional<std::size_t> wrong = known->second;
        const bool fits = evaluate(program, base->positives, node.positives, wrong);
        known->second = wrong;
        if (fits) offer(std::move(program), base->needed || node.needed, found);
    }
}

// Programs of few clauses first, and of equally many clauses those that cover most.
void RecursionSearch::rank_partials() {
    std::ranges::stable_sort(partials_, [](const Partial& a, const Partial& b) {
        const std::size_t many = a.program.positives.count();
        const std::size_t few = b.program.positives.count();
        const std::size_t less = a.program.program.size();
        const std::size_t more = b.program.program.size();
        if (less != more) return less < more;
        return many != few ? many > few : a.program.size < b.program.size;
    });
    std::vector<Partial> kept;
    std::map<std::size_t, std::size_t> counts;
    for (Partial& one : partials_) {
        if (++counts[one.program.program.size()] <= most_kept) kept.push_back(std::move(one));
    }
    partials_ = std::move(kept);
}

// Programs with the clauses that they lack. The extended ones have their turn at the next level.
bool RecursionSearch::extend_all(const FoundProgram& found) {
    const std::size_t most = bias_.most_clauses == 0 ? most_clauses : bias_.most_clauses;
    if (next_partial_ == 0) {
        rank_partials();
        end_of_partials_ = partials_.size();
    }
    std::map<std::size_t, std::size_t> counts;
    for (std::size_t k = 0; k < end_of_partials_; ++k) {
        const std::size_t clauses = partials_[k].program.program.size();
        const bool taken = ++counts[clauses] <= (clauses == 2 ? 2 : 1) * most_extended;
        if (k < next_partial_ || clauses >= most || !taken) continue;
        if (!extend_by_all(k, found)) return false;
        next_partial_ = k + 1;
    }
    next_partial_ = 0;
    return true;
}

bool RecursionSearch::extend_by_all(std::size_t number, const FoundProgram& found) {
    for (; partials_[number].tried_bases < bases_.size(); ++partials_[number].tried_bases) {
        if (work_.slice_is_over()) return false;
        const Base& base = bases_[partials_[number].tried_bases];
        extend(number, base.clause, base.needed, found);
    }
    for (; partials_[number].tried_steps < steps_.size(); ++partials_[number].tried_steps) {
        if (work_.slice_is_over()) return false;
        const Node& node = steps_[partials_[number].tried_steps];
        if (!node.loose && node.positives.beyond(partials_[number].program.positives) > 0)
            extend(number, node.clause, node.needed, found);
    }
    return true;
}

void RecursionSearch::extend(std::size_t number, const Clause& clause, bool needed, const FoundProgram& found) {
    const Found& before = partials_[number].program;
    if (std::ranges::find(before.program, clause) != before.program.end()) return;
    Found both{before.program, before.size + clause.body.size() + 1, {}};
    both.program.push_back(clause);
    std::optional<std::size_t> wrong;
    if (evaluate(both, before.positives, Bits(task_.positives.size(), true), wrong))
        offer(std::move(both), partials_[number].needed || needed, found);
}

std::size_t RecursionSearch::most_negatives(std::size_t literals, std::size_t false_negatives) const {
    std::size_t fits = 0;
    std::size_t more = task_.negatives.size() + 1;
    while (more - fits > 1) {  // the cost grows with the negatives
        const std::size_t middle = fits + (more - fits) / 2;
        (score_.cost(literals, middle, false_negatives) < best_cost_ ? fits : more) = middle;
    }
    return fits;
}

void RecursionSearch::offer(Found program, bool needed, const FoundProgram& found) {
    const std::size_t positives = program.positives.count();
    const double cost = score_.cost(program.size, program.false_positives, task_.positives.size() - positives);
    const bool better =
        wanted_.tolerant ? cost < best_cost_
                         : positives > best_positives_ || (positives == best_positives_ && program.size < best_size_);
    if (better && needed) {
        best_cost_ = cost;
        best_positives_ = positives;
        best_size_ = program.size;
        found(program);
    }
    if (positives < task_.positives.size() && partials_.size() < 20 * most_kept)
        partials_.push_back({std::move(program), needed, 0, 0});
}

}  // namespace neumann::search
