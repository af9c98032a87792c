#include "learn/clauses/modes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "learn/clauses/edit_clause.h"
#include "logic/substitution.h"

namespace neumann {
namespace {

constexpr std::uint32_t infinite_depth = std::numeric_limits<std::uint32_t>::max();  // of a type without terms

void add_sorted(std::vector<TermId>& sorted, TermId term) {
    const auto at = std::ranges::lower_bound(sorted, term);
    if (at == sorted.end() || *at != term) sorted.insert(at, term);
}

// Gives each body atom one of the modes that it matches and looks for an order in which '+' places are bound. For given
// modes the order is found greedily: placing an atom never takes a term away.
class BodyOrder {
public:
    using PlacedAtom = ModeChecker::PlacedAtom;

    BodyOrder(const TermTable& terms, const Clause& clause, const std::vector<Mode>& modes,
              const std::vector<std::vector<std::size_t>>& choices)
        : terms_(terms), clause_(clause), modes_(modes), choices_(choices), left_(modes.size(), 0) {
        for (std::size_t m = 0; m < modes.size(); ++m)
            left_[m] = modes[m].recall.value_or(std::numeric_limits<std::uint32_t>::max());
    }

    std::optional<std::vector<PlacedAtom>> find() {
        if (!place_all(choices_)) return std::nullopt;  // not even without recalls
        assigned_.resize(choices_.size());
        if (!assign(0)) return std::nullopt;
        return order_;
    }

private:
    bool assign(std::size_t atom) {
        if (atom == choices_.size()) return place_all(assigned_);
        for (std::size_t mode : choices_[atom]) {
            if (left_[mode] == 0) continue;
            --left_[mode];
            assigned_[atom] = {mode};
            const bool found = assign(atom + 1);
            ++left_[mode];
            if (found) return true;
        }
        return false;
    }

    bool place_all(const std::vector<std::vector<std::size_t>>& choices) {
        order_.clear();
        std::vector<TermId> known;
        const auto learn = [&](const Atom& atom) {
            for (TermId arg : atom.args) for_each_part(terms_, arg, [&](TermId part) { add_sorted(known, part); });
        };
        learn(clause_.head);
        std::vector<bool> placed(choices.size(), false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < choices.size(); ++i) {
                if (placed[i]) continue;
                const Atom& atom = clause_.body[i].atom;
                const auto mode =
                    std::ranges::find_if(choices[i], [&](std::size_t m) { return bound(modes_[m], atom, known); });
                if (mode == choices[i].end()) continue;
                placed[i] = changed = true;
                order_.push_back({i, *mode});
                learn(atom);
            }
        }
        return order_.size() == choices.size();
    }

    static bool bound(const Mode& mode, const Atom& atom, const std::vector<TermId>& known) {
        for (std::size_t p = 0; p < mode.places.size(); ++p) {
            if (mode.places[p].kind == ModePlace::Kind::Input && !std::ranges::binary_search(known, atom.args[p]))
                return false;
        }
        return true;
    }

    const TermTable& terms_;
    const Clause& clause_;
    const std::vector<Mode>& modes_;
    const std::vector<std::vector<std::size_t>>& choices_;  // per atom: the modes it matches
    std::vector<std::uint32_t> left_;                       // per mode: how many more atoms may use it
    std::vector<std::vector<std::size_t>> assigned_;
    std::vector<PlacedAtom> order_;
};

}  // namespace

ModeChecker::ModeChecker(const Program& program, SearchLanguage language)
    : signature_(program.signature), terms_(program.terms), language_(std::move(language)), bounds_(signature_) {
    find_least_depths();
    for (const Mode& mode : language_.modes) {
        if (!mode.unordered || find_exchangeable(exchangeable_, mode.predicate) != nullptr) continue;
        std::vector<std::uint32_t> group;
        for (const ModePlace& place : mode.places) {
            const auto first = std::ranges::find(mode.places, place.type, &ModePlace::type);
            group.push_back(static_cast<std::uint32_t>(first - mode.places.begin()));
        }
        exchangeable_.push_back({mode.predicate, std::move(group)});
    }
}

bool ModeChecker::is_same_goal(const Literal& a, const Literal& b) const {
    if (a == b) return true;
    const ExchangeablePlaces* places = find_exchangeable(exchangeable_, a.atom.predicate);
    if (places == nullptr || a.negated != b.negated || a.atom.predicate != b.atom.predicate) return false;
    const auto by_group = [&](const Atom& atom) {
        std::vector<std::pair<std::uint32_t, TermId>> args;
        for (std::size_t p = 0; p < atom.args.size(); ++p) args.emplace_back(places->group[p], atom.args[p]);
        std::ranges::sort(args);
        return args;
    };
    return by_group(a.atom) == by_group(b.atom);
}

void ModeChecker::remove_same_goals(Clause& clause) const {
    if (exchangeable_.empty()) return;
    std::vector<Literal> kept;
    for (Literal& goal : clause.body) {
        if (std::ranges::none_of(kept, [&](const Literal& other) { return is_same_goal(goal, other); }))
            kept.push_back(std::move(goal));
    }
    clause.body = std::move(kept);
}

void ModeChecker::find_least_depths() {
    least_depths_.assign(signature_.types().size(), infinite_depth);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t t = 0; t < least_depths_.size(); ++t) {
            const TypeDecl& type = signature_.types()[t];
            std::uint32_t least = type.constants.empty() ? infinite_depth : 0;
            for (FunctorId f : type.functors) {
                std::uint32_t deepest = 0;
                for (TypeId arg : signature_.functor(f).args) deepest = std::max(deepest, least_depths_[arg.index()]);
                if (deepest != infinite_depth) least = std::min(least, deepest + 1);
            }
            changed = changed || least != least_depths_[t];
            least_depths_[t] = least;
        }
    }
    std::ranges::replace(least_depths_, infinite_depth, 0U);  // types without terms: nothing follows
}

std::vector<Mode> ModeChecker::head_modes(PredicateId predicate) const {
    std::vector<Mode> found;
    std::ranges::copy_if(language_.modes, std::back_inserter(found),
                         [&](const Mode& mode) { return mode.head && mode.predicate == predicate; });
    if (!found.empty()) return found;
    Mode open;
    open.head = true;
    open.predicate = predicate;
    for (TypeId type : signature_.predicate(predicate).args) open.places.push_back({ModePlace::Kind::Input, type});
    return {open};
}

TypeId ModeChecker::type_of(const Clause& clause, TermId term) const {
    switch (terms_.kind(term)) {
    case TermKind::Variable:
        return clause.variables[terms_.variable_index(term)].type;
    case TermKind::Constant:
        return signature_.constant(terms_.constant_of(term)).type;
    case TermKind::Compound:
        break;
    }
    return signature_.functor(terms_.functor_of(term)).result;
}

bool ModeChecker::is_pattern(TermId term) const {
    switch (terms_.kind(term)) {
    case TermKind::Variable:
        return true;
    case TermKind::Constant:
        return !signature_.type(signature_.constant(terms_.constant_of(term)).type).functors.empty();
    case TermKind::Compound:
        break;
    }
    return std::ranges::all_of(terms_.args(term), [&](TermId arg) { return is_pattern(arg); });
}

bool ModeChecker::matches(const Mode& mode, const Atom& atom) const {
    if (mode.predicate != atom.predicate) return false;
    for (std::size_t p = 0; p < mode.places.size(); ++p) {
        const bool fits = mode.places[p].kind == ModePlace::Kind::Constant
                              ? terms_.kind(atom.args[p]) == TermKind::Constant
                              : is_pattern(atom.args[p]);
        if (!fits) return false;
    }
    return true;
}

std::uint32_t ModeChecker::least_depth(const Clause& clause, TermId term) const {
    if (terms_.kind(term) == TermKind::Variable) return least_depths_[type_of(clause, term).index()];
    if (terms_.kind(term) == TermKind::Constant) return 0;
    std::uint32_t deepest = 0;
    for (TermId arg : terms_.args(term)) deepest = std::max(deepest, least_depth(clause, arg));
    return deepest + 1;
}

bool ModeChecker::fits_list_bounds(TermId cell) const {
    const FunctorDecl& functor = signature_.functor(terms_.functor_of(cell));
    const TypeDecl& type = signature_.type(functor.result);
    const TypeDecl& element = signature_.type(functor.args[0]);
    std::vector<TermId> elements;
    for (TermId tail = cell; terms_.kind(tail) == TermKind::Compound && signature_.is_cell(terms_.functor_of(tail));
         tail = terms_.args(tail)[1]) {
        elements.push_back(terms_.args(tail)[0]);
    }
    if (type.max_length && elements.size() > *type.max_length) return false;
    if (!type.no_repeats) return true;
    if (std::ranges::find(elements.begin() + 1, elements.end(), elements[0]) != elements.end()) return false;
    return !element.functors.empty() || element.constants.empty() || elements.size() <= element.constants.size();
}

bool ModeChecker::may_have_instances(const Clause& clause, TermId term) const {
    if (terms_.kind(term) != TermKind::Compound) return true;
    const FunctorId functor = terms_.functor_of(term);
    const TypeDecl& type = signature_.type(signature_.functor(functor).result);
    if (type.max_depth && least_depth(clause, term) > *type.max_depth) return false;
    if (signature_.is_cell(functor) && !fits_list_bounds(term)) return false;
    return std::ranges::all_of(terms_.args(term), [&](TermId arg) { return may_have_instances(clause, arg); });
}

bool ModeChecker::may_have_instances(const Clause& clause, const Atom& atom) const {
    return bounds_.admits(atom.predicate, atom.args) && std::ranges::all_of(atom.args, [&](TermId arg) {
               return terms_.depth(arg) <= language_.bounds.max_depth && may_have_instances(clause, arg);
           });
}

std::optional<std::vector<ModeChecker::PlacedAtom>> ModeChecker::order_body(const Clause& clause) const {
    std::vector<std::vector<std::size_t>> choices(clause.body.size());
    for (std::size_t i = 0; i < clause.body.size(); ++i) {
        for (std::size_t m = 0; m < language_.modes.size(); ++m) {
            const Mode& mode = language_.modes[m];
            if (!mode.head && !clause.body[i].negated && matches(mode, clause.body[i].atom)) choices[i].push_back(m);
        }
    }
    return BodyOrder(terms_, clause, language_.modes, choices).find();
}

Membership ModeChecker::check(const Clause& clause) const {
    if (clause.body.size() > language_.bounds.max_body) return Membership::Outside;
    if (std::ranges::find(clause.body, clause.head, &Literal::atom) != clause.body.end()) return Membership::Outside;
    const auto possible = [&](const Atom& atom) { return may_have_instances(clause, atom); };
    if (!possible(clause.head) || !std::ranges::all_of(clause.body, possible, &Literal::atom))
        return Membership::Outside;
    const std::vector<Mode> heads = head_modes(clause.head.predicate);
    if (std::ranges::none_of(heads, [&](const Mode& mode) { return matches(mode, clause.head); }))
        return Membership::Outside;
    if (!order_body(clause)) return Membership::Outside;

    std::vector<bool> seen(clause.variables.size(), false);
    const auto see = [&](const Atom& atom) {
        for (TermId arg : atom.args) for_each_variable(terms_, arg, [&](std::uint32_t v) { seen[v] = true; });
    };
    see(clause.head);
    std::ranges::for_each(clause.body, see, &Literal::atom);
    return std::ranges::count(seen, true) > language_.bounds.max_variables ? Membership::TooManyVariables
                                                                           : Membership::Inside;
}

}  // namespace neumann
