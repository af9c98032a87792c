#include "learn/clauses/detour.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "learn/clauses/edit_clause.h"

namespace neumann {
namespace {

class Follower {
public:
    Follower(Program& program, const ModeChecker& checker, const std::function<void(const Clause&)>& found)
        : signature_(program.signature), terms_(program.terms), checker_(checker), found_(found) {}

    // Decides about one variable: the last open one, or else the last of the later ones.
    void go_on(Detour detour) {
        if (!detour.open.empty()) {
            const std::uint32_t v = detour.open.back();
            detour.open.pop_back();
            instantiate(detour, v);
            go_on(std::move(detour));  // it stays as it is
        } else if (!detour.later.empty()) {
            const std::uint32_t v = detour.later.back();
            detour.later.pop_back();
            apply_functors(detour, v);
            go_on(std::move(detour));
        }
    }

private:
    void instantiate(const Detour& detour, std::uint32_t v) {
        const TypeId type = detour.clause.variables[v].type;
        for (ConstantId c : signature_.type(type).constants) consider(detour, v, terms_.constant(c));
        apply_functors(detour, v);
        for (std::uint32_t other : variables_among(terms_, parts_of(terms_, detour.clause))) {
            // With an open one: it will be that one's turn.
            const bool open = std::ranges::find(detour.open, other) != detour.open.end();
            if (other != v && !open && detour.clause.variables[other].type == type)
                consider(detour, v, terms_.variable(other));
        }
    }

    void apply_functors(const Detour& detour, std::uint32_t v) {
        for (FunctorId f : signature_.type(detour.clause.variables[v].type).functors) {
            Detour next = detour;
            std::vector<TermId> args;
            for (TypeId type : signature_.functor(f).args) args.push_back(add_variable(terms_, next.clause, type));
            for (std::size_t i = args.size(); i-- > 0;) next.open.push_back(terms_.variable_index(args[i]));
            consider(std::move(next), v, terms_.compound(f, args));
        }
    }

    void consider(Detour detour, std::uint32_t v, TermId term) {
        detour.clause = replace(terms_, std::move(detour.clause), terms_.variable(v), term);
        for (TermId& slot : detour.slots) slot = replace(terms_, slot, terms_.variable(v), term);
        const Membership membership = checker_.check(detour.clause);
        if (membership == Membership::Outside || passes_near(detour)) return;
        if (membership == Membership::TooManyVariables) return go_on(std::move(detour));
        if (!is_one_step_away(detour.clause)) found_(detour.clause);
    }

    // Whether a part of the steps leads to a clause of the language, except for the number of its variables: take
    // variables for some of the terms in the slots and count.
    bool passes_near(const Detour& detour) const {
        std::vector<TermId> compounds;
        std::vector<std::uint32_t> variables = detour.fixed;
        for (TermId slot : detour.slots) {
            for_each_part(terms_, slot, [&](TermId part) {
                if (terms_.kind(part) == TermKind::Compound) {
                    if (std::ranges::find(compounds, part) == compounds.end()) compounds.push_back(part);
                } else if (terms_.kind(part) == TermKind::Variable) {
                    const std::uint32_t v = terms_.variable_index(part);
                    if (std::ranges::find(variables, v) == variables.end()) variables.push_back(v);
                }
            });
        }
        if (compounds.size() > most_compounds || variables.size() + compounds.size() > 64) return false;
        const auto bit = [](std::size_t i) { return std::uint64_t{1} << i; };
        const std::uint64_t fixed = bit(detour.fixed.size()) - 1;
        std::uint64_t taken = 0;  // the compounds that are variables now
        const auto variables_in = [&](auto&& self, TermId term) -> std::uint64_t {
            if (terms_.kind(term) == TermKind::Constant) return 0;
            if (terms_.kind(term) == TermKind::Variable)
                return bit(static_cast<std::size_t>(std::ranges::find(variables, terms_.variable_index(term)) -
                                                    variables.begin()));
            const auto number = static_cast<std::size_t>(std::ranges::find(compounds, term) - compounds.begin());
            if ((taken & bit(number)) != 0) return bit(variables.size() + number);
            std::uint64_t all = 0;
            for (TermId arg : terms_.args(term)) all |= self(self, arg);
            return all;
        };
        for (taken = 1; taken < bit(compounds.size()); ++taken) {
            std::uint64_t all = fixed;
            bool different_variables = true;  // in all slots: that is where the detour started
            for (TermId slot : detour.slots) {
                const std::uint64_t here = variables_in(variables_in, slot);
                const auto number = static_cast<std::size_t>(std::ranges::find(compounds, slot) - compounds.begin());
                const bool variable = number < compounds.size() ? (taken & bit(number)) != 0 : here != 0;
                different_variables = different_variables && variable && (all & here) == 0;
                all |= here;
            }
            if (!different_variables && static_cast<std::uint32_t>(std::popcount(all)) <= most_variables()) return true;
        }
        return false;
    }
    std::uint32_t most_variables() const { return checker_.language().bounds.max_variables; }

    // Whether one of the steps of refinement leads here from a clause of the language: adding an atom with variables,
    // or applying a functor. (The others would come from a clause with too many variables.)
    bool is_one_step_away(const Clause& clause) {
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            Clause rest = clause;
            rest.body.erase(rest.body.begin() + static_cast<std::ptrdiff_t>(i));
            if (adds(rest, clause.body[i].atom) && checker_.check(rest) == Membership::Inside) return true;
        }
        for (TermId part : parts_of(terms_, clause)) {
            if (terms_.kind(part) != TermKind::Compound) continue;
            Clause general = clause;
            const TermId variable = add_variable(terms_, general, checker_.type_of(clause, part));
            general = replace(terms_, std::move(general), part, variable);
            const std::vector<TermId> others = parts_of(terms_, general);
            std::vector<TermId> seen;
            const bool only_here = std::ranges::all_of(terms_.args(part), [&](TermId arg) {
                if (terms_.kind(arg) != TermKind::Variable || std::ranges::find(seen, arg) != seen.end()) return false;
                seen.push_back(arg);
                return std::ranges::find(others, arg) == others.end();
            });
            if (only_here && checker_.check(general) == Membership::Inside) return true;
        }
        return false;
    }
    bool adds(const Clause& rest, const Atom& atom) const {
        const std::vector<TermId> parts = parts_of(terms_, rest);
        return std::ranges::any_of(checker_.language().modes, [&](const Mode& mode) {
            if (mode.head || mode.predicate != atom.predicate) return false;
            for (std::size_t p = 0; p < atom.args.size(); ++p) {
                const TermId arg = atom.args[p];
                const ModePlace::Kind kind = mode.places[p].kind;
                if ((terms_.kind(arg) == TermKind::Constant) != (kind == ModePlace::Kind::Constant)) return false;
                if (kind == ModePlace::Kind::Constant) continue;
                if (terms_.kind(arg) != TermKind::Variable) return false;
                if (std::ranges::find(parts, arg) != parts.end()) continue;
                if (kind == ModePlace::Kind::Input || std::ranges::count(atom.args, arg) > 1) return false;
            }
            return true;
        });
    }

    static constexpr std::size_t most_compounds = 12;  // beyond that, passing near goes unnoticed

    const Signature& signature_;
    TermTable& terms_;
    const ModeChecker& checker_;
    const std::function<void(const Clause&)>& found_;
};

}  // namespace

void follow_detour(Program& program, const ModeChecker& checker, const Detour& start,
                   const std::function<void(const Clause&)>& found) {
    Follower(program, checker, found).go_on(start);
}

}  // namespace neumann
