#include "explain/condition_solver.h"

#include <algorithm>
#include <utility>

#include "logic/evaluate.h"

namespace neumann {

bool ConditionSolver::solve(const Substitution& given, const Visit& visit) const {
    Conditions conditions;
    for (const Constraint& constraint : clause_.constraints) {
        if (is_arithmetic(constraint.comparison)) conditions.push_back(&constraint);
    }
    try {
        return solve(std::move(conditions), given, visit);
    } catch (const ArithmeticError&) {
        return false;  // no instance: grounding would have stopped there
    }
}

// Picks any condition whose inputs are known; a safe clause always has one.
bool ConditionSolver::solve(Conditions left, const Substitution& so_far, const Visit& visit) const {
    if (left.empty()) return visit(so_far);
    for (std::size_t i = 0; i < left.size(); ++i) {
        const Comparison comparison = left[i]->comparison;
        const TermId result = so_far.apply(program_.terms, left[i]->left);
        const TermId expression = so_far.apply(program_.terms, left[i]->right);
        if (!program_.terms.is_ground(expression)) continue;
        const bool computes = comparison == Comparison::Is || comparison == Comparison::Between;
        const bool open = !program_.terms.is_ground(result);
        if (open && (!computes || program_.terms.kind(result) != TermKind::Variable)) continue;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        if (!open) return holds(comparison, result, expression) && solve(std::move(left), so_far, visit);
        if (comparison == Comparison::Is) return bind(result, value(expression), left, so_far, visit);
        return enumerate(result, expression, left, so_far, visit);
    }
    return false;
}

bool ConditionSolver::bind(TermId variable, Number value, const Conditions& left, Substitution so_far,
                           const Visit& visit) const {
    const std::uint32_t index = program_.terms.variable_index(variable);
    const TypeId type = clause_.variables[index].type;
    ConstantId constant = program_.signature.find_constant(print(value), type);
    if (constant.is_none()) {
        if (!program_.signature.type(type).open) return false;
        constant = program_.signature.add_computed_constant(print(value), type);
    }
    so_far.bind(index, program_.terms.constant(constant));
    return solve(left, so_far, visit);
}

bool ConditionSolver::enumerate(TermId variable, TermId range, const Conditions& left, const Substitution& so_far,
                                const Visit& visit) const {
    const Number low = value(program_.terms.args(range)[0]);
    const Number high = value(program_.terms.args(range)[1]);
    if (low.index() != 0 || high.index() != 0) return false;
    const TypeDecl& type = program_.signature.type(clause_.variables[program_.terms.variable_index(variable)].type);
    if (!type.open) {
        const std::vector<ConstantId> constants = type.constants;
        return std::ranges::any_of(constants, [&](ConstantId constant) {
            const std::optional<Number> number = parse_number(program_.signature.constant(constant).name);
            return number && number->index() == 0 && compare(low, *number) <= 0 && compare(*number, high) <= 0 &&
                   bind(variable, *number, left, so_far, visit);
        });
    }
    for (std::int64_t number = std::get<std::int64_t>(low); number <= std::get<std::int64_t>(high); ++number) {
        if (bind(variable, number, left, so_far, visit)) return true;
        if (number == std::get<std::int64_t>(high)) break;  // there may be no larger one
    }
    return false;
}

bool ConditionSolver::holds(Comparison comparison, TermId left, TermId right) const {
    if (comparison == Comparison::Is) {
        if (program_.terms.kind(left) != TermKind::Constant) return false;
        const std::optional<Number> known =
            parse_number(program_.signature.constant(program_.terms.constant_of(left)).name);
        return known && *known == value(right);
    }
    if (comparison == Comparison::Between) {
        const std::span<const TermId> ends = program_.terms.args(right);
        return compare(value(ends[0]), value(left)) <= 0 && compare(value(left), value(ends[1])) <= 0;
    }
    return neumann::holds(comparison, compare(value(left), value(right)));
}

Number ConditionSolver::value(TermId expression) const {
    return evaluate(program_.signature, program_.terms, expression);
}

}  // namespace neumann
