#include "ground/rule.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace neumann {
namespace {

class RuleCompiler {
public:
    RuleCompiler(const Program& program, const TermBounds& bounds, const Clause& clause,
                 const CanonicalClause& canonical)
        : program_(program), bounds_(bounds), clause_(clause), canonical_(canonical) {}

    std::optional<Rule> compile() {
        // Slots of head variables come first, in the order of the head.
        rule_.head = atom(canonical_.clause.head);
        for (const Literal& goal : canonical_.clause.body) {
            if (goal.negated) {
                add_negated(goal.atom);
            } else {
                rule_.body.push_back(atom(goal.atom));
            }
        }
        for (const Constraint& c : canonical_.clause.disequations) require_different(c.left, c.right);
        require_distinct(canonical_.clause.head);
        for (const Literal& goal : canonical_.clause.body) {
            if (!goal.negated) require_distinct(goal.atom);
        }
        for (const Constraint& c : canonical_.clause.arithmetic) add_condition(c);
        if (impossible_) return std::nullopt;
        mark_guards();
        rule_.key = canonical_.key;
        return std::move(rule_);
    }

private:
    // Goals of internal predicates restrict instances and are no part of them.
    void mark_guards() {
        const auto is_internal = [&](PredicateId p) { return program_.signature.predicate(p).internal; };
        rule_.follows_calls = is_internal(rule_.head.predicate);
        for (RuleAtom& goal : rule_.body) {
            goal.guard = is_internal(goal.predicate);
            rule_.through_items =
                rule_.through_items ||
                std::ranges::find(program_.item_orders, goal.predicate, &ItemOrder::next) != program_.item_orders.end();
        }
        std::stable_partition(rule_.body.begin(), rule_.body.end(), [](const RuleAtom& goal) { return !goal.guard; });
    }

    // An atom with a term beyond its bounds does not exist: it is false, and its negation is true.
    void add_negated(const Atom& goal) {
        const bool impossible = std::exchange(impossible_, false);
        RuleAtom negated = atom(goal);
        negated.negated = true;
        if (!impossible_) rule_.body.push_back(std::move(negated));
        impossible_ = impossible;
    }

    void add_condition(const Constraint& c) {
        ArithmeticCondition condition{c.comparison, c.left, c.right, false, std::nullopt, std::nullopt, c.span};
        condition.may_divide_by_zero = may_divide_by_zero(c.left) || may_divide_by_zero(c.right);
        if (c.comparison == Comparison::Between) {
            const std::span<const TermId> ends = program_.terms.args(c.right);
            const std::optional<Number> low = number(ends[0]);
            const std::optional<Number> high = number(ends[1]);
            if (low && high) condition.range_size = std::max(0.0, as_double(*high) - as_double(*low) + 1);
            const bool determined = program_.terms.kind(c.left) != TermKind::Variable || is_in_needed_atom(c.left);
            rule_.may_repeat = rule_.may_repeat || !determined;
        }
        if (c.comparison == Comparison::Is) condition.offset = offset_of(c.right);
        for (const TermId side : {c.left, c.right}) {
            for_each_variable(program_.terms, side, [&](std::uint32_t v) {
                slot(variable_term(side, v), clause_.variables[canonical_.old_variable[v]].type);
            });
        }
        if (rule_.variable_names.empty()) {
            for (const std::uint32_t v : canonical_.old_variable)
                rule_.variable_names.push_back(clause_.variables[v].name);
        }
        rule_.arithmetic.push_back(condition);
    }

    // Of a variable plus or minus an integer.
    std::optional<std::int64_t> offset_of(TermId expression) const {
        if (program_.terms.kind(expression) != TermKind::Compound) return std::nullopt;
        const std::optional<Operation> operation =
            program_.signature.functor(program_.terms.functor_of(expression)).operation;
        if (operation != Operation::Add && operation != Operation::Subtract) return std::nullopt;
        const std::span<const TermId> sides = program_.terms.args(expression);
        const bool swapped = operation == Operation::Add && program_.terms.kind(sides[1]) == TermKind::Variable;
        const std::optional<Number> added = number(sides[swapped ? 0 : 1]);
        if (program_.terms.kind(sides[swapped ? 1 : 0]) != TermKind::Variable || !added) return std::nullopt;
        const auto* const integer = std::get_if<std::int64_t>(&*added);
        if (integer == nullptr || *integer == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
        return operation == Operation::Add ? *integer : -*integer;
    }

    // The variable as a term: it occurs in the given one.
    TermId variable_term(TermId within, std::uint32_t variable) const {
        if (program_.terms.kind(within) == TermKind::Variable)
            return program_.terms.variable_index(within) == variable ? within : TermId::none();
        for (const TermId arg : program_.terms.args(within)) {
            const TermId found = variable_term(arg, variable);
            if (!found.is_none()) return found;
        }
        return TermId::none();
    }

    // In the head or in a positive atom of the body, perhaps deep inside.
    bool is_in_needed_atom(TermId variable) const {
        const std::uint32_t index = program_.terms.variable_index(variable);
        const auto contains = [&](TermId term) { return !variable_term(term, index).is_none(); };
        return std::ranges::any_of(canonical_.clause.head.args, contains) ||
               std::ranges::any_of(canonical_.clause.body, [&](const Literal& goal) {
                   return !goal.negated && std::ranges::any_of(goal.atom.args, contains);
               });
    }

    std::optional<Number> number(TermId term) const {
        if (program_.terms.kind(term) != TermKind::Constant) return std::nullopt;
        return parse_number(program_.signature.constant(program_.terms.constant_of(term)).name);
    }

    // Unless the divisor is written as a number.
    bool may_divide_by_zero(TermId term) const {
        if (program_.terms.kind(term) != TermKind::Compound) return false;
        const std::optional<Operation> operation =
            program_.signature.functor(program_.terms.functor_of(term)).operation;
        const std::span<const TermId> args = program_.terms.args(term);
        if (operation == Operation::Divide || operation == Operation::IntegerDivide || operation == Operation::Modulo) {
            const std::optional<Number> divisor = number(args[1]);
            if (!divisor || as_double(*divisor) == 0) return true;
        }
        return std::ranges::any_of(args, [&](TermId arg) { return may_divide_by_zero(arg); });
    }

    RuleAtom atom(const Atom& atom) {
        RuleAtom result{atom.predicate, {}, false};
        const std::vector<TypeId>& types = program_.signature.predicate(atom.predicate).args;
        for (std::size_t i = 0; i < atom.args.size(); ++i) result.args.push_back(slot(atom.args[i], types[i]));
        return result;
    }

    // Atoms of a predicate declared distinct exist only for different arguments: a condition like any \=.
    void require_distinct(const Atom& atom) {
        const PredicateDecl& predicate = program_.signature.predicate(atom.predicate);
        if (!predicate.distinct) return;
        for (std::size_t i = 0; i < atom.args.size(); ++i) {
            for (std::size_t j = i + 1; j < atom.args.size(); ++j) {
                if (predicate.args[i] == predicate.args[j]) require_different(atom.args[i], atom.args[j]);
            }
        }
    }

    void require_different(TermId a, TermId b) {
        impossible_ = impossible_ || a == b;
        const std::pair<TermId, TermId> pair = std::minmax(a, b);
        const bool both_ground = program_.terms.is_ground(a) && program_.terms.is_ground(b);
        if (!both_ground && std::ranges::find(rule_.different, pair) == rule_.different.end())
            rule_.different.push_back(pair);
    }

    Slot slot(TermId term, TypeId type) {
        for (const auto& [known, s] : slots_) {
            if (known == term) return s;
        }
        const TermTable& terms = program_.terms;
        const bool ground = terms.is_ground(term);
        FunctorUse use;
        if (ground) {
            impossible_ = impossible_ || !bounds_.admits(terms, term);
        } else if (terms.kind(term) == TermKind::Compound) {
            use.functor = terms.functor_of(term);
            const std::vector<TypeId>& types = program_.signature.functor(use.functor).args;
            for (std::size_t i = 0; i < types.size(); ++i) use.args.push_back(slot(terms.args(term)[i], types[i]));
        }
        const auto s = static_cast<Slot>(rule_.slot_count());
        const bool variable = terms.kind(term) == TermKind::Variable;
        rule_.slot_type.push_back(type);
        rule_.slot_value.push_back(ground ? term : TermId::none());
        rule_.slot_variable.push_back(variable ? canonical_.old_variable[terms.variable_index(term)]
                                               : Rule::no_variable);
        slots_.emplace_back(term, s);
        if (variable) {
            const std::uint32_t index = terms.variable_index(term);
            if (rule_.variable_slot.size() <= index) rule_.variable_slot.resize(index + 1);
            rule_.variable_slot[index] = s;
        }
        if (!use.args.empty()) {
            use.result = s;
            rule_.functors.push_back(std::move(use));
        }
        return s;
    }

    const Program& program_;
    const TermBounds& bounds_;
    const Clause& clause_;
    const CanonicalClause& canonical_;
    Rule rule_;
    std::vector<std::pair<TermId, Slot>> slots_;
    bool impossible_ = false;
};

}  // namespace

std::optional<Rule> compile_rule(Program& program, const TermBounds& bounds, const Clause& clause) {
    const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
    if (!solved) return std::nullopt;
    const CanonicalClause canonical = canonicalize(program.terms, *solved, clause.variables.size());
    return RuleCompiler(program, bounds, clause, canonical).compile();
}

std::vector<Rule> compile_rules(Program& program, const TermBounds& bounds) {
    std::vector<Rule> rules;
    for (std::size_t c = 0; c < program.clauses.size(); ++c) {
        std::optional<Rule> rule = compile_rule(program, bounds, program.clauses[c]);
        if (!rule) continue;
        rule->clause = static_cast<std::uint32_t>(c);
        rules.push_back(std::move(*rule));
    }
    std::ranges::stable_sort(rules, [&](const Rule& a, const Rule& b) {
        if (a.key != b.key) return a.key < b.key;
        return program.clauses[a.clause].weight_value() < program.clauses[b.clause].weight_value();
    });
    return rules;
}

}  // namespace neumann
