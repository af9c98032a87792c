#include "induce/recursion_search.h"

#include <algorithm>
#include <utility>

#include "induce/refine.h"

namespace neumann::induce {
namespace {

constexpr unsigned longest_base = 3;
constexpr unsigned most_own = 2;  // goals of its own predicate in a clause
constexpr std::size_t most_bases = 1'000;
constexpr std::size_t most_kept = 200;    // programs of one base
constexpr std::size_t most_answers = 50;  // of a base to one call
constexpr std::uint64_t steps_of_atom = 3'000;

}  // namespace

RecursionSearch::RecursionSearch(Task& task, const Clock& clock)
    : task_(task), clock_(clock), join_(task.bias, task.relations), dependencies_(task.bias, task.relations) {
    Node& root = frontier_.emplace_back();
    root.clause.variables = static_cast<std::uint8_t>(task.bias.arity());
    root.positives = Bits(task.positives.size(), true);
    find_bases();
}

// Clauses without recursion that cover no negative; they need not cover a positive, as [] often has no label.
void RecursionSearch::find_bases() {
    std::vector<Clause> level = {{{}, static_cast<std::uint8_t>(task_.bias.arity())}};
    for (unsigned size = 1; size <= longest_base; ++size) {
        std::vector<Clause> next;
        for (const Clause& clause : level) {
            for (const Literal& goal : refinements(clause, task_.bias, false)) {
                if (clock_.is_up()) return;
                if (dependencies_.is_superfluous(clause, goal)) continue;
                const Clause one = canonical(with_goal(clause, goal, task_.bias), task_.bias);
                if (!seen_.insert(fingerprint(one).first).second) continue;
                next.push_back(one);
                if (!is_whole(one, task_.bias) || bases_.size() >= most_bases) continue;
                ++evaluated_;
                const auto holds = [&](const std::vector<Value>& atom) { return join_.holds(one, atom); };
                if (std::ranges::any_of(task_.negatives, holds)) continue;
                Base base{one, Bits(task_.positives.size()), {}, {}};
                for (std::size_t p = 0; p < task_.positives.size(); ++p) {
                    if (holds(task_.positives[p])) base.positives.set(p);
                }
                bases_.push_back(std::move(base));
            }
        }
        level = std::move(next);
    }
    seen_.clear();
}

bool RecursionSearch::next_level(const std::function<void(const Found&)>& found) {
    if (level_ >= task_.bias.most_body || frontier_.empty()) return false;
    std::vector<Node> next;
    seen_.clear();
    for (const Node& node : std::exchange(frontier_, {})) {
        if (clock_.is_up()) return false;
        refine(node, next);
    }
    ++level_;
    for (const Node& node : next) {
        if (clock_.is_up()) return false;
        if (node.own > 0 && is_whole(node.clause, task_.bias)) pair_up(node, found);
    }
    frontier_ = std::move(next);
    return !frontier_.empty();
}

void RecursionSearch::refine(const Node& node, std::vector<Node>& next) {
    for (const Literal& goal : refinements(node.clause, task_.bias, node.own < most_own)) {
        if (dependencies_.is_superfluous(node.clause, goal)) continue;
        Node one{canonical(with_goal(node.clause, goal, task_.bias), task_.bias), Bits(task_.positives.size()),
                 node.own + (goal.predicate == task_.bias.itself() ? 1 : 0)};
        if (!seen_.insert(fingerprint(one.clause).first).second) continue;
        const Clause possible = relaxed(one.clause);
        node.positives.each([&](std::size_t p) {
            if (join_.holds(possible, task_.positives[p])) one.positives.set(p);
        });
        if (!one.positives.none()) next.push_back(std::move(one));
        if (clock_.is_up()) return;
    }
}

// The goals that can be evaluated without the clause's own predicate: what they do not hold for, it does not cover.
Clause RecursionSearch::relaxed(const Clause& clause) const {
    Clause result{{}, clause.variables};
    std::uint32_t bound = (1U << task_.bias.arity()) - 1;
    std::vector<bool> taken(clause.body.size(), false);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t g = 0; g < clause.body.size(); ++g) {
            const Literal& literal = clause.body[g];
            if (taken[g] || literal.predicate == task_.bias.itself()) continue;
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

bool RecursionSearch::evaluate(Found& program, const Bits& before, const Bits& possible) {
    std::vector<const Clause*> clauses;
    for (const Clause& clause : program.program) clauses.push_back(&clause);
    ++evaluated_;
    Program runs(task_.bias, task_.relations, clauses, steps_of_atom);
    program.positives = before;
    bool more = false;
    possible.each([&](std::size_t p) {
        if (runs.gave_up() || program.positives.has(p) || !runs.covers(task_.positives[p])) return;
        program.positives.set(p);
        more = true;
    });
    return more && !runs.gave_up() &&
           std::ranges::none_of(task_.negatives, [&](const auto& atom) { return runs.covers(atom) || runs.gave_up(); });
}

// Whether some output of each call of itself occurs elsewhere.
bool RecursionSearch::uses_what_it_calls(const Node& node) const {
    const Bias& bias = task_.bias;
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

std::vector<std::vector<Value>> RecursionSearch::calls_of(const Node& node) {
    Program alone(task_.bias, task_.relations, {&node.clause}, steps_of_atom / 10);
    node.positives.each([&](std::size_t p) {
        if (!alone.gave_up()) alone.covers(task_.positives[p]);
    });
    return alone.gave_up() ? std::vector<std::vector<Value>>() : alone.calls();
}

std::uint64_t RecursionSearch::answers_of(Base& base, const std::vector<Value>& call) {
    const auto [found, added] = base.answers.try_emplace(call, 0);
    if (!added) return found->second;
    std::vector<Value> head(task_.bias.arity(), 0);
    for (std::size_t a = 0, next = 1; a < head.size(); ++a) {
        if ((call[0] >> a & 1U) != 0) head[a] = call[next++];
    }
    std::vector<std::vector<Value>> all;
    join_.each(base.clause, head, call[0], nullptr, [&](std::span<const Value> tuple) {
        all.emplace_back(tuple.begin(), tuple.end());
        return all.size() >= most_answers;
    });
    std::ranges::sort(all);
    std::uint64_t fingerprint_of_all = 0;
    for (const auto& tuple : all)
        fingerprint_of_all = fingerprint_of_all * 0x9e3779b97f4a7c15ULL + TupleHash()(tuple) + 1;
    return found->second = fingerprint_of_all;
}

// Bases that answer some call, and of those that answer the same the first, which is the shortest.
std::vector<RecursionSearch::Base*> RecursionSearch::bases_for(const std::vector<std::vector<Value>>& calls) {
    std::vector<Base*> fitting;
    std::unordered_set<std::uint64_t> known;
    for (Base& base : bases_) {
        std::uint64_t all = 0;
        bool answers = false;
        for (const std::vector<Value>& call : calls) {
            const std::uint64_t one = answers_of(base, call);
            answers = answers || one != 0;
            all = (all ^ one) * 0xff51afd7ed558ccdULL + 1;
        }
        if (answers && known.insert(all).second) fitting.push_back(&base);
    }
    return fitting;
}

void RecursionSearch::pair_up(const Node& node, const std::function<void(const Found&)>& found) {
    if (!uses_what_it_calls(node)) return;
    for (Base* base : bases_for(calls_of(node))) {
        if (clock_.is_up()) return;
        if (node.positives.beyond(base->positives) == 0) continue;
        Found program{{base->clause, node.clause}, base->clause.body.size() + node.clause.body.size() + 2, {}};
        if (!evaluate(program, base->positives, node.positives)) continue;
        offer(program, found);
        join(*base, program, found);
    }
}

// With what is there already for the same base, where more is covered together.
void RecursionSearch::join(Base& base, const Found& added, const std::function<void(const Found&)>& found) {
    const std::size_t most = task_.bias.most_clauses == 0 ? 5 : task_.bias.most_clauses;
    const Clause& clause = added.program.back();
    const std::size_t before = base.programs.size();
    for (std::size_t k = 0; k < before && base.programs.size() < most_kept; ++k) {
        if (clock_.is_up()) return;
        const Found other = base.programs[k];  // the list grows
        if (other.program.size() >= most || added.positives.within(other.positives)) continue;
        Found both{other.program, other.size + clause.body.size() + 1, {}};
        both.program.push_back(clause);
        if (!evaluate(both, other.positives, Bits(task_.positives.size(), true))) continue;
        offer(both, found);
        if (both.program.size() < most && 2 * both.positives.count() >= task_.positives.size())
            base.programs.push_back(std::move(both));
    }
    if (base.programs.size() < most_kept) base.programs.push_back(added);
}

void RecursionSearch::offer(const Found& program, const std::function<void(const Found&)>& found) {
    const std::size_t positives = program.positives.count();
    if (positives < best_positives_ || (positives == best_positives_ && program.size >= best_size_)) return;
    best_positives_ = positives;
    best_size_ = program.size;
    found(program);
}

}  // namespace neumann::induce
