#include "worlds/conditioned_program.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/components.h"

namespace neumann {
namespace {

using Literal = ConditionedProgram::Literal;
using Truth = ConditionedProgram::Truth;
using Rule = std::vector<Literal>;

Truth truth_if(bool holds) { return holds ? Truth::True : Truth::False; }

class Conditioner {
public:
    Conditioner(const ReasoningGraph& graph, const RandomChoices& choices) : graph_(graph), choices_(choices) {
        to_.choices = &choices;
        to_.first_outcome.push_back(0);
        for (std::uint32_t choice = 0; choice < choices.count(); ++choice) {
            const auto members = static_cast<std::uint32_t>(choices.members(choice).size());
            to_.first_outcome.push_back(to_.first_outcome.back() + members);
            to_.choice_of.insert(to_.choice_of.end(), members, choice);
        }
        number_.assign(graph.atom_count(), 0);
        std::uint32_t next = to_.outcomes();
        for (const std::uint32_t atom : choices.atoms()) number_[atom] = next++;
        to_.truth.assign(next, Truth::Unknown);
        to_.required.assign(next, false);
        users_.resize(next);
        queued_.assign(next, false);
        for (const std::uint32_t atom : choices.atoms()) to_.rules.push_back(rules_of(atom));
        for (std::uint32_t p = to_.outcomes(); p < next; ++p) {
            for (const Rule& rule : to_.rules_of(p))
                for (const Literal literal : rule) users_[literal.atom()].push_back(p);
            examine_later(p);
        }
    }

    ConditionedProgram run(std::span<const std::uint32_t> asked, std::span<const GraphLiteral> observed) {
        propagate();
        std::vector<Literal> roots;
        for (const std::uint32_t atom : asked) roots.emplace_back(number_[atom]);
        for (const GraphLiteral literal : observed) roots.emplace_back(number_[literal.atom()]);
        sort_atoms(roots);
        if (to_.has_cycles) {
            drop_unfounded();
            to_.has_cycles = false;
            sort_atoms(roots);
        }
        if (to_.has_cycles) return std::move(to_);
        // Without cycles an atom holds if and only if one of its rules does, so that knowledge goes both ways.
        for (const GraphLiteral literal : observed) require(Literal(number_[literal.atom()], literal.negated()));
        propagate();
        if (to_.possible) replace_aliases();
        if (!to_.possible) return std::move(to_);
        roots.clear();
        to_.graph_values.resize(graph_.atom_count());
        for (const std::uint32_t atom : choices_.atoms()) to_.graph_values[atom] = value(Literal(number_[atom]));
        for (const std::uint32_t atom : asked)
            if (to_.graph_values[atom].truth == Truth::Unknown) roots.push_back(to_.graph_values[atom].literal);
        for (std::uint32_t p = to_.outcomes(); p < to_.propositions(); ++p)
            if (to_.required[p]) roots.emplace_back(p);
        sort_atoms(roots);
        return std::move(to_);
    }

private:
    std::vector<Rule> rules_of(std::uint32_t atom) const {
        std::vector<Rule> rules;
        if (const RandomChoices::Outcome outcome = choices_.of_atom(atom); outcome.random()) {
            rules.push_back({Literal(to_.proposition(outcome))});
        } else if (graph_.initial[atom] >= 1.0F) {
            rules.emplace_back();
        }
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
            Rule rule;
            for (const GraphLiteral literal : graph_.literals(c))
                rule.emplace_back(number_[literal.atom()], literal.negated());
            if (const RandomChoices::Outcome outcome = choices_.of_conjunction(c); outcome.random())
                rule.emplace_back(to_.proposition(outcome));
            rules.push_back(std::move(rule));
        }
        return rules;
    }
    std::vector<Rule>& rules(std::uint32_t atom) { return to_.rules[atom - to_.outcomes()]; }
    bool is_atom(std::uint32_t p) const { return p >= to_.outcomes(); }

    void examine_later(std::uint32_t p) {
        if (!is_atom(p) || queued_[p]) return;
        queued_[p] = true;
        queue_.push_back(p);
    }
    void set(std::uint32_t p, Truth truth) {
        if (to_.truth[p] == truth) return;
        if (to_.truth[p] != Truth::Unknown) {
            to_.possible = false;
            return;
        }
        to_.truth[p] = truth;
        for (const std::uint32_t user : users_[p]) examine_later(user);
    }
    void require(Literal literal) {
        const std::uint32_t p = literal.atom();
        const Truth truth = truth_if(!literal.negated());
        if (to_.truth[p] == truth) return;
        set(p, truth);
        to_.required[p] = true;
        examine_later(p);
        if (is_atom(p) || truth != Truth::True) return;
        const std::uint32_t choice = to_.choice_of[p];
        for (std::uint32_t other = to_.first_outcome[choice]; other < to_.first_outcome[choice + 1]; ++other)
            if (other != p) set(other, Truth::False);
    }

    void propagate() {
        while (!queue_.empty() && to_.possible) {
            const std::uint32_t atom = queue_.front();
            queue_.pop_front();
            queued_[atom] = false;
            examine(atom);
        }
    }
    bool is(Literal literal, bool holds) const {
        return to_.truth[literal.atom()] == truth_if(holds != literal.negated());
    }
    void simplify(std::vector<Rule>& some) const {
        std::erase_if(some, [&](const Rule& rule) {
            return std::ranges::any_of(rule, [&](Literal literal) { return is(literal, false); });
        });
        for (Rule& rule : some) std::erase_if(rule, [&](Literal literal) { return is(literal, true); });
    }
    void examine(std::uint32_t atom) {
        std::vector<Rule>& own = rules(atom);
        const bool decided = to_.truth[atom] != Truth::Unknown && !to_.required[atom];
        if (decided) return;
        simplify(own);
        if (std::ranges::any_of(own, &Rule::empty)) return decide(atom, Truth::True);
        if (own.empty()) return decide(atom, Truth::False);
        if (!to_.required[atom]) return;
        if (to_.truth[atom] == Truth::True) {
            if (own.size() > 1) return;
            const Rule only = std::move(own[0]);
            decide(atom, Truth::True);
            for (const Literal literal : only) require(literal);
            return;
        }
        Rule refuted;
        for (const Rule& rule : own)
            if (rule.size() == 1) refuted.push_back(rule[0]);
        std::erase_if(own, [](const Rule& rule) { return rule.size() == 1; });
        if (own.empty()) decide(atom, Truth::False);
        for (const Literal literal : refuted) require(Literal(literal.atom(), !literal.negated()));
    }
    // Nothing is left to require of it.
    void decide(std::uint32_t atom, Truth truth) {
        set(atom, truth);
        to_.required[atom] = false;
        rules(atom).clear();
    }

    // Atoms that only support each other are false.
    void drop_unfounded() {
        for (bool any = true; any;) {
            any = false;
            std::vector<bool> founded(to_.propositions(), false);
            std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> waiting(to_.propositions());
            std::vector<std::vector<std::uint32_t>> missing(to_.rules.size());
            std::vector<std::uint32_t> found;
            const auto add = [&](std::uint32_t p) {
                if (founded[p]) return;
                founded[p] = true;
                found.push_back(p);
            };
            for (std::uint32_t p = to_.outcomes(); p < to_.propositions(); ++p) {
                const std::vector<Rule>& own = to_.rules_of(p);
                missing[p - to_.outcomes()].assign(own.size(), 0);
                for (std::uint32_t r = 0; r < own.size(); ++r) {
                    for (const Literal literal : own[r]) {
                        if (literal.negated() || !is_atom(literal.atom()) || is(literal, true)) continue;
                        ++missing[p - to_.outcomes()][r];
                        waiting[literal.atom()].emplace_back(p, r);
                    }
                    if (missing[p - to_.outcomes()][r] == 0) add(p);
                }
            }
            for (std::size_t next = 0; next < found.size(); ++next)
                for (const auto& [p, r] : waiting[found[next]])
                    if (--missing[p - to_.outcomes()][r] == 0) add(p);
            for (std::uint32_t p = to_.outcomes(); p < to_.propositions(); ++p) {
                if (to_.truth[p] != Truth::Unknown || founded[p]) continue;
                decide(p, Truth::False);
                any = true;
            }
            propagate();
        }
    }

    // The atoms on which some depend, each after those it depends on itself.
    void sort_atoms(std::span<const Literal> roots) {
        std::vector<std::uint32_t> needed;
        std::vector<std::uint32_t> place(to_.propositions(), UINT32_MAX);
        const auto need = [&](std::uint32_t p) {
            const bool open = is_atom(p) && (to_.truth[p] == Truth::Unknown || to_.required[p]);
            if (!open || place[p] != UINT32_MAX) return;
            place[p] = static_cast<std::uint32_t>(needed.size());
            needed.push_back(p);
        };
        for (const Literal root : roots) need(root.atom());
        for (std::size_t next = 0; next < needed.size(); ++next)
            for (const Rule& rule : to_.rules_of(needed[next]))
                for (const Literal literal : rule) need(literal.atom());
        std::vector<std::vector<std::uint32_t>> below(needed.size());
        for (std::size_t i = 0; i < needed.size(); ++i) {
            for (const Rule& rule : to_.rules_of(needed[i])) {
                for (const Literal literal : rule) {
                    if (place[literal.atom()] == i) to_.has_cycles = true;
                    if (place[literal.atom()] != UINT32_MAX) below[i].push_back(place[literal.atom()]);
                }
            }
        }
        const Components sorted =
            find_components(static_cast<std::uint32_t>(needed.size()),
                            [&](std::uint32_t i) -> const std::vector<std::uint32_t>& { return below[i]; });
        to_.has_cycles = to_.has_cycles || sorted.count < needed.size();
        to_.order.clear();
        if (to_.has_cycles) return;
        to_.order.resize(needed.size());
        for (std::size_t i = 0; i < needed.size(); ++i) to_.order[sorted.component[i]] = needed[i];
    }

    // An atom whose only rule is one literal is that literal.
    void replace_aliases() {
        alias_.assign(to_.propositions(), Literal());
        for (std::uint32_t p = 0; p < to_.propositions(); ++p) alias_[p] = Literal(p);
        const std::vector<std::uint32_t> order = to_.order;
        for (const std::uint32_t atom : order) {
            if (to_.truth[atom] != Truth::Unknown && !to_.required[atom]) continue;
            std::vector<Rule>& own = rules(atom);
            simplify(own);
            for (Rule& rule : own) {
                for (Literal& literal : rule) {
                    const Literal other = alias_[literal.atom()];
                    literal = Literal(other.atom(), other.negated() != literal.negated());
                }
                std::ranges::sort(rule);
                rule.erase(std::unique(rule.begin(), rule.end()), rule.end());
            }
            std::erase_if(own, [&](const Rule& rule) { return contradicts(rule); });
            std::ranges::sort(own);
            own.erase(std::unique(own.begin(), own.end()), own.end());
            if (own.empty()) {
                if (to_.truth[atom] == Truth::True) to_.possible = false;
                to_.truth[atom] = Truth::False;
                to_.required[atom] = false;
            } else if (std::ranges::any_of(own, &Rule::empty)) {
                if (to_.truth[atom] == Truth::False) to_.possible = false;
                to_.truth[atom] = Truth::True;
                to_.required[atom] = false;
            } else if (own.size() == 1 && own[0].size() == 1 && !to_.required[atom]) {
                alias_[atom] = own[0][0];
            }
        }
    }
    // Two outcomes of one choice exclude each other; so do a proposition and its negation.
    bool contradicts(const Rule& rule) const {
        for (std::size_t i = 1; i < rule.size(); ++i) {
            const Literal before = rule[i - 1];
            if (before.atom() == rule[i].atom()) return true;
            const bool outcomes = !is_atom(before.atom()) && !is_atom(rule[i].atom());
            if (outcomes && !before.negated() && !rule[i].negated() &&
                to_.choice_of[before.atom()] == to_.choice_of[rule[i].atom()])
                return true;
        }
        return false;
    }
    ConditionedProgram::Value value(Literal literal) const {
        const Literal plain = alias_[literal.atom()];
        const Truth truth = to_.truth[plain.atom()];
        if (truth == Truth::Unknown) return {truth, plain};
        return {truth_if((truth == Truth::True) != plain.negated()), {}};
    }

    const ReasoningGraph& graph_;
    const RandomChoices& choices_;
    ConditionedProgram to_;
    std::vector<std::uint32_t> number_;              // per atom of the graph: its proposition
    std::vector<std::vector<std::uint32_t>> users_;  // per proposition: the atoms with it in their rules
    std::vector<bool> queued_;
    std::deque<std::uint32_t> queue_;
    std::vector<Literal> alias_;
};

}  // namespace

ConditionedProgram condition_program(const ReasoningGraph& graph, const RandomChoices& choices,
                                     std::span<const std::uint32_t> asked, std::span<const GraphLiteral> observed) {
    return Conditioner(graph, choices).run(asked, observed);
}

}  // namespace neumann
