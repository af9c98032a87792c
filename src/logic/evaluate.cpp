#include "logic/evaluate.h"

#include "logic/print.h"

namespace neumann {

bool holds(Comparison comparison, int order) {
    switch (comparison) {
    case Comparison::Less:
        return order < 0;
    case Comparison::AtMost:
        return order <= 0;
    case Comparison::Greater:
        return order > 0;
    case Comparison::AtLeast:
        return order >= 0;
    case Comparison::SameNumber:
        return order == 0;
    case Comparison::OtherNumber:
        return order != 0;
    case Comparison::Equal:
    case Comparison::Different:
    case Comparison::Is:
    case Comparison::Between:
        break;
    }
    return false;
}

Number evaluate(const Signature& signature, const TermTable& terms, TermId expression) {
    const bool compound = terms.kind(expression) == TermKind::Compound;
    if (compound && signature.functor(terms.functor_of(expression)).operation) {
        const std::span<const TermId> args = terms.args(expression);
        const Number first = evaluate(signature, terms, args.front());
        return apply(*signature.functor(terms.functor_of(expression)).operation, first,
                     args.size() > 1 ? evaluate(signature, terms, args[1]) : first);
    }
    std::optional<Number> number;
    if (terms.kind(expression) == TermKind::Constant)
        number = parse_number(signature.constant(terms.constant_of(expression)).name);
    if (!number) throw ArithmeticError(print_term(signature, terms, expression, {}) + " is not a number");
    return *number;
}

}  // namespace neumann
