#include "logic/translate.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace neumann {
namespace {

class Translation {
public:
    Translation(const Program& from, Program& to) : from_(from), to_(to) {}

    std::optional<Clause> clause(const Clause& given) {
        Clause made = given;
        for (ClauseVariable& variable : made.variables) variable.type = type(variable.type);
        made.head = atom(given.head);
        for (Literal& goal : made.body) goal.atom = atom(goal.atom);
        for (Constraint& one : made.constraints) {
            one.left = term(one.left);
            one.right = term(one.right);
        }
        for (Aggregate& one : made.aggregates) {
            if (!one.weight.is_none()) one.weight = term(one.weight);
            one.goal = atom(one.goal);
            one.result = term(one.result);
        }
        return fits_ ? std::optional(std::move(made)) : std::nullopt;
    }

private:
    // Notes that there is no counterpart.
    template <class Id>
    Id known(Id id) {
        fits_ = fits_ && !id.is_none();
        return id;
    }

    TypeId type(TypeId id) { return id.is_none() ? id : known(to_.signature.find_type(from_.signature.type(id).name)); }

    PredicateId predicate(PredicateId id) {
        const PredicateDecl& decl = from_.signature.predicate(id);
        std::vector<TypeId> types;
        for (const TypeId arg : decl.args) types.push_back(type(arg));
        const PredicateId found = to_.signature.find_predicate(decl.name, types.size());
        if (!found.is_none()) {
            fits_ = fits_ && to_.signature.predicate(found).args == types;
            return found;
        }
        return fits_ ? to_.signature.add_predicate(decl.name, std::move(types), false, {}) : found;
    }

    Atom atom(const Atom& given) {
        Atom made{predicate(given.predicate), {}, given.span};
        for (const TermId arg : given.args) made.args.push_back(term(arg));
        return made;
    }

    TermId term(TermId id) {
        if (const auto done = terms_.find(id); done != terms_.end()) return done->second;
        const TermId made = make(id);
        terms_.emplace(id, made);
        return made;
    }

    TermId make(TermId id) {
        if (from_.terms.kind(id) == TermKind::Variable) return to_.terms.variable(from_.terms.variable_index(id));
        if (from_.terms.kind(id) == TermKind::Constant) return constant(from_.terms.constant_of(id));
        const FunctorDecl& decl = from_.signature.functor(from_.terms.functor_of(id));
        const FunctorId functor = known(decl.operation ? to_.signature.operation(*decl.operation)
                                                       : to_.signature.find_functor(decl.name, decl.args.size()));
        std::vector<TermId> args;
        for (const TermId arg : from_.terms.args(id)) args.push_back(term(arg));
        return fits_ ? to_.terms.compound(functor, args) : TermId();
    }

    TermId constant(ConstantId id) {
        const ConstantDecl& decl = from_.signature.constant(id);
        const TypeId type_of_it = type(decl.type);
        if (!fits_) return {};
        ConstantId found = to_.signature.find_constant(decl.name, type_of_it);
        if (found.is_none()) found = to_.signature.add_constant(decl.name, type_of_it, {});
        return to_.terms.constant(found);
    }

    const Program& from_;
    Program& to_;
    std::unordered_map<TermId, TermId> terms_;
    bool fits_ = true;
};

}  // namespace

std::optional<Clause> translated(const Program& from, const Clause& clause, Program& to) {
    return Translation(from, to).clause(clause);
}

}  // namespace neumann
