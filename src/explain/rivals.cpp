#include "explain/rivals.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "logic/print.h"
#include "valuation/valuation_registry.h"

namespace neumann {
namespace {

using Kind = ValuationFunction::Kind;

bool is_of_kind(const PredicateDecl& predicate, Kind kind) {
    const ValuationFunction* function = find_valuation(predicate.name).function;
    return function != nullptr && function->kind == kind;
}

// Whether the last argument is an attribute value of the others.
bool says_a_value(const Signature& signature, const PredicateDecl& predicate) {
    if (!predicate.neural || predicate.args.size() < 2) return false;
    if (is_question(predicate) || is_of_kind(predicate, Kind::Presence)) return false;
    const TypeId last = predicate.args.back();
    return signature.type(last).constants.size() > 1 &&
           std::find(predicate.args.begin(), predicate.args.end() - 1, last) == predicate.args.end() - 1;
}

}  // namespace

bool is_question(const PredicateDecl& predicate) { return is_of_kind(predicate, Kind::Question); }

std::vector<std::uint32_t> rivals(const Program& program, const AtomTable& atoms, std::uint32_t atom) {
    const PredicateId predicate = atoms.predicate_of(AtomId(atom));
    const PredicateDecl& declared = program.signature.predicate(predicate);
    if (!says_a_value(program.signature, declared)) return {};
    const AtomTable::Range& range = atoms.range(predicate);
    const std::size_t arity = declared.args.size();
    const auto others = [&](std::uint32_t a) {  // the arguments but the last
        return range.args.span().subspan((a - range.first) * arity, arity - 1);
    };
    const auto is_rival = [&](std::uint32_t a) { return std::ranges::equal(others(a), others(atom)); };
    // Atoms are ordered by their arguments, so rivals are neighbours.
    std::uint32_t first = atom;
    std::uint32_t end = atom + 1;
    while (first > range.first && is_rival(first - 1)) --first;
    while (end < range.first + range.count && is_rival(end)) ++end;
    std::vector<std::uint32_t> found;
    for (std::uint32_t a = first; a < end; ++a) {
        if (a != atom) found.push_back(a);
    }
    return found;
}

std::vector<std::string> rival_texts(const Program& program, const AtomTable& atoms, std::uint32_t atom) {
    const Signature& signature = program.signature;
    const PredicateDecl& declared = signature.predicate(atoms.predicate_of(AtomId(atom)));
    if (!says_a_value(signature, declared)) return {};
    const std::span<const TermId> args = atoms.args_of(AtomId(atom));
    std::string others = quote_name(declared.name) + "(";
    for (const TermId term : args.first(args.size() - 1)) {
        others += print_term(signature, program.terms, term);
        others += ',';
    }
    const TermId last = args.back();
    std::vector<std::string> texts;
    for (const ConstantId constant : signature.type(declared.args.back()).constants) {
        const bool itself =
            program.terms.kind(last) == TermKind::Constant && program.terms.constant_of(last) == constant;
        if (!itself) texts.push_back(fmt::format("{}{})", others, quote_name(signature.constant(constant).name)));
    }
    return texts;
}

}  // namespace neumann
