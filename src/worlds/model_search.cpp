#include "worlds/model_search.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/memory.h"
#include "worlds/circuit_builder.h"
#include "worlds/conditioned_program.h"
#include "worlds/decision_diagrams.h"

namespace neumann {
namespace {

using Literal = ConditionedProgram::Literal;
using Node = Circuit::Node;
using Clause = std::vector<Literal>;
using Numbers = std::vector<std::uint32_t>;

constexpr std::size_t most_things = 6'000;  // they are decided one inside the other
constexpr std::uint64_t decisions_between_looks = 1U << 8;

Literal opposite(Literal literal) { return Literal(literal.atom(), !literal.negated()); }

// Clauses that hold if and only if the conditions do, by the definitions of all atoms. Outcomes of one choice exclude
// each other beside.
struct ClauseSet {
    std::uint32_t variables = 0;
    std::vector<Clause> clauses;
};

class ClauseWriter {
public:
    explicit ClauseWriter(const ConditionedProgram& program) : program_(program) {
        to_.variables = program.propositions();
    }

    ClauseSet run() {
        for (const std::uint32_t atom : program_.order) {
            if (program_.truth[atom] == ConditionedProgram::Truth::False) {
                for (const auto& rule : program_.rules_of(atom)) forbid(rule);
                continue;
            }
            Clause any;
            for (const auto& rule : program_.rules_of(atom)) any.push_back(of_rule(rule));
            if (program_.truth[atom] == ConditionedProgram::Truth::Unknown) {
                for (const Literal way : any) to_.clauses.push_back({Literal(atom), opposite(way)});
                any.emplace_back(atom, true);
            }
            to_.clauses.push_back(std::move(any));
        }
        for (Clause& clause : to_.clauses) {
            std::ranges::sort(clause);
            clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        }
        std::erase_if(to_.clauses, [](const Clause& clause) {  // always true
            return std::ranges::adjacent_find(clause, {}, &Literal::atom) != clause.end();
        });
        return std::move(to_);
    }

private:
    void forbid(const Clause& rule) {
        Clause clause;
        for (const Literal literal : rule) clause.push_back(opposite(literal));
        to_.clauses.push_back(std::move(clause));
    }
    Literal of_rule(const Clause& rule) {
        if (rule.size() == 1) return rule[0];
        const Literal all(to_.variables++);
        Clause back{all};
        for (const Literal literal : rule) {
            to_.clauses.push_back({opposite(all), literal});
            back.push_back(opposite(literal));
        }
        to_.clauses.push_back(std::move(back));
        return all;
    }

    const ConditionedProgram& program_;
    ClauseSet to_;
};

struct HashOfNumbers {
    std::size_t operator()(const Numbers& numbers) const {
        WordHash hash(static_cast<std::uint32_t>(numbers.size()));
        for (const std::uint32_t one : numbers) hash.add(one);
        return hash.finish();
    }
};

class Searcher {
public:
    Searcher(const ConditionedProgram& program, std::span<const std::uint32_t> first_way, CircuitBuilder& builder,
             const CompileLimits& limits)
        : program_(program), first_way_(first_way), builder_(builder), limits_(limits),
          set_(ClauseWriter(program).run()), value_(set_.variables, unknown), uses_(2 * std::size_t{set_.variables}),
          true_in_(set_.clauses.size(), 0), false_in_(set_.clauses.size(), 0), thing_of_(set_.variables) {
        for (std::uint32_t c = 0; c < set_.clauses.size(); ++c)
            for (const Literal literal : set_.clauses[c]) uses_[literal.code()].push_back(c);
        for (std::uint32_t choice = 0; choice < program.choices->count(); ++choice) {
            Thing thing{choice, {}};
            for (std::uint32_t p = program.first_outcome[choice]; p < program.first_outcome[choice + 1]; ++p)
                thing.variables.push_back(p);
            add(std::move(thing));
        }
        for (std::uint32_t v = program.outcomes(); v < set_.variables; ++v) add({no_choice, {v}});
        state_.resize(things_.size());
        clause_seen_.resize(set_.clauses.size(), 0);
    }

    Node run() {
        bool possible = true;
        for (std::uint32_t p = 0; p < program_.outcomes(); ++p)
            if (program_.truth[p] != ConditionedProgram::Truth::Unknown)
                possible = possible && assign(Literal(p, program_.truth[p] == ConditionedProgram::Truth::False));
        for (const Clause& clause : set_.clauses) {
            if (clause.empty()) possible = false;
            if (clause.size() == 1) possible = possible && assign(clause[0]);
        }
        if (!possible || !propagate()) return Circuit::never;
        // Atoms without clauses are those that no condition depends on: they are whatever they are.
        Numbers all;
        for (std::uint32_t t = 0; t < things_.size(); ++t) {
            const bool used = std::ranges::any_of(things_[t].variables, [&](std::uint32_t v) {
                return !uses_[2 * std::size_t{v}].empty() || !uses_[2 * std::size_t{v} + 1].empty();
            });
            if (used || things_[t].choice != no_choice) all.push_back(t);
        }
        if (all.size() > most_things) throw DiagramLimit(fmt::format("{} things to decide by search", all.size()));
        return rest_of(all);
    }

private:
    static constexpr std::uint8_t unknown = 2;
    static constexpr std::uint32_t no_choice = UINT32_MAX;
    // A choice with its outcomes, or an atom.
    struct Thing {
        std::uint32_t choice;
        Numbers variables;
    };
    struct State {
        std::uint32_t seen = 0;  // in which round
        double weight = 0;       // how much it is constrained
    };

    void add(Thing thing) {
        for (const std::uint32_t v : thing.variables) thing_of_[v] = static_cast<std::uint32_t>(things_.size());
        things_.push_back(std::move(thing));
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
            for (const std::uint32_t c : uses_[opposite(literal).code()]) {
                ++false_in_[c];
                if (possible && true_in_[c] == 0) possible = follow(set_.clauses[c], false_in_[c]);
            }
            const Thing& thing = things_[thing_of_[literal.atom()]];
            if (literal.negated() || thing.choice == no_choice) continue;
            for (const std::uint32_t other : thing.variables)
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
                for (const std::uint32_t c : uses_[opposite(literal).code()]) --false_in_[c];
            }
            value_[literal.atom()] = unknown;
            trail_.pop_back();
            next_ = std::min(next_, trail_.size());
        }
    }

    // The way in which a choice has come out, or `no_choice`.
    std::uint32_t way_of(const Thing& thing) const {
        for (std::uint32_t i = 0; i < thing.variables.size(); ++i) {
            if (value_[thing.variables[i]] == 1) return i + 1;
            if (value_[thing.variables[i]] == unknown) return no_choice;
        }
        return 0;
    }
    Node way_node(const Thing& thing, std::uint32_t way) const {
        return Circuit::node_of_way(first_way_[thing.choice] + way);
    }
    bool is_decided(const Thing& thing) const {
        return thing.choice == no_choice ? value_[thing.variables[0]] != unknown : way_of(thing) != no_choice;
    }
    std::uint32_t first_possible(const Thing& thing) const { return program_.choices->complete(thing.choice) ? 1 : 0; }
    Node any_way(const Thing& thing) {
        std::vector<CircuitBuilder::Term> terms;
        if (thing.choice == no_choice) {
            terms.assign(2, {Circuit::always, Circuit::always});
        } else {
            for (std::uint32_t way = first_possible(thing); way <= thing.variables.size(); ++way)
                if (way == 0 || value_[thing.variables[way - 1]] == unknown)
                    terms.push_back({Circuit::always, way_node(thing, way)});
        }
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
            } else if (thing.choice != no_choice) {
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
            state_[t] = {round, 0};
            for (std::size_t next = 0; next < members.size(); ++next) reach(members[next], round, members, clauses);
        }
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
        for (const std::uint32_t v : things_[t].variables) {
            if (value_[v] != unknown) continue;
            for (const std::uint32_t code : {2 * v, 2 * v + 1}) {
                for (const std::uint32_t c : uses_[code]) {
                    if (true_in_[c] != 0 || clause_seen_[c] == round) continue;
                    clause_seen_[c] = round;
                    clauses.push_back(c);
                    for (const Literal literal : set_.clauses[c]) {
                        const std::uint32_t other = thing_of_[literal.atom()];
                        if (value_[literal.atom()] != unknown || state_[other].seen == round) continue;
                        state_[other].seen = round;
                        members.push_back(other);
                    }
                }
            }
        }
    }

    // The most constrained: short clauses count most.
    std::uint32_t most_constrained(const Numbers& members, const Numbers& clauses) {
        for (const std::uint32_t t : members) state_[t].weight = 0;
        for (const std::uint32_t c : clauses) {
            const std::size_t open = set_.clauses[c].size() - false_in_[c];
            const double weight = open <= 2 ? 4 : open == 3 ? 1 : 0.25;
            for (const Literal literal : set_.clauses[c])
                if (value_[literal.atom()] == unknown) state_[thing_of_[literal.atom()]].weight += weight;
        }
        const auto weight = [&](std::uint32_t t) {
            return state_[t].weight / static_cast<double>(things_[t].variables.size());
        };
        std::uint32_t best = members[0];
        for (const std::uint32_t t : members)
            if (weight(t) > weight(best) || (weight(t) == weight(best) && t < best)) best = t;
        return best;
    }

    Node solve(Numbers& members, Numbers& clauses) {
        std::ranges::sort(members);
        std::ranges::sort(clauses);
        Numbers key;
        for (const std::uint32_t t : members)
            for (const std::uint32_t v : things_[t].variables)
                if (value_[v] == unknown) key.push_back(v);
        key.push_back(UINT32_MAX);
        key.insert(key.end(), clauses.begin(), clauses.end());
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        look_round(key.size());
        const Thing& thing = things_[most_constrained(members, clauses)];
        std::vector<CircuitBuilder::Term> terms;
        const auto attempt = [&](std::span<const Literal> literals) {
            const std::size_t mark = trail_.size();
            bool possible = true;
            for (const Literal literal : literals) possible = possible && assign(literal);
            if (propagate() && possible) terms.push_back({Circuit::always, rest_of(members)});
            undo(mark);
        };
        Clause none;
        for (const std::uint32_t v : thing.variables) {
            if (value_[v] != unknown) continue;
            const Literal holds(v);
            attempt({&holds, 1});
            none.emplace_back(v, true);
        }
        if (thing.choice == no_choice || first_possible(thing) == 0) attempt(none);
        const Node node = builder_.sum(terms);
        known_.emplace(std::move(key), node);
        return node;
    }
    void look_round(std::size_t key) {
        cache_bytes_ += key * sizeof(std::uint32_t) + 64;
        ++decisions_;
        if (decisions_ > limits_.steps) throw DiagramLimit(fmt::format("the search took {} decisions", decisions_));
        if (cache_bytes_ + builder_.bytes() > limits_.bytes)
            throw DiagramLimit(fmt::format("the search takes {}", format_bytes(cache_bytes_ + builder_.bytes())));
        if (limits_.watch && decisions_ % decisions_between_looks == 0)
            limits_.watch(0, things_.size(), builder_.nodes());
    }

    const ConditionedProgram& program_;
    std::span<const std::uint32_t> first_way_;
    CircuitBuilder& builder_;
    const CompileLimits& limits_;
    ClauseSet set_;
    std::vector<std::uint8_t> value_;  // per variable: 0, 1 or unknown
    std::vector<Numbers> uses_;        // per literal: the clauses that have it
    Numbers true_in_;                  // per clause: how many of its literals
    Numbers false_in_;
    Numbers thing_of_;  // per variable
    std::vector<Thing> things_;
    std::vector<State> state_;  // per thing
    Numbers clause_seen_;
    std::uint32_t round_ = 0;
    std::vector<Literal> trail_;
    std::size_t next_ = 0;  // in the trail: counted up to here
    std::unordered_map<Numbers, Node, HashOfNumbers> known_;
    std::uint64_t cache_bytes_ = 0;
    std::uint64_t decisions_ = 0;
};

}  // namespace

Circuit search_circuit(const ReasoningGraph& graph, const WorldsTask& task, const RandomChoices& choices,
                       const CompileLimits& limits) {
    Circuit circuit;
    Numbers used(choices.count());
    std::iota(used.begin(), used.end(), 0U);
    const Numbers first_way = add_distributions(choices, used, circuit);
    CircuitBuilder builder(circuit);
    const auto probability = [&](std::span<const GraphLiteral> conditions) {
        const ConditionedProgram program = condition_program(graph, choices, {}, conditions);
        if (program.has_cycles) throw DiagramLimit("uncertain atoms depend on themselves");
        return program.possible ? Searcher(program, first_way, builder, limits).run() : Circuit::never;
    };
    std::vector<GraphLiteral> conditions = task.observed;
    circuit.observed = probability(conditions);
    for (const std::uint32_t atom : task.asked) {
        conditions.emplace_back(atom);
        circuit.asked.push_back(probability(conditions));
        conditions.pop_back();
    }
    builder.finish(circuit);
    return circuit;
}

}  // namespace neumann
