#include "ground/evaluation.h"

#include <algorithm>

#include <fmt/format.h>

#include "ground/limit.h"
#include "logic/evaluate.h"
#include "logic/print.h"

namespace neumann {
namespace {

// The slots that stand in the head, or in a term, at a declared place of a closed type.
std::vector<bool> closed_slots(const Signature& signature, const Rule& rule) {
    std::vector<bool> closed(rule.slot_count(), false);
    const auto close = [&](const std::vector<Slot>& slots) {
        for (const Slot slot : slots) closed[slot] = closed[slot] || !signature.type(rule.slot_type[slot]).open;
    };
    const PredicateDecl* const head =  // guards have no declaration
        rule.head.predicate.index() < signature.predicates().size() ? &signature.predicate(rule.head.predicate)
                                                                    : nullptr;
    if (head != nullptr && !head->inferred && !head->internal && !head->auxiliary) close(rule.head.args);
    for (const FunctorUse& use : rule.functors) {
        if (!signature.functor(use.functor).inferred) close(use.args);
    }
    return closed;
}

}  // namespace

Evaluation::Evaluation(const Signature& signature, const TermTable& terms, const Rule& rule, const NumberTable& numbers,
                       NumberTable* growing)
    : signature_(signature), terms_(terms), rule_(rule), numbers_(numbers), growing_(growing), roles_(slot_roles(rule)),
      part_of_term_(rule.slot_count(), false), closed_(closed_slots(signature, rule)),
      number_of_slot_(rule.slot_count()) {
    for (const FunctorUse& use : rule.functors) {
        for (const Slot slot : use.args) part_of_term_[slot] = roles_[slot] != TermRole::Negated;
    }
    for (const auto& [left, right] : rule.different) {
        for (const TermId side : {left, right})
            for_each_variable(terms, side, [&](std::uint32_t v) { part_of_term_[rule.variable_slot[v]] = true; });
    }
}

bool Evaluation::holds(std::uint32_t condition, const Bindings& values) const {
    const ArithmeticCondition& given = rule_.arithmetic[condition];
    if (given.comparison == Comparison::Is) return equals_left(given, value_of(given, given.right, values), values);
    if (given.comparison == Comparison::Between) {
        const std::int64_t value = integer_value(given, given.left, values);
        return integer_value(given, terms_.args(given.right)[0], values) <= value &&
               value <= integer_value(given, terms_.args(given.right)[1], values);
    }
    return neumann::holds(given.comparison,
                          compare(value_of(given, given.left, values), value_of(given, given.right, values)));
}

bool Evaluation::compute(std::uint32_t condition, Slot slot, Bindings& values) {
    const ArithmeticCondition& is = rule_.arithmetic[condition];
    return bind(condition, slot, value_of(is, is.right, values), values);
}

std::vector<std::int64_t> Evaluation::range(std::uint32_t condition, Slot slot, const Bindings& values) const {
    const ArithmeticCondition& given = rule_.arithmetic[condition];
    const std::int64_t low = integer_value(given, terms_.args(given.right)[0], values);
    const std::int64_t high = integer_value(given, terms_.args(given.right)[1], values);
    const TypeId type = rule_.slot_type[slot];
    if (!signature_.type(type).open && (!numbers_.may_grow(type) || roles_[slot] == TermRole::Body))
        return numbers_.integers(type, low, high);
    std::vector<std::int64_t> result;
    if (low > high) return result;
    const std::uint64_t steps = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    if (steps > numbers_.most_new() + signature_.constants().size()) fail_too_many(given, slot, high);
    for (std::uint64_t i = 0; i <= steps; ++i) result.push_back(low + static_cast<std::int64_t>(i));
    return result;
}

// Integers differ by the offset. Floats are rounded, so that several may have the same sum.
std::vector<TermId> Evaluation::solutions(std::uint32_t condition, Slot slot, const Bindings& values) const {
    const ArithmeticCondition& given = rule_.arithmetic[condition];
    TermId left = given.left;
    Number sum;
    if (terms_.kind(left) == TermKind::Variable) {
        const Slot known = rule_.variable_slot[terms_.variable_index(left)];
        sum = number_of_slot_[known];
        left = values[known];
    }
    if (!left.is_none()) {
        const Number* const number =
            terms_.kind(left) == TermKind::Constant ? numbers_.value(terms_.constant_of(left)) : nullptr;
        if (number == nullptr) return {};
        sum = *number;
    }
    const auto* const integer = std::get_if<std::int64_t>(&sum);
    if (integer == nullptr) return numbers_.all(rule_.slot_type[slot]);
    std::int64_t value = 0;
    if (__builtin_sub_overflow(*integer, *given.offset, &value)) return {};
    const TermId term = numbers_.find(rule_.slot_type[slot], value);
    return term.is_none() ? std::vector<TermId>() : std::vector<TermId>{term};
}

// No atom of the body contains a new number, and conditions need the value alone.
bool Evaluation::bind(std::uint32_t condition, Slot slot, Number value, Bindings& values) {
    const TypeId type = rule_.slot_type[slot];
    const TermId term = numbers_.find(type, value);
    if (term.is_none() && (!numbers_.may_grow(type) || roles_[slot] == TermRole::Body)) return false;
    values[slot] = term;
    number_of_slot_[slot] = value;
    return !part_of_term_[slot] || create(condition, slot, values);
}

bool Evaluation::create(std::uint32_t condition, Slot slot, Bindings& values) {
    if (!values[slot].is_none()) return true;
    if (growing_ == nullptr) return false;
    if (closed_[slot]) {
        growing_->refuse({rule_.arithmetic[condition].span, rule_.slot_type[slot], number_of_slot_[slot]});
        return false;
    }
    values[slot] = growing_->find_or_add(rule_.slot_type[slot], number_of_slot_[slot]);
    if (values[slot].is_none()) fail_too_many(rule_.arithmetic[condition], slot, number_of_slot_[slot]);
    return true;
}

Number Evaluation::value_of(const ArithmeticCondition& condition, TermId term, const Bindings& values) const {
    switch (terms_.kind(term)) {
    case TermKind::Variable: {
        const Slot slot = rule_.variable_slot[terms_.variable_index(term)];
        return values[slot].is_none() ? number_of_slot_[slot] : constant_value(condition, values[slot], values);
    }
    case TermKind::Constant:
        return constant_value(condition, term, values);
    case TermKind::Compound:
        break;
    }
    const std::optional<Operation> operation = signature_.functor(terms_.functor_of(term)).operation;
    if (!operation) return constant_value(condition, term, values);
    const std::span<const TermId> args = terms_.args(term);
    const Number first = value_of(condition, args[0], values);
    const Number second = args.size() > 1 ? value_of(condition, args[1], values) : first;
    try {
        return apply(*operation, first, second);
    } catch (const ArithmeticError& error) {
        fail(condition, error.what(), values);
    }
}

Number Evaluation::constant_value(const ArithmeticCondition& condition, TermId term, const Bindings& values) const {
    const Number* const number =
        terms_.kind(term) == TermKind::Constant ? numbers_.value(terms_.constant_of(term)) : nullptr;
    if (number == nullptr) {
        std::vector<ClauseVariable> variables;
        for (const std::string& name : rule_.variable_names) variables.push_back({name, {}, {}});
        fail(condition, fmt::format("{} is not a number", print_term(signature_, terms_, term, variables)), values);
    }
    return *number;
}

std::int64_t Evaluation::integer_value(const ArithmeticCondition& condition, TermId term,
                                       const Bindings& values) const {
    const Number number = value_of(condition, term, values);
    if (const auto* const integer = std::get_if<std::int64_t>(&number)) return *integer;
    fail(condition, fmt::format("{} is not an integer", print(number)), values);
}

// The left side of `is` as a term: not equal if it is no number, or an integer instead of a float.
bool Evaluation::equals_left(const ArithmeticCondition& condition, Number value, const Bindings& values) const {
    TermId left = condition.left;
    if (terms_.kind(left) == TermKind::Variable) {
        const Slot slot = rule_.variable_slot[terms_.variable_index(left)];
        if (values[slot].is_none()) return number_of_slot_[slot] == value;
        left = values[slot];
    }
    if (terms_.kind(left) != TermKind::Constant) return false;
    const Number* const number = numbers_.value(terms_.constant_of(left));
    return number != nullptr && *number == value;
}

void Evaluation::fail(const ArithmeticCondition& condition, const std::string& what, const Bindings& values) const {
    std::vector<TermId> sides = {condition.right};
    // The result has no value yet.
    const bool computes = condition.comparison == Comparison::Is || condition.comparison == Comparison::Between;
    if (!computes) sides.insert(sides.begin(), condition.left);
    std::vector<std::string> binding;
    for (const TermId side : sides) {
        for_each_variable(terms_, side, [&](std::uint32_t v) {
            const TermId term = values[rule_.variable_slot[v]];
            const std::string value = term.is_none() ? print(number_of_slot_[rule_.variable_slot[v]])
                                                     : print_term(signature_, terms_, term, {});
            const std::string text = fmt::format("{} = {}", rule_.variable_names[v], value);
            if (std::ranges::find(binding, text) == binding.end()) binding.push_back(text);
        });
    }
    throw EvaluationError(condition.span,
                          binding.empty()
                              ? fmt::format("{} in this condition", what)
                              : fmt::format("{} in this condition, with {}", what, fmt::join(binding, ", ")),
                          "exclude the case with another condition, such as X =\\= 0, or correct the facts");
}

void Evaluation::fail_too_many(const ArithmeticCondition& condition, Slot slot, Number last) const {
    const std::uint32_t variable = terms_.variable_index(condition.left);
    throw EvaluationError(condition.span,
                          fmt::format("more than {} new numbers of type '{}' come up in grounding; the last is {} = {}",
                                      numbers_.most_new(), signature_.type(rule_.slot_type[slot]).name,
                                      rule_.variable_names[variable], print(last)),
                          fmt::format("bound them with a condition, such as {} < 100, or raise --max-numbers",
                                      rule_.variable_names[variable]));
}

}  // namespace neumann
