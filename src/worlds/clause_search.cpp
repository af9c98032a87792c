#include "worlds/clause_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/memory.h"
#include "worlds/decision_diagrams.h"
#include "worlds/separator_order.h"

namespace neumann {
namespace {

using Literal = ClauseProblem::Literal;
using Node = Circuit::Node;
using Clause = ClauseProblem::Clause;
using Thing = ClauseProblem::Thing;
using Role = ClauseProblem::Role;
using Numbers = std::vector<std::uint32_t>;

constexpr unsigned deepest = 10'000;  // decisions one inside the other
constexpr std::uint64_t decisions_between_looks = 1U << 8;

struct HashOfNumbers {
    std::size_t operator()(const Numbers& numbers) const {
        WordHash hash(static_cast<std::uint32_t>(numbers.size()));
        for (const std::uint32_t one : numbers) hash.add(one);
        return hash.finish();
    }
};

class Searcher {
public:
    Searcher(const ClauseProblem& problem, CircuitBuilder& builder, const CompileLimits& limits)
        : builder_(builder), limits_(limits), clauses_(problem.clauses), things_(problem.things), given_(problem.given),
          value_(problem.propositions, unknown), uses_(2 * std::size_t{problem.propositions}),
          true_in_(clauses_.size(), 0), false_in_(clauses_.size(), 0), thing_of_(problem.propositions),
          state_(things_.size()), clause_seen_(clauses_.size(), 0) {
        for (std::uint32_t c = 0; c < clauses_.size(); ++c)
            for (const Literal literal : clauses_[c]) uses_[literal.code()].push_back(c);
        for (std::uint32_t t = 0; t < things_.size(); ++t)
            for (const std::uint32_t p : things_[t].propositions) thing_of_[p] = t;
    }

    Node run() {
        bool possible = std::ranges::all_of(given_, [&](Literal literal) { return assign(literal); });
        for (const Clause& clause : clauses_) {
            if (clause.empty()) possible = false;
            if (clause.size() == 1) possible = possible && assign(clause[0]);
        }
        if (!possible || !propagate()) return Circuit::never;
        // Defined things without clauses are those that no condition depends on: they are whatever they are.
        Numbers all;
        for (std::uint32_t t = 0; t < things_.size(); ++t)
            if (things_[t].role == Role::Choice || is_used(things_[t])) all.push_back(t);
        find_order();
        return rest_of(all);
    }

private:
    static constexpr std::uint8_t unknown = 2;
    static constexpr std::uint32_t undecided = UINT32_MAX;
    struct State {
        std::uint32_t seen = 0;  // in which round
        double weight = 0;       // how much it is constrained
        double early = 0;        // how much its separator counts
    };

    bool is_used(const Thing& thing) const {
        return std::ranges::any_of(thing.propositions, [&](std::uint32_t p) {
            return !uses_[2 * std::size_t{p}].empty() || !uses_[2 * std::size_t{p} + 1].empty();
        });
    }

    // Separators count as much as they are small: they lead to components, constraints to propagation.
    void find_order() {
        std::vector<Numbers> edges;
        for (const Clause& clause : clauses_) {
            Numbers edge;
            for (const Literal literal : clause)
                if (value_[literal.atom()] == unknown) edge.push_back(thing_of_[literal.atom()]);
            const bool holds = std::ranges::any_of(clause, [&](Literal literal) {
                return value_[literal.atom()] != unknown && (value_[literal.atom()] == 1) != literal.negated();
            });
            if (!holds && edge.size() > 1) edges.push_back(std::move(edge));
        }
        const auto watch = [&] {
            if (limits_.watch) limits_.watch(0, things_.size(), builder_.nodes());
        };
        const auto count = static_cast<std::uint32_t>(things_.size());
        const SeparatorOrder order = separator_order(count, edges, watch);
        if (order.depth.empty()) return;
        const double share = static_cast<double>(count) / std::max(order.width, 1U);
        const double weight = std::min(100.0 * std::exp(share) / count, 1e7);
        for (std::uint32_t t = 0; t < count; ++t) state_[t].early = weight * (1 - order.depth[t]);
    }

    bool assign(Literal literal) {
        const auto value = static_cast<std::uint8_t>(literal.negated() ? 0 : 1);
        std::uint8_t& now = value_[literal.atom()];
        if (now != unknown) return now == value;
        now = value;
        trail_.push_back(literal);
        return true;
    }
    // What follows from the assignments that were not looked at yet. Counts all of them, so that they can be undone.
    bool propagate() {
        bool possible = true;
        for (; next_ < trail_.size(); ++next_) {
            const Literal literal = trail_[next_];
            for (const std::uint32_t c : uses_[literal.code()]) ++true_in_[c];
            for (const std::uint32_t c : uses_[Literal(literal.atom(), !literal.negated()).code()]) {
                ++false_in_[c];
                if (possible && true_in_[c] == 0) possible = follow(clauses_[c], false_in_[c]);
            }
            const Thing& thing = things_[thing_of_[literal.atom()]];
            if (literal.negated() || thing.role != Role::Choice) continue;
            for (const std::uint32_t other : thing.propositions)
                if (other != literal.atom()) possible = possible && assign(Literal(other, true));
        }
        return possible;
    }
    bool follow(const Clause& clause, std::uint32_t false_ones) {
        if (false_ones == clause.size()) return false;
        if (false_ones + 1 < clause.size()) return true;
        for (const Literal literal : clause) {
            if (value_[literal.atom()] == unknown) return assign(literal);
            if ((value_[literal.atom()] == 1) != literal.negated()) return true;  // will be counted
        }
        return false;
    }
    void undo(std::size_t to) {
        while (trail_.size() > to) {
            const Literal literal = trail_.back();
            if (trail_.size() <= next_) {
                for (const std::uint32_t c : uses_[literal.code()]) --true_in_[c];
                for (const std::uint32_t c : uses_[Literal(literal.atom(), !literal.negated()).code()]) --false_in_[c];
            }
            value_[literal.atom()] = unknown;
            trail_.pop_back();
            next_ = std::min(next_, trail_.size());
        }
    }

    // The way in which a choice has come out, or `undecided`.
    std::uint32_t way_of(const Thing& thing) const {
        for (std::uint32_t i = 0; i < thing.propositions.size(); ++i) {
            if (value_[thing.propositions[i]] == 1) return i + 1;
            if (value_[thing.propositions[i]] == unknown) return undecided;
        }
        return 0;
    }
    static Node way_node(const Thing& thing, std::uint32_t way) { return Circuit::node_of_way(thing.first_way + way); }
    bool is_decided(const Thing& thing) const {
        return thing.role == Role::Choice ? way_of(thing) != undecided : value_[thing.propositions[0]] != unknown;
    }
    static std::uint32_t first_possible(const Thing& thing) { return thing.complete ? 1 : 0; }
    Node any_way(const Thing& thing) {
        if (thing.role != Role::Choice) return Circuit::always;
        std::vector<CircuitBuilder::Term> terms;
        for (std::uint32_t way = first_possible(thing); way <= thing.propositions.size(); ++way)
            if (way == 0 || value_[thing.propositions[way - 1]] == unknown)
                terms.push_back({Circuit::always, way_node(thing, way)});
        return builder_.sum(terms);
    }

    // Of things that were not decided before the last assignments: the product of their weights and components.
    Node rest_of(const Numbers& things) {
        Node all = Circuit::always;
        Numbers open;
        for (const std::uint32_t t : things) {
            const Thing& thing = things_[t];
            if (!is_decided(thing)) {
                open.push_back(t);
            } else if (thing.role == Role::Choice) {
                all = builder_.product(all, way_node(thing, way_of(thing)));
            }
        }
        ++round_;
        const std::uint32_t round = round_;
        std::vector<std::pair<Numbers, Numbers>> components;  // things and clauses
        for (const std::uint32_t t : open) {
            if (state_[t].seen == round) continue;
            auto& [members, clauses] = components.emplace_back();
            members.push_back(t);
            state_[t].seen = round;
            for (std::size_t next = 0; next < members.size(); ++next) reach(members[next], round, members, clauses);
        }
        // Small ones first: if one of them cannot be, the others need not be searched.
        std::ranges::stable_sort(components, {}, [](const auto& one) { return one.first.size(); });
        for (auto& [members, clauses] : components) {
            if (all == Circuit::never) break;
            if (clauses.empty()) {
                for (const std::uint32_t t : members) all = builder_.product(all, any_way(things_[t]));
            } else {
                all = builder_.product(all, solve(members, clauses));
            }
        }
        return all;
    }
    void reach(std::uint32_t t, std::uint32_t round, Numbers& members, Numbers& clauses) {
        for (const std::uint32_t p : things_[t].propositions) {
            if (value_[p] != unknown) continue;
            for (const std::uint32_t code : {2 * p, 2 * p + 1}) {
                for (const std::uint32_t c : uses_[code]) {
                    if (true_in_[c] != 0 || clause_seen_[c] == round) continue;
                    clause_seen_[c] = round;
                    clauses.push_back(c);
                    for (const Literal literal : clauses_[c]) {
                        const std::uint32_t other = thing_of_[literal.atom()];
                        if (value_[literal.atom()] != unknown || state_[other].seen == round) continue;
                        state_[other].seen = round;
                        members.push_back(other);
                    }
                }
            }
        }
    }

    // Choices before the hidden; then the most constrained, where short clauses count most, and early separators.
    std::uint32_t next_thing(const Numbers& members, const Numbers& clauses) {
        for (const std::uint32_t t : members) state_[t].weight = 0;
        for (const std::uint32_t c : clauses) {
            const std::size_t open = clauses_[c].size() - false_in_[c];
            const double weight = open <= 2 ? 4 : open == 3 ? 1 : 0.25;
            for (const Literal literal : clauses_[c])
                if (value_[literal.atom()] == unknown) state_[thing_of_[literal.atom()]].weight += weight;
        }
        const auto rank = [&](std::uint32_t t) {
            const double weight = state_[t].weight / static_cast<double>(things_[t].propositions.size());
            return std::pair(things_[t].role != Role::Hidden, weight + state_[t].early);
        };
        std::uint32_t best = members[0];
        for (const std::uint32_t t : members)
            if (rank(t) > rank(best)) best = t;
        return best;
    }

    Node solve(Numbers& members, Numbers& clauses) {
        std::ranges::sort(members);
        std::ranges::sort(clauses);
        // Of two propositions without a value their clauses hold no more than they did at first.
        Numbers key;
        for (const std::uint32_t t : members)
            for (const std::uint32_t p : things_[t].propositions)
                if (value_[p] == unknown) key.push_back(p);
        key.push_back(UINT32_MAX);
        for (const std::uint32_t c : clauses)
            if (clauses_[c].size() > 2) key.push_back(c);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        look(key.size());
        const std::uint32_t next = next_thing(members, clauses);
        const Thing& thing = things_[next];
        std::vector<CircuitBuilder::Term> terms;
        const auto attempt = [&](std::span<const Literal> literals) {
            const std::size_t mark = trail_.size();
            bool possible = true;
            for (const Literal literal : literals) possible = possible && assign(literal);
            if (propagate() && possible) terms.push_back({Circuit::always, rest_of(members)});
            undo(mark);
        };
        if (++depth_ > deepest) throw DiagramLimit(fmt::format("the search is {} decisions deep", deepest));
        Clause none;
        const auto is_found = [&] {  // one model is enough
            return thing.role == Role::Hidden && !terms.empty() && terms.back().right == Circuit::always;
        };
        for (const std::uint32_t p : thing.propositions) {
            if (value_[p] != unknown) continue;
            const Literal holds(p);
            attempt({&holds, 1});
            none.emplace_back(p, true);
        }
        if ((thing.role != Role::Choice || first_possible(thing) == 0) && !is_found()) attempt(none);
        --depth_;
        const Node node = is_found() ? Circuit::always : builder_.sum(terms);
        known_.emplace(std::move(key), node);
        return node;
    }
    void look(std::size_t key) {
        cache_bytes_ += key * sizeof(std::uint32_t) + 64;
        ++decisions_;
        if (decisions_ > limits_.steps) throw DiagramLimit(fmt::format("the search took {} decisions", decisions_));
        if (cache_bytes_ + builder_.bytes() > limits_.bytes)
            throw DiagramLimit(fmt::format("the search takes {}", format_bytes(cache_bytes_ + builder_.bytes())));
        if (limits_.watch && decisions_ % decisions_between_looks == 0)
            limits_.watch(0, things_.size(), builder_.nodes());
    }

    CircuitBuilder& builder_;
    const CompileLimits& limits_;
    const std::vector<Clause>& clauses_;
    const std::vector<Thing>& things_;
    const std::vector<Literal>& given_;
    std::vector<std::uint8_t> value_;  // per proposition: 0, 1 or unknown
    std::vector<Numbers> uses_;        // per literal: the clauses that have it
    Numbers true_in_;                  // per clause: how many of its literals
    Numbers false_in_;
    Numbers thing_of_;          // per proposition
    std::vector<State> state_;  // per thing
    Numbers clause_seen_;
    std::uint32_t round_ = 0;
    std::vector<Literal> trail_;
    std::size_t next_ = 0;  // in the trail: counted up to here
    std::unordered_map<Numbers, Node, HashOfNumbers> known_;
    unsigned depth_ = 0;
    std::uint64_t cache_bytes_ = 0;
    std::uint64_t decisions_ = 0;
};

}  // namespace

Circuit::Node search_models(const ClauseProblem& problem, CircuitBuilder& builder, const CompileLimits& limits) {
    return Searcher(problem, builder, limits).run();
}

}  // namespace neumann
