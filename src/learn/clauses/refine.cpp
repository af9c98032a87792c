#include "learn/clauses/refine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "learn/clauses/detour.h"
#include "learn/clauses/edit_clause.h"
#include "learn/clauses/readable.h"
#include "learn/clauses/reduce.h"
#include "logic/canonical.h"

namespace neumann {
namespace {

using Key = std::vector<std::uint32_t>;
using Variables = std::vector<std::uint32_t>;

// The specialisations of one clause.
class Specialiser {
public:
    Specialiser(Program& program, const ModeChecker& checker, const SearchClause* origin)
        : program_(program), signature_(program.signature), terms_(program.terms), checker_(checker), origin_(origin) {}

    // All steps from the origin.
    void specialise() {
        parts_ = parts_of(terms_, origin_->clause);
        variables_ = variables_among(terms_, parts_);
        find_symmetries();
        for (const Mode& mode : checker_.language().modes) {
            if (!mode.head && has_recall_left(mode.predicate)) add_atoms(mode);
        }
        for (std::size_t i = 0; i < variables_.size(); ++i) instantiate(i);
    }

    // Keeps the clause if it is in the language, or else the ends of its detours.
    void consider(const Detour& step) {
        switch (checker_.check(step.clause)) {
        case Membership::Inside:
            return keep(step.clause);
        case Membership::TooManyVariables:
            return follow_detour(program_, checker_, step, [&](const Clause& clause) { keep(clause); });
        case Membership::Outside:
            return;
        }
    }

    std::vector<SearchClause> take() {
        std::vector<SearchClause> result;
        for (auto& [key, clause] : found_) result.push_back({std::move(clause), key});
        return result;
    }

private:
    void keep(const Clause& clause) {
        SearchClause canonical = canonical_clause(terms_, clause, checker_.exchangeable());
        if (found_.contains(canonical.key)) return;
        if (origin_ != nullptr) {
            if (canonical.key == origin_->key) return;
            if (clause.body.size() < origin_->clause.body.size() && subsumes(terms_, clause, origin_->clause)) return;
        }
        name_variables(signature_, terms_, canonical.clause);
        found_.emplace(std::move(canonical.key), std::move(canonical.clause));
    }

    // Puts constants, other variables and functors in the place of the i-th variable.
    void instantiate(std::size_t i) {
        const Clause& clause = origin_->clause;
        const TermId variable = terms_.variable(variables_[i]);
        const TypeId type = clause.variables[variables_[i]].type;
        // None of these leads to more variables than before.
        const auto put = [&](TermId term) {
            Clause result = replace(terms_, clause, variable, term);
            checker_.remove_same_goals(result);
            if (checker_.check(result) == Membership::Inside) keep(result);
        };
        for (ConstantId c : signature_.type(type).constants) put(terms_.constant(c));
        for (std::size_t j = 0; j < i; ++j) {
            if (clause.variables[variables_[j]].type == type) put(terms_.variable(variables_[j]));
        }
        for (FunctorId f : signature_.type(type).functors) {
            Detour step;
            step.clause = clause;
            std::vector<TermId> args;
            for (TypeId arg : signature_.functor(f).args) args.push_back(add_variable(terms_, step.clause, arg));
            const TermId term = terms_.compound(f, args);
            step.clause = replace(terms_, std::move(step.clause), variable, term);
            step.open = variables_among(terms_, args);
            std::ranges::reverse(step.open);
            checker_.remove_same_goals(step.clause);
            step.slots.push_back(term);
            for (std::size_t j = 0; j < variables_.size(); ++j) {
                if (j > i && occur_together(variables_[i], variables_[j])) {
                    step.later.push_back(variables_[j]);
                    step.slots.push_back(terms_.variable(variables_[j]));
                } else if (j != i) {
                    step.fixed.push_back(variables_[j]);
                }
            }
            consider(step);
        }
    }

    // Whether every atom with one of the variables has the other as well.
    bool occur_together(std::uint32_t a, std::uint32_t b) const {
        bool together = true;
        for_each_atom(origin_->clause, [&](const Atom& atom) {
            bool with_a = false;
            bool with_b = false;
            for (TermId arg : atom.args) {
                for_each_variable(terms_, arg, [&](std::uint32_t v) {
                    with_a = with_a || v == a;
                    with_b = with_b || v == b;
                });
            }
            together = together && with_a == with_b;
        });
        return together;
    }

    bool has_recall_left(PredicateId predicate) const {
        std::size_t allowed = 0;
        for (const Mode& mode : checker_.language().modes) {
            if (mode.head || mode.predicate != predicate) continue;
            if (!mode.recall) return true;
            allowed += *mode.recall;
        }
        return static_cast<std::size_t>(std::ranges::count(origin_->clause.body, predicate, predicate_of)) < allowed;
    }

    // Variables that can be exchanged without changing the clause: of these, atoms are filled with the first ones
    // first.
    void find_symmetries() {
        previous_twin_.assign(origin_->clause.variables.size(), std::nullopt);
        for (std::size_t i = 1; i < variables_.size(); ++i) {
            for (std::size_t j = i; j-- > 0 && !previous_twin_[variables_[i]];) {
                if (can_swap(variables_[i], variables_[j])) previous_twin_[variables_[i]] = variables_[j];
            }
        }
    }
    bool can_swap(std::uint32_t a, std::uint32_t b) {
        const Clause& clause = origin_->clause;
        if (clause.variables[a].type != clause.variables[b].type) return false;
        const TermId aside = terms_.variable(static_cast<std::uint32_t>(clause.variables.size()));
        Clause swapped = replace(terms_, clause, terms_.variable(a), aside);
        swapped = replace(terms_, std::move(swapped), terms_.variable(b), terms_.variable(a));
        swapped = replace(terms_, std::move(swapped), aside, terms_.variable(b));
        return swapped.head == clause.head && std::ranges::all_of(swapped.body, [&](const Literal& literal) {
                   return std::ranges::any_of(
                       clause.body, [&](const Literal& other) { return checker_.is_same_goal(literal, other); });
               });
    }

    void add_atoms(const Mode& mode) {
        Clause clause = origin_->clause;
        clause.body.push_back({{mode.predicate, {}, {}}});
        fill_places(mode, clause, std::vector<bool>(clause.variables.size(), false));
    }
    void fill_places(const Mode& mode, const Clause& clause, const std::vector<bool>& used) {
        const std::vector<TermId>& args = clause.body.back().atom.args;
        if (args.size() == mode.places.size()) return add_atom(mode, clause);
        const ModePlace& place = mode.places[args.size()];
        const auto fill = [&](TermId term) {
            if (signature_.predicate(mode.predicate).distinct && std::ranges::find(args, term) != args.end()) return;
            if (mode.unordered && stands_behind_later(mode, args, term)) return;
            std::vector<bool> now_used = used;
            bool in_order = true;
            for_each_variable(terms_, term, [&](std::uint32_t v) {
                in_order = in_order && (!previous_twin_[v] || now_used[*previous_twin_[v]]);
                now_used[v] = true;
            });
            if (!in_order) return;
            Clause filled = clause;
            filled.body.back().atom.args.push_back(term);
            fill_places(mode, filled, now_used);
        };
        if (place.kind == ModePlace::Kind::Constant) {
            for (ConstantId c : signature_.type(place.type).constants) fill(terms_.constant(c));
            return;
        }
        for (TermId part : parts_) {
            const bool suits = place.kind == ModePlace::Kind::Input || terms_.kind(part) == TermKind::Variable;
            if (suits && checker_.type_of(origin_->clause, part) == place.type) fill(part);
        }
        if (place.kind == ModePlace::Kind::Output) {
            Clause filled = clause;
            const TermId fresh = add_variable(terms_, filled, place.type);
            filled.body.back().atom.args.push_back(fresh);
            fill_places(mode, filled, used);
        }
    }

    // Whether the last argument that may change places with the next one is a later variable: of the orders of
    // variables only one is filled in.
    bool stands_behind_later(const Mode& mode, const std::vector<TermId>& args, TermId term) const {
        if (terms_.kind(term) != TermKind::Variable) return false;
        for (std::size_t p = args.size(); p-- > 0;) {
            if (mode.places[p].type != mode.places[args.size()].type) continue;
            return terms_.kind(args[p]) == TermKind::Variable &&
                   place_of(terms_.variable_index(args[p])) > place_of(terms_.variable_index(term));
        }
        return false;
    }
    std::size_t place_of(std::uint32_t variable) const {
        const auto found = std::ranges::find(variables_, variable);
        return found == variables_.end() ? variables_.size() + variable
                                         : static_cast<std::size_t>(found - variables_.begin());
    }

    void add_atom(const Mode& mode, const Clause& clause) {
        if (std::ranges::any_of(origin_->clause.body,
                                [&](const Literal& goal) { return checker_.is_same_goal(goal, clause.body.back()); }))
            return;
        const Atom& atom = clause.body.back().atom;
        const Membership membership = checker_.check(clause);
        if (membership == Membership::Inside && !is_reached_by_functor(mode, clause)) keep(clause);
        if (membership != Membership::TooManyVariables) return;
        // A detour from new variables at all '-' places visits all other ways to fill them.
        Detour step;
        step.clause = clause;
        step.fixed = variables_;
        for (std::size_t p = atom.args.size(); p-- > 0;) {
            if (mode.places[p].kind != ModePlace::Kind::Output) continue;
            if (terms_.variable_index(atom.args[p]) < origin_->clause.variables.size()) return;
            step.slots.push_back(atom.args[p]);
            step.open.push_back(terms_.variable_index(atom.args[p]));
        }
        consider(step);
    }
    // Whether the clause is in the language even with a variable for one of the terms at the new atom's '+' places.
    bool is_reached_by_functor(const Mode& mode, const Clause& clause) {
        const Atom& atom = clause.body.back().atom;
        for (std::size_t p = 0; p < atom.args.size(); ++p) {
            const TermId arg = atom.args[p];
            if (mode.places[p].kind != ModePlace::Kind::Input || terms_.kind(arg) == TermKind::Variable) continue;
            Clause general = clause;
            const TermId variable = add_variable(terms_, general, mode.places[p].type);
            if (checker_.check(replace(terms_, std::move(general), arg, variable)) == Membership::Inside) return true;
        }
        return false;
    }

    Program& program_;
    const Signature& signature_;
    TermTable& terms_;
    const ModeChecker& checker_;
    const SearchClause* origin_;
    std::vector<TermId> parts_;                                // of the origin
    Variables variables_;                                      // of the origin
    std::vector<std::optional<std::uint32_t>> previous_twin_;  // per variable of the origin: one it can be swapped with
    std::map<Key, Clause> found_;
};

}  // namespace

SearchClause canonical_clause(TermTable& terms, const Clause& clause,
                              std::span<const ExchangeablePlaces> exchangeable) {
    const std::optional<SolvedClause> solved = solve_constraints(terms, clause);
    if (!solved || !solved->disequations.empty() || !solved->arithmetic.empty())
        throw std::invalid_argument("a clause of the search may have no constraints");
    CanonicalClause canonical = canonicalize(terms, *solved, clause.variables.size(), exchangeable);
    SearchClause result;
    result.clause.head = std::move(canonical.clause.head);
    result.clause.body = std::move(canonical.clause.body);
    for (std::uint32_t old : canonical.old_variable) result.clause.variables.push_back(clause.variables[old]);
    result.key = std::move(canonical.key);
    return result;
}

Refiner::Refiner(Program& program, SearchLanguage language)
    : program_(program), checker_(program, std::move(language)) {}

SearchClause Refiner::canonical(const Clause& clause) {
    SearchClause result = canonical_clause(program_.terms, clause, checker_.exchangeable());
    name_variables(program_.signature, program_.terms, result.clause);
    return result;
}

std::vector<SearchClause> Refiner::most_general(PredicateId target) {
    Specialiser specialiser(program_, checker_, nullptr);
    for (const Mode& mode : checker_.head_modes(target)) {
        std::vector<Clause> heads(1);
        heads[0].head.predicate = target;
        for (const ModePlace& place : mode.places) {
            if (place.kind == ModePlace::Kind::Constant) {
                std::vector<Clause> longer;
                for (const Clause& clause : heads) {
                    for (ConstantId c : program_.signature.type(place.type).constants)
                        longer.emplace_back(clause).head.args.push_back(program_.terms.constant(c));
                }
                heads = std::move(longer);
                continue;
            }
            for (Clause& clause : heads) clause.head.args.push_back(add_variable(program_.terms, clause, place.type));
        }
        for (Clause& clause : heads) {
            Detour step;
            step.open = variables_among(program_.terms, clause.head.args);
            std::ranges::reverse(step.open);
            for (std::uint32_t v : step.open) step.slots.push_back(program_.terms.variable(v));
            step.clause = std::move(clause);
            specialiser.consider(step);
        }
    }
    return specialiser.take();
}

std::vector<SearchClause> Refiner::refine(const SearchClause& clause) {
    Specialiser specialiser(program_, checker_, &clause);
    specialiser.specialise();
    return specialiser.take();
}

std::vector<SearchClause> Refiner::generalise(const SearchClause& clause) {
    std::vector<SearchClause> result;
    const auto consider = [&](const Clause& general) {
        SearchClause canonical_form = canonical(general);
        if (admits(canonical_form)) result.push_back(std::move(canonical_form));
    };
    for (std::size_t goal = 0; goal < clause.clause.body.size(); ++goal) {
        Clause rest = clause.clause;
        rest.body.erase(rest.body.begin() + static_cast<std::ptrdiff_t>(goal));
        consider(rest);
    }
    for (const TermId part : parts_of(program_.terms, clause.clause)) {
        if (program_.terms.kind(part) == TermKind::Variable) continue;
        Clause general = clause.clause;
        const TermId variable = add_variable(program_.terms, general, checker_.type_of(clause.clause, part));
        consider(replace(program_.terms, std::move(general), part, variable));
    }
    return result;
}

Clause Refiner::readable(const SearchClause& clause) {
    return make_readable(program_.signature, program_.terms, checker_, clause.clause);
}

}  // namespace neumann
