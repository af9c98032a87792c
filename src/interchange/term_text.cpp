#include "interchange/term_text.h"

#include <fmt/format.h>

namespace neumann::interchange {

std::string TermText::arguments(std::span<const TermId> args, const VariableNames& variables) const {
    std::vector<std::string> texts;
    texts.reserve(args.size());
    for (const TermId arg : args) texts.push_back(term(arg, variables));
    return texts.empty() ? "" : fmt::format("({})", fmt::join(texts, ","));
}

std::string TermText::atom(PredicateId predicate, std::span<const TermId> args, const VariableNames& variables) const {
    return spelling_.symbol(program_.signature.predicate(predicate).name) + arguments(args, variables);
}

std::string TermText::constant(ConstantId id) const {
    const ConstantDecl& constant = program_.signature.constant(id);
    const auto& sugar = program_.signature.type(constant.type).list;
    const bool empty = spelling_.lists != Spelling::Lists::AsDeclared && sugar && sugar->empty == id;
    if (!empty) return spelling_.constant(constant.name);
    return spelling_.lists == Spelling::Lists::Brackets ? "[]" : spelling_.empty;
}

std::string TermText::term(TermId term, const VariableNames& variables) const {
    const TermTable& terms = program_.terms;
    const bool as_declared = spelling_.lists == Spelling::Lists::AsDeclared;
    switch (terms.kind(term)) {
    case TermKind::Variable:
        return variables[terms.variable_index(term)];
    case TermKind::Constant:
        return constant(terms.constant_of(term));
    case TermKind::Compound:
        break;
    }
    const FunctorDecl& functor = program_.signature.functor(terms.functor_of(term));
    const auto& sugar = program_.signature.type(functor.result).list;
    if (!as_declared && sugar && sugar->cons == terms.functor_of(term)) return list(term, *sugar, variables);
    return spelling_.symbol(functor.name) + arguments(terms.args(term), variables);
}

// Lists are long, so this does not go into their ends.
std::string TermText::list(TermId term, const ListSugar& sugar, const VariableNames& variables) const {
    const TermTable& terms = program_.terms;
    const bool brackets = spelling_.lists == Spelling::Lists::Brackets;
    std::string text = brackets ? "[" : "";
    std::size_t cells = 0;
    for (; terms.kind(term) == TermKind::Compound && terms.functor_of(term) == sugar.cons; term = terms.args(term)[1]) {
        const std::string element = this->term(terms.args(term)[0], variables);
        text += brackets ? (cells > 0 ? "," : "") + element : fmt::format("{}({},", spelling_.cell, element);
        ++cells;
    }
    const bool ends = terms.kind(term) == TermKind::Constant && terms.constant_of(term) == sugar.empty;
    const std::string rest = ends ? spelling_.empty : this->term(term, variables);
    if (!brackets) return text + rest + std::string(cells, ')');
    return text + (ends ? "]" : "|" + rest + "]");
}

}  // namespace neumann::interchange
