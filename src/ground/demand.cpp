#include "ground/demand.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "logic/print.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

std::vector<Slot> select(const std::vector<Slot>& args, std::uint32_t mask) {
    std::vector<Slot> result;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if ((mask >> i) & 1U) result.push_back(args[i]);
    }
    return result;
}

// The slots of a rule that have values, from the bindings so far.
class KnownSlots {
public:
    // `with_arithmetic`: a computed number counts as known.
    KnownSlots(const TermTable& terms, const Rule& rule, bool with_arithmetic)
        : terms_(terms), rule_(rule), with_arithmetic_(with_arithmetic), known_(rule.slot_count()) {
        for (Slot s = 0; s < rule.slot_count(); ++s) known_[s] = !rule.slot_value[s].is_none();
    }

    void bind(const std::vector<Slot>& slots) {
        for (const Slot s : slots) known_[s] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (const FunctorUse& use : rule_.functors) {
                const bool apart = known_[use.result];
                const bool together = mask_of(use.args) == all_arguments(use.args.size());
                if (apart == together) continue;
                known_[use.result] = changed = true;
                for (const Slot s : use.args) known_[s] = true;
            }
            if (!with_arithmetic_) continue;
            for (const ArithmeticCondition& condition : rule_.arithmetic) {
                const bool computes =
                    condition.comparison == Comparison::Is || condition.comparison == Comparison::Between;
                if (!computes || !all_known(condition.right) || all_known(condition.left)) continue;
                for_each_variable(terms_, condition.left,
                                  [&](std::uint32_t v) { known_[rule_.variable_slot[v]] = changed = true; });
            }
        }
    }
    bool all_known(TermId term) const {
        bool all = true;
        for_each_variable(terms_, term, [&](std::uint32_t v) { all = all && known_[rule_.variable_slot[v]]; });
        return all;
    }
    std::uint32_t mask_of(const std::vector<Slot>& args) const {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < args.size(); ++i) mask |= known_[args[i]] ? 1U << i : 0U;
        return mask;
    }
    bool operator[](Slot slot) const { return known_[slot]; }

private:
    const TermTable& terms_;
    const Rule& rule_;
    bool with_arithmetic_;
    std::vector<bool> known_;
};

// A goal of a rule, as it is called: with which arguments known, after which other goals.
struct Call {
    std::uint32_t goal;
    std::uint32_t known;
    std::size_t after;  // goals of RuleCalls::order that come before it
    KnownSlots slots;
};

struct RuleCalls {
    std::vector<std::uint32_t> order;  // goals that pass bindings on
    std::vector<Call> calls;           // of predicates that have rules
};

class DemandFinder {
public:
    DemandFinder(const Program& program, const std::vector<Rule>& rules)
        : program_(program), rules_(rules), rules_of_(program.signature.predicates().size()),
          needs_negation_(rules_of_.size(), false), known_(rules_of_.size()) {
        for (std::uint32_t r = 0; r < rules.size(); ++r) rules_of_[rules[r].head.predicate.index()].push_back(r);
        find_negation();
    }

    std::optional<Demand> find() {
        if (program_.queries.empty() && program_.labels.empty()) return std::nullopt;
        for (const Query& query : program_.queries) call(query.atom.predicate, ground_arguments(query.atom));
        for (const Atom& label : program_.labels) call(label.predicate, ground_arguments(label));
        for (const Evidence& one : program_.evidence) call(one.atom.predicate, ground_arguments(one.atom));
        while (!open_.empty()) {
            const PredicateId p = open_.back();
            open_.pop_back();
            for (const std::uint32_t r : rules_of_[p.index()]) {
                for (const Call& one : calls_of(rules_[r], *known_[p.index()]).calls)
                    call(rules_[r].body[one.goal].predicate, one.known);
            }
        }
        return rewrite();
    }

private:
    // Predicates that depend on a negation somewhere below.
    void find_negation() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Rule& rule : rules_) {
                if (needs_negation_[rule.head.predicate.index()]) continue;
                if (std::ranges::none_of(rule.body, [&](const RuleAtom& goal) {
                        return goal.negated || needs_negation_[goal.predicate.index()];
                    }))
                    continue;
                needs_negation_[rule.head.predicate.index()] = changed = true;
            }
        }
    }

    std::uint32_t ground_arguments(const Atom& atom) const {
        std::uint32_t mask = 0;
        for (std::size_t i = 0; i < atom.args.size(); ++i)
            mask |= program_.terms.is_ground(atom.args[i]) ? 1U << i : 0U;
        return mask;
    }

    // The set of known arguments shrinks until it is correct for every call.
    void call(PredicateId predicate, std::uint32_t known) {
        if (rules_of_[predicate.index()].empty()) return;
        std::optional<std::uint32_t>& so_far = known_[predicate.index()];
        const std::uint32_t in_all = so_far ? *so_far & known : known;
        if (so_far == in_all) return;
        so_far = in_all;
        if (std::ranges::find(open_, predicate) == open_.end()) open_.push_back(predicate);
    }

    // Whether a goal passes bindings on to other calls.
    bool passes_on(const RuleAtom& goal) const {
        return !goal.negated && !goal.guard && !needs_negation_[goal.predicate.index()];
    }

    // A goal that passes no bindings on may still prevent the evaluation of an expression without a value.
    bool may_compute(const Rule& rule) const {
        return std::ranges::all_of(rule.body,
                                   [&](const RuleAtom& goal) { return goal.negated || goal.guard || passes_on(goal); });
    }

    RuleCalls calls_of(const Rule& rule, std::uint32_t known_in_head) const {
        RuleCalls result;
        KnownSlots slots(program_.terms, rule, may_compute(rule));
        slots.bind(select(rule.head.args, known_in_head));
        std::vector<bool> done(rule.body.size(), false);
        const auto add_call = [&](std::uint32_t goal) {
            const RuleAtom& atom = rule.body[goal];
            if (!rules_of_[atom.predicate.index()].empty())
                result.calls.push_back({goal, slots.mask_of(atom.args), result.order.size(), slots});
        };
        // First those with the fewest unknown arguments; a goal without shared variables would multiply the instances.
        while (true) {
            std::optional<std::uint32_t> next;
            int fewest = 0;
            for (std::uint32_t g = 0; g < rule.body.size(); ++g) {
                const RuleAtom& goal = rule.body[g];
                const std::uint32_t mask = slots.mask_of(goal.args);
                if (done[g] || !passes_on(goal) || (mask == 0 && !goal.args.empty())) continue;
                const int open = std::popcount(all_arguments(goal.args.size()) & ~mask);
                if (next && open >= fewest) continue;
                next = g;
                fewest = open;
            }
            if (!next) break;
            add_call(*next);
            done[*next] = true;
            result.order.push_back(*next);
            slots.bind(rule.body[*next].args);
        }
        for (std::uint32_t g = 0; g < rule.body.size(); ++g) {
            if (!done[g]) add_call(g);
        }
        return result;
    }

    bool is_guarded(PredicateId p) const { return known_[p.index()].value_or(0) != 0; }

    PredicateId guard_of(PredicateId p, Demand& demand) const {
        const auto known = std::ranges::find(demand.predicates, p, &DemandedPredicate::of);
        const auto index = rules_of_.size() + static_cast<std::size_t>(known - demand.predicates.begin());
        if (known == demand.predicates.end()) demand.predicates.push_back({p, *known_[p.index()]});
        return checked_id<PredicateId>(index, "predicates");
    }

    RuleAtom guard_atom(const RuleAtom& atom, Demand& demand) const {
        return {guard_of(atom.predicate, demand), select(atom.args, *known_[atom.predicate.index()]), false, true};
    }

    std::optional<Demand> rewrite() const {
        Demand demand;
        const auto add_seed = [&](const Atom& atom) {
            if (!is_guarded(atom.predicate)) return;
            Demand::Seed& seed = demand.seeds.emplace_back();
            seed.guard = guard_of(atom.predicate, demand);
            for (std::size_t i = 0; i < atom.args.size(); ++i) {
                if ((*known_[atom.predicate.index()] >> i) & 1U) seed.args.push_back(atom.args[i]);
            }
        };
        for (const Query& query : program_.queries) add_seed(query.atom);
        for (const Atom& label : program_.labels) add_seed(label);
        for (const Evidence& one : program_.evidence) add_seed(one.atom);
        std::vector<Rule> following;
        for (const Rule& rule : rules_) {
            Rule& guarded = demand.rules.emplace_back(rule);
            const PredicateId p = rule.head.predicate;
            if (!known_[p.index()]) continue;  // never called
            if (is_guarded(p)) guarded.body.push_back(guard_atom(rule.head, demand));
            const RuleCalls calls = calls_of(rule, *known_[p.index()]);
            for (const Call& one : calls.calls) {
                if (is_guarded(rule.body[one.goal].predicate)) add_following(rule, calls, one, demand, following);
            }
        }
        if (demand.predicates.empty()) return std::nullopt;
        std::ranges::move(following, std::back_inserter(demand.rules));
        return demand;
    }

    // The rule that follows one call: with the earlier goals found, a demand for the head is one for the goal.
    void add_following(const Rule& rule, const RuleCalls& calls, const Call& one, Demand& demand,
                       std::vector<Rule>& following) const {
        Rule follow = rule;
        follow.follows_calls = true;
        follow.head = guard_atom(rule.body[one.goal], demand);
        follow.head.guard = false;
        follow.body.clear();
        follow.different.clear();
        for (std::size_t i = 0; i < one.after; ++i) follow.body.push_back(rule.body[calls.order[i]]);
        if (is_guarded(rule.head.predicate)) {
            RuleAtom guard = guard_atom(rule.head, demand);
            if (guard.predicate == follow.head.predicate && guard.args == follow.head.args) return;
            follow.body.push_back(std::move(guard));
        }
        std::erase_if(follow.functors, [&](const FunctorUse& use) { return !one.slots[use.result]; });
        std::erase_if(follow.arithmetic, [&](const ArithmeticCondition& condition) {
            return !may_compute(rule) || !one.slots.all_known(condition.left) || !one.slots.all_known(condition.right);
        });
        // Slots of later goals have no values to range over here: no goal reads them.
        for (Slot s = 0; s < follow.slot_count(); ++s) {
            if (!one.slots[s]) follow.slot_value[s] = TermId(0);
        }
        following.push_back(std::move(follow));
    }

    const Program& program_;
    const std::vector<Rule>& rules_;
    std::vector<std::vector<std::uint32_t>> rules_of_;  // per predicate
    std::vector<bool> needs_negation_;                  // per predicate
    std::vector<std::optional<std::uint32_t>> known_;   // per predicate; nothing: not called so far
    std::vector<PredicateId> open_;                     // their rules must be processed again
};

class DemandPrinter {
public:
    DemandPrinter(const Program& program, const Demand& demand) : program_(program), demand_(demand) {}

    std::string print() const {
        std::string out;
        for (const Rule& rule : demand_.rules) {
            const bool guarded = std::ranges::any_of(rule.body, &RuleAtom::guard);
            if (!guarded && !rule.follows_calls) continue;
            std::vector<std::string> goals;
            for (const RuleAtom& goal : rule.body) goals.push_back((goal.negated ? "\\+ " : "") + atom(rule, goal));
            for (const ArithmeticCondition& condition : rule.arithmetic) goals.push_back(text_of(rule, condition));
            out += atom(rule, rule.head) + (goals.empty() ? "" : fmt::format(" :- {}", fmt::join(goals, ", "))) + ".\n";
        }
        for (const Demand::Seed& seed : demand_.seeds) {
            std::vector<std::string> args;
            for (const TermId arg : seed.args) args.push_back(print_term(program_.signature, program_.terms, arg));
            out += demanded(seed.guard, args) + ".\n";
        }
        return out;
    }

private:
    std::string atom(const Rule& rule, const RuleAtom& atom) const {
        std::vector<std::string> args;
        for (const Slot s : atom.args) args.push_back(term(rule, s));
        if (atom.predicate.index() >= program_.signature.predicates().size()) return demanded(atom.predicate, args);
        const std::string name = quote_name(program_.signature.predicate(atom.predicate).name);
        return args.empty() ? name : fmt::format("{}({})", name, fmt::join(args, ","));
    }
    std::string text_of(const Rule& rule, const ArithmeticCondition& condition) const {
        std::vector<ClauseVariable> variables;
        for (const std::string& name : rule.variable_names) variables.push_back({name, TypeId::none(), {}});
        const auto side = [&](TermId term) { return print_term(program_.signature, program_.terms, term, variables); };
        if (condition.comparison != Comparison::Between)
            return fmt::format("{} {} {}", side(condition.left), spelling(condition.comparison), side(condition.right));
        const std::span<const TermId> ends = program_.terms.args(condition.right);
        return fmt::format("between({},{},{})", side(ends[0]), side(ends[1]), side(condition.left));
    }
    std::string demanded(PredicateId guard, const std::vector<std::string>& known) const {
        const DemandedPredicate& predicate = demand_.predicates[guard.index() - program_.signature.predicates().size()];
        const PredicateDecl& of = program_.signature.predicate(predicate.of);
        std::vector<std::string> args;
        std::size_t next = 0;
        for (std::size_t i = 0; i < of.args.size(); ++i)
            args.push_back((predicate.known >> i) & 1U ? known[next++] : "_");
        return fmt::format("'demand {}'({})", of.name, fmt::join(args, ","));
    }
    std::string term(const Rule& rule, Slot slot) const {
        if (!rule.slot_value[slot].is_none())
            return print_term(program_.signature, program_.terms, rule.slot_value[slot]);
        for (const FunctorUse& use : rule.functors) {
            if (use.result != slot) continue;
            std::vector<std::string> args;
            for (const Slot s : use.args) args.push_back(term(rule, s));
            return fmt::format("{}({})", quote_name(program_.signature.functor(use.functor).name),
                               fmt::join(args, ","));
        }
        const std::uint32_t variable = rule.slot_variable[slot];
        const bool named =
            variable != Rule::no_variable && program_.clauses[rule.clause].variables[variable].name != "_";
        return named ? program_.clauses[rule.clause].variables[variable].name : fmt::format("V{}", slot);
    }

    const Program& program_;
    const Demand& demand_;
};

}  // namespace

std::optional<Demand> find_demand(const Program& program, const std::vector<Rule>& rules) {
    return DemandFinder(program, rules).find();
}

std::string print_demand(const Program& program, const Demand& demand) {
    return DemandPrinter(program, demand).print();
}

}  // namespace neumann
