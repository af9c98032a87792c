#include "worlds/factor_tables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/components.h"
#include "worlds/decision_diagrams.h"

namespace neumann {
namespace {

using Literal = ConditionedProgram::Literal;
using Truth = ConditionedProgram::Truth;
using Node = Circuit::Node;
using Rule = std::vector<Literal>;
using Propositions = std::vector<std::uint32_t>;  // ascending

constexpr std::uint32_t no_variable = UINT32_MAX;
constexpr double rows_per_rule = 16;  // a table with more is made of smaller ones, with auxiliary atoms
constexpr double few_rows = 1024;
constexpr double most_rows = 1U << 22;
constexpr std::size_t most_states = 1U << 16;
constexpr std::size_t most_bits = 64;

// An atom with its rules, or the condition that it has a truth value.
struct Definition {
    std::uint32_t atom;
    std::vector<Rule> rules;
};

class TableMaker {
public:
    TableMaker(const ConditionedProgram& program, std::span<const std::uint32_t> first_way, CircuitBuilder& builder,
               const std::function<void()>& watch)
        : program_(program), first_way_(first_way), builder_(builder), watch_(watch), truth_(program.truth),
          required_(program.required), variable_of_(truth_.size(), no_variable), holds_(truth_.size(), 0),
          single_(truth_.size(), no_variable), variable_of_choice_(program.choices->count(), no_variable),
          rules_with_(program.choices->count(), 0), is_shared_(program.choices->count(), false) {}

    FactorTables run(std::span<const Literal> asked) {
        count_uses(asked);
        for (const std::vector<std::uint32_t>& level : levels_of_atoms()) make_level(level);
        for (std::uint32_t p = 0; p < program_.outcomes(); ++p)
            if (required_[p]) variable_of_choice(program_.choice_of[p]);
        for (const Literal literal : asked) to_.events.push_back(event_of(literal));
        to_.values.reserve(values_.size());
        for (const std::vector<Propositions>& values : values_)
            to_.values.push_back(static_cast<std::uint32_t>(values.size()));
        return std::move(to_);
    }

private:
    bool is_outcome(std::uint32_t p) const { return p < program_.outcomes(); }

    void count_uses(std::span<const Literal> asked) {
        for (const std::uint32_t atom : program_.order) {
            for (const Rule& rule : program_.rules_of(atom))
                for (const Literal literal : rule)
                    if (is_outcome(literal.atom())) ++rules_with_[program_.choice_of[literal.atom()]];
        }
        for (const Literal literal : asked)
            if (is_outcome(literal.atom())) is_shared_[program_.choice_of[literal.atom()]] = true;
        for (std::uint32_t p = 0; p < program_.outcomes(); ++p)
            if (required_[p]) is_shared_[program_.choice_of[p]] = true;
    }

    // The atoms, those that need no other first; the heads of one disjunction are on one level.
    std::vector<std::vector<std::uint32_t>> levels_of_atoms() {
        const auto count = static_cast<std::uint32_t>(program_.order.size());
        std::vector<std::uint32_t> place(truth_.size(), no_variable);
        for (std::uint32_t i = 0; i < count; ++i) place[program_.order[i]] = i;
        std::vector<std::uint32_t> group(count);
        std::iota(group.begin(), group.end(), 0U);
        const auto root = [&](std::uint32_t i) {
            while (group[i] != i) i = group[i] = group[group[i]];
            return i;
        };
        std::map<std::uint32_t, std::uint32_t> head_of_choice;
        for (std::uint32_t i = 0; i < count; ++i) {
            for (const Rule& rule : program_.rules_of(program_.order[i])) {
                for (const Literal literal : rule) {
                    if (!is_outcome(literal.atom())) continue;
                    const std::uint32_t choice = program_.choice_of[literal.atom()];
                    if (program_.choices->members(choice)[0].is_clause)
                        group[root(i)] = root(head_of_choice.try_emplace(choice, i).first->second);
                }
            }
        }
        std::vector<std::vector<std::uint32_t>> below(count);
        const auto connect = [&] {
            for (std::uint32_t i = 0; i < count; ++i) below[i].clear();
            for (std::uint32_t i = 0; i < count; ++i)
                for (const Rule& rule : program_.rules_of(program_.order[i]))
                    for (const Literal literal : rule)
                        if (const std::uint32_t other = place[literal.atom()]; other != no_variable)
                            if (is_open(program_.order[other])) below[root(i)].push_back(root(other));
        };
        const auto successors = [&](std::uint32_t i) -> const std::vector<std::uint32_t>& { return below[i]; };
        connect();
        Components sorted = find_components(count, successors);
        bool goes_round = sorted.count < count;
        for (std::uint32_t i = 0; i < count; ++i)
            goes_round = goes_round || std::ranges::find(below[i], i) != below[i].end();
        if (goes_round) {  // heads that depend on each other
            std::iota(group.begin(), group.end(), 0U);
            connect();
            sorted = find_components(count, successors);
        }
        std::vector<std::uint32_t> in_order(count);
        for (std::uint32_t i = 0; i < count; ++i) in_order[sorted.component[i]] = i;
        std::vector<std::uint32_t> level(count, 0);
        for (const std::uint32_t i : in_order)
            for (const std::uint32_t other : below[i]) level[i] = std::max(level[i], level[other] + 1);
        std::vector<std::vector<std::uint32_t>> levels;
        group_of_.assign(truth_.size(), no_variable);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t on = level[root(i)];
            if (on >= levels.size()) levels.resize(on + 1);
            levels[on].push_back(program_.order[i]);
            group_of_[program_.order[i]] = root(i);
        }
        return levels;
    }
    // Whether others see it as a proposition that may hold or not.
    bool is_open(std::uint32_t p) const { return truth_[p] == Truth::Unknown; }

    // Atoms of a level with the same variables and choices in their rules become one variable.
    void make_level(const std::vector<std::uint32_t>& atoms) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
        std::map<std::vector<std::uint32_t>, std::vector<Definition>> merged;
        for (const std::uint32_t atom : atoms) {
            if (!is_open(atom)) {
                merged[{UINT32_MAX, atom}].push_back({atom, program_.rules_of(atom)});
            } else {
                groups[group_of_[atom]].push_back(atom);
            }
        }
        std::vector<std::uint32_t> signature;
        for (const auto& [group, members] : groups) {
            signature.clear();
            for (const std::uint32_t atom : members)
                for (const Rule& rule : program_.rules_of(atom))
                    for (const Literal literal : rule)
                        signature.push_back(is_outcome(literal.atom()) ? 2 * program_.choice_of[literal.atom()]
                                                                       : 2 * variable_of_[literal.atom()] + 1);
            std::ranges::sort(signature);
            signature.erase(std::unique(signature.begin(), signature.end()), signature.end());
            for (const std::uint32_t atom : members) merged[signature].push_back({atom, program_.rules_of(atom)});
        }
        for (auto& [key, definitions] : merged) define(std::move(definitions));
    }

    struct Parents {
        std::vector<std::uint32_t> variables;
        std::vector<std::uint32_t> inner;  // choices that no other variable sees: they are summed out in the table
        double rows = 1;
    };

    // At most one inner choice per rule: how it comes out decides the rule.
    Parents parents_of(const std::vector<Definition>& definitions) {
        std::map<std::uint32_t, std::uint32_t> uses;  // of choices, here
        for (const Definition& one : definitions)
            for (const Rule& rule : one.rules)
                for (const Literal literal : rule)
                    if (is_outcome(literal.atom())) ++uses[program_.choice_of[literal.atom()]];
        const auto may_be_inner = [&](std::uint32_t choice) {
            return !is_shared_[choice] && variable_of_choice_[choice] == no_variable &&
                   uses[choice] == rules_with_[choice];
        };
        Parents result;
        std::map<std::uint32_t, bool> inner;
        for (const Definition& one : definitions) {
            for (const Rule& rule : one.rules) {
                std::uint32_t first = no_variable;
                for (const Literal literal : rule) {
                    if (!is_outcome(literal.atom())) {
                        result.variables.push_back(variable_of_[literal.atom()]);
                        continue;
                    }
                    const std::uint32_t choice = program_.choice_of[literal.atom()];
                    bool& is_inner = inner.try_emplace(choice, may_be_inner(choice)).first->second;
                    if (!is_inner) continue;
                    if (first != no_variable && first != choice) is_inner = false;
                    if (first == no_variable) first = choice;
                }
            }
        }
        double choices_rows = 1;
        for (const auto& [choice, is_inner] : inner) {
            if (is_inner) {
                result.inner.push_back(choice);
            } else {
                choices_rows *= static_cast<double>(program_.choices->members(choice).size() + 1);
                outer_.push_back(choice);
            }
        }
        std::ranges::sort(result.variables);
        result.variables.erase(std::unique(result.variables.begin(), result.variables.end()), result.variables.end());
        result.rows = choices_rows;
        for (const std::uint32_t variable : result.variables)
            result.rows *= static_cast<double>(values_[variable].size());
        return result;
    }

    void define(std::vector<Definition> definitions) {
        if (watch_) watch_();
        outer_.clear();
        Parents parents = parents_of(definitions);
        double rules = 0;
        for (const Definition& one : definitions) rules += static_cast<double>(one.rules.size());
        if (parents.rows > std::min(std::max(few_rows, rows_per_rule * rules), most_rows)) {
            if (definitions.size() > 1) {
                for (Definition& one : definitions) define({std::move(one)});
                return;
            }
            if (split(definitions[0])) return;
            if (parents.rows > most_rows)
                throw DiagramLimit("a table of an atom and those in its rules has more than 4,000,000 rows");
        }
        for (const std::uint32_t choice : outer_) parents.variables.push_back(variable_of_choice(choice));
        enumerate(definitions, parents);
    }

    std::uint32_t auxiliary() {
        const auto p = static_cast<std::uint32_t>(truth_.size());
        truth_.push_back(Truth::Unknown);
        required_.push_back(false);
        variable_of_.push_back(no_variable);
        holds_.push_back(0);
        single_.push_back(no_variable);
        return p;
    }
    // The conjunction of some literals as one.
    Literal conjunction(const Rule& rule) {
        Literal all = rule[0];
        for (std::size_t i = 1; i < rule.size(); ++i) {
            const std::uint32_t p = auxiliary();
            define({{p, {{all, rule[i]}}}});
            all = Literal(p);
        }
        return all;
    }
    // Whether the atom could be defined by auxiliary atoms with two literals each.
    bool split(const Definition& one) {
        const bool is_small = one.rules.size() <= 2 && std::ranges::all_of(one.rules, [&](const Rule& rule) {
                                  return rule.size() <= (one.rules.size() == 1 ? 2U : 1U);
                              });
        if (is_small) return false;
        if (one.rules.size() == 1) {
            const Rule& rule = one.rules[0];
            const Literal all = conjunction(Rule(rule.begin(), rule.end() - 1));
            define({{one.atom, {{all, rule.back()}}}});
            return true;
        }
        std::vector<Literal> ways;
        for (const Rule& rule : one.rules) ways.push_back(conjunction(rule));
        if (truth_[one.atom] == Truth::False) {  // each is a condition of its own
            for (const Literal way : ways) define({{one.atom, {{way}}}});
            return true;
        }
        Literal any = ways[0];
        for (std::size_t i = 1; i + 1 < ways.size(); ++i) {
            const std::uint32_t p = auxiliary();
            define({{p, {{any}, {ways[i]}}}});
            any = Literal(p);
        }
        define({{one.atom, {{any}, {ways.back()}}}});
        return true;
    }

    std::uint32_t new_variable() {
        values_.emplace_back();
        to_.conditioned.push_back(false);
        return static_cast<std::uint32_t>(values_.size() - 1);
    }
    std::uint32_t variable_of_choice(std::uint32_t choice) {
        std::uint32_t& known = variable_of_choice_[choice];
        if (known != no_variable) return known;
        known = new_variable();
        FactorTable table{{known}, {}};
        for (std::uint32_t way = 0; way <= ways_of(choice); ++way) {
            if (!may_come_out(choice, way)) continue;
            table.rows.push_back({values_[known].size(), Circuit::node_of_way(first_way_[choice] + way)});
            values_[known].push_back(way == 0 ? Propositions() : Propositions{outcome(choice, way)});
        }
        for (std::uint32_t way = 1; way <= ways_of(choice); ++way) variable_of_[outcome(choice, way)] = known;
        if (table.rows.size() + first_possible(choice) <= ways_of(choice)) to_.conditioned[known] = true;
        to_.tables.push_back(std::move(table));
        return known;
    }
    std::uint32_t ways_of(std::uint32_t choice) const {  // but that none of its members happens
        return static_cast<std::uint32_t>(program_.choices->members(choice).size());
    }
    std::uint32_t outcome(std::uint32_t choice, std::uint32_t way) const {
        return program_.first_outcome[choice] + way - 1;
    }
    std::uint32_t first_possible(std::uint32_t choice) const { return program_.choices->complete(choice) ? 1 : 0; }
    bool may_come_out(std::uint32_t choice, std::uint32_t way) const {
        if (way != 0) return truth_[outcome(choice, way)] != Truth::False;
        if (program_.choices->complete(choice)) return false;
        for (std::uint32_t other = 1; other <= ways_of(choice); ++other)
            if (truth_[outcome(choice, other)] == Truth::True) return false;
        return true;
    }

    // A rule in a table: what has to hold of the parents, and of one inner choice.
    struct TableRule {
        std::uint32_t place;  // of its atom among the definitions
        Rule outer;
        std::uint32_t choice = no_variable;
        Rule inner;
    };
    struct State {
        Propositions atoms;
        Node node;
    };

    void enumerate(const std::vector<Definition>& definitions, const Parents& parents) {
        std::vector<TableRule> rules;
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> with;  // per proposition: rules that need it
        std::vector<std::uint32_t> always;
        for (std::uint32_t d = 0; d < definitions.size(); ++d) {
            for (const Rule& rule : definitions[d].rules) {
                TableRule made{d, {}, no_variable, {}};
                std::uint32_t rarest = no_variable;
                for (const Literal literal : rule) {
                    const std::uint32_t p = literal.atom();
                    if (is_outcome(p) && std::ranges::binary_search(parents.inner, program_.choice_of[p])) {
                        made.choice = program_.choice_of[p];
                        made.inner.push_back(literal);
                        continue;
                    }
                    made.outer.push_back(literal);
                    if (literal.negated()) continue;
                    const auto size = [&](std::uint32_t of) { return values_[variable_of_[of]].size(); };
                    if (rarest == no_variable || size(p) > size(rarest)) rarest = p;
                }
                (rarest == no_variable ? always : with[rarest]).push_back(static_cast<std::uint32_t>(rules.size()));
                rules.push_back(std::move(made));
            }
        }
        const bool is_condition = !is_open(definitions[0].atom);
        const bool wanted = truth_[definitions[0].atom] == Truth::True;
        const std::uint32_t self = is_condition ? no_variable : new_variable();
        if (!is_condition)
            for (const Definition& one : definitions) variable_of_[one.atom] = self;
        FactorTable table{parents.variables, {}};
        std::vector<std::uint32_t> shift;
        std::uint32_t bits = 0;
        for (const std::uint32_t variable : parents.variables) {
            shift.push_back(bits);
            bits += bits_for(values_[variable].size());
        }
        std::vector<std::uint32_t> candidates;
        std::vector<State> states;
        bool dropped = false;
        const auto add_rows = [&](std::uint64_t key) {
            candidates = always;
            for (std::size_t i = 0; i < parents.variables.size(); ++i)
                for (const std::uint32_t p : values_[parents.variables[i]][place_[i]])
                    if (const auto found = with.find(p); found != with.end())
                        candidates.insert(candidates.end(), found->second.begin(), found->second.end());
            find_states(definitions, rules, candidates, states);
            for (State& state : states) {
                if (is_condition) {
                    if (state.atoms.empty() == wanted) {
                        dropped = true;
                    } else {
                        table.rows.push_back({key, state.node});
                    }
                    continue;
                }
                const std::uint64_t value = value_of(self, std::move(state.atoms));
                table.rows.push_back({bits == 0 ? value : key | value << bits, state.node});
            }
            if (watch_ && (++looked_ & 0xfff) == 0) watch_();
            if (static_cast<double>(table.rows.size()) > 4 * most_rows)
                throw DiagramLimit("a table of atoms and those in their rules has more than 16,000,000 rows");
        };
        for_each_assignment(parents.variables, shift, add_rows);
        if (!is_condition) {
            table.variables.push_back(self);
            bits += bits_for(values_[self].size());
        }
        if (bits > most_bits) throw DiagramLimit("a table has keys of more than 64 bits");
        if (dropped)
            for (const std::uint32_t variable : table.variables) to_.conditioned[variable] = true;
        to_.tables.push_back(std::move(table));
    }

    // Calls each(key) for all values of the parents, with place_ and holds_ set.
    template <class Each>
    void for_each_assignment(const std::vector<std::uint32_t>& parents, const std::vector<std::uint32_t>& shift,
                             const Each& each) {
        place_.assign(parents.size(), 0);
        const auto mark = [&](std::size_t i, std::uint8_t with) {
            for (const std::uint32_t p : values_[parents[i]][place_[i]]) holds_[p] = with;
        };
        for (std::size_t i = 0; i < parents.size(); ++i) {
            if (values_[parents[i]].empty()) return unmark(parents, i);
            mark(i, 1);
        }
        for (bool more = true; more;) {
            std::uint64_t key = 0;
            for (std::size_t i = 0; i < parents.size(); ++i) key |= std::uint64_t{place_[i]} << shift[i];
            each(key);
            more = false;
            for (std::size_t i = 0; i < parents.size() && !more; ++i) {
                mark(i, 0);
                more = ++place_[i] < values_[parents[i]].size();
                if (!more) place_[i] = 0;
                mark(i, 1);
            }
        }
        unmark(parents, parents.size());
    }
    void unmark(const std::vector<std::uint32_t>& parents, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            for (const std::uint32_t p : values_[parents[i]][place_[i]]) holds_[p] = 0;
    }

    // The sets of atoms that hold for the current values of the parents, each with its probability.
    void find_states(const std::vector<Definition>& definitions, const std::vector<TableRule>& rules,
                     const std::vector<std::uint32_t>& candidates, std::vector<State>& states) {
        Propositions sure;
        live_.clear();
        for (const std::uint32_t r : candidates) {
            const TableRule& rule = rules[r];
            const bool open = std::ranges::all_of(
                rule.outer, [&](Literal literal) { return (holds_[literal.atom()] != 0) != literal.negated(); });
            if (!open) continue;
            if (rule.choice == no_variable) {
                sure.push_back(definitions[rule.place].atom);
            } else {
                live_.emplace_back(rule.choice, r);
            }
        }
        std::ranges::sort(sure);
        sure.erase(std::unique(sure.begin(), sure.end()), sure.end());
        states.clear();
        states.push_back({std::move(sure), Circuit::always});
        std::ranges::sort(live_);
        for (std::size_t begin = 0, end = 0; begin < live_.size(); begin = end) {
            const std::uint32_t choice = live_[begin].first;
            while (end < live_.size() && live_[end].first == choice) ++end;
            std::map<Propositions, std::vector<CircuitBuilder::Term>> next;
            for (std::uint32_t way = first_possible(choice); way <= ways_of(choice); ++way) {
                Propositions heads;
                for (std::size_t i = begin; i < end; ++i) {
                    const TableRule& rule = rules[live_[i].second];
                    const bool holds = std::ranges::all_of(rule.inner, [&](Literal literal) {
                        return (way != 0 && literal.atom() == outcome(choice, way)) != literal.negated();
                    });
                    if (holds) heads.push_back(definitions[rule.place].atom);
                }
                std::ranges::sort(heads);
                for (const State& state : states) {
                    Propositions all;
                    std::ranges::set_union(state.atoms, heads, std::back_inserter(all));
                    all.erase(std::unique(all.begin(), all.end()), all.end());
                    next[std::move(all)].push_back({state.node, Circuit::node_of_way(first_way_[choice] + way)});
                }
            }
            states.clear();
            if (next.size() > most_states)
                throw DiagramLimit("atoms that depend on the same choices can hold together in more than 65,536 ways");
            for (auto& [atoms, terms] : next) states.push_back({atoms, builder_.sum(terms)});
        }
    }

    std::uint32_t value_of(std::uint32_t variable, Propositions atoms) {
        std::vector<Propositions>& values = values_[variable];
        const auto add = [&] {
            values.push_back(atoms);
            return static_cast<std::uint32_t>(values.size() - 1);
        };
        if (atoms.size() == 1) {
            std::uint32_t& known = single_[atoms[0]];
            if (known == no_variable) known = add();
            return known;
        }
        const auto [known, is_new] = known_values_.try_emplace({variable, atoms}, 0);
        if (is_new) known->second = add();
        return known->second;
    }

    FactorTables::Event event_of(Literal literal) {
        const std::uint32_t p = literal.atom();
        const std::uint32_t variable = is_outcome(p) ? variable_of_choice(program_.choice_of[p]) : variable_of_[p];
        FactorTables::Event event{variable, {}};
        for (std::uint32_t v = 0; v < values_[variable].size(); ++v) {
            const bool holds = std::ranges::binary_search(values_[variable][v], p);
            if (holds != literal.negated()) event.values.push_back(v);
        }
        return event;
    }

    const ConditionedProgram& program_;
    std::span<const std::uint32_t> first_way_;
    CircuitBuilder& builder_;
    const std::function<void()>& watch_;
    // Per proposition; auxiliary atoms stand after those of the program.
    std::vector<Truth> truth_;
    std::vector<bool> required_;
    std::vector<std::uint32_t> variable_of_;
    std::vector<std::uint8_t> holds_;    // with the current values of the parents
    std::vector<std::uint32_t> single_;  // the value of its variable in which it is the only one that holds
    std::vector<std::uint32_t> group_of_;
    // Per choice.
    std::vector<std::uint32_t> variable_of_choice_;
    std::vector<std::uint32_t> rules_with_;
    std::vector<bool> is_shared_;
    std::vector<std::uint32_t> outer_;
    std::vector<std::vector<Propositions>> values_;  // per variable and value: what holds
    std::map<std::pair<std::uint32_t, Propositions>, std::uint32_t> known_values_;
    std::vector<std::uint32_t> place_;                           // of the value of each parent
    std::vector<std::pair<std::uint32_t, std::uint32_t>> live_;  // choices and rules
    std::uint64_t looked_ = 0;
    FactorTables to_;
};

}  // namespace

std::uint32_t bits_for(std::uint64_t values) {
    return values <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(values - 1));
}

FactorTables make_factor_tables(const ConditionedProgram& program, std::span<const Literal> asked,
                                std::span<const std::uint32_t> first_way, CircuitBuilder& builder,
                                const std::function<void()>& watch) {
    return TableMaker(program, first_way, builder, watch).run(asked);
}

}  // namespace neumann
