#include "syntax/infer_types.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "logic/arithmetic.h"
#include "logic/print.h"
#include "syntax/type_names.h"

namespace neumann::syntax {
namespace {

// A typing error: one letter too many, missing, wrong or swapped with the next. Digits distinguish names (node1,
// node2), and so do single letters in short words.
bool is_slip(std::string_view a, std::string_view b) {
    if (a.size() < b.size()) std::swap(a, b);
    if (a.size() < 4 || a.size() - b.size() > 1) return false;
    const std::size_t at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    if (at == a.size() || (a[at] >= '0' && a[at] <= '9')) return false;
    if (a.size() > b.size()) return a.substr(at + 1) == b.substr(at);
    const bool swapped = at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at];
    return a.substr(at + 1) == b.substr(at + 1) || (swapped && a.substr(at + 2) == b.substr(at + 2));
}

// Whether a declared name is so near that the other one is more likely a typing mistake than a name of its own: the
// same name with another number of arguments, or one that differs a little and takes as many.
class DeclaredNames {
public:
    void add(const std::string& name, std::size_t arity = 0) {
        names_.insert(name);
        by_arity_[arity].push_back(name);
    }
    bool has_like(std::string_view name, std::size_t arity = 0) const {
        const auto same_arity = by_arity_.find(arity);
        return names_.contains(name) ||
               (same_arity != by_arity_.end() && std::ranges::any_of(same_arity->second, [&](const std::string& other) {
                    return is_slip(name, other);
                }));
    }

private:
    std::set<std::string, std::less<>> names_;
    std::map<std::size_t, std::vector<std::string>> by_arity_;
};

class TypeInference {
public:
    TypeInference(TypeUses& uses, Program& program)
        : uses_(uses), classes_(uses.classes()), signature_(program.signature) {}

    void run() {
        choose_predicates();
        pin_declared();
        pin_modes();
        join_lists();
        choose_functors();
        join_numbers();
        names_.emplace(uses_, signature_);
        add_predicates();
        add_functors();
        make_declared_lists();
        add_constants();
        suggest_declarations();
        explain();
    }

private:
    void choose_predicates() {
        DeclaredNames declared;
        for (const PredicateDecl& predicate : signature_.predicates())
            declared.add(predicate.name, predicate.args.size());
        for (const PredicateUse& use : uses_.predicates()) {
            const bool fact_of_another_language = use.name == "query" || use.name == "evidence";
            const bool defined = use.defined() || uses_.has_broken_clause(use.name);
            const bool known = !signature_.find_predicate(use.name, use.arity).is_none();
            new_predicates_.push_back(!known && defined && !fact_of_another_language &&
                                      !signature_.is_broken(use.name) && !declared.has_like(use.name, use.arity));
        }
    }

    void pin_declared() {
        for (std::size_t t = 0; t < signature_.types().size(); ++t) add_type_place(checked_id<TypeId>(t, "types"));
        for (std::size_t t = 0; t < type_places_.size(); ++t) {
            if (const auto& list = signature_.types()[t].list)
                classes_.set_element(type_places_[t], type_places_[list->element.index()]);
        }
        for (const PredicateUse& use : uses_.predicates()) {
            const PredicateId id = signature_.find_predicate(use.name, use.arity);
            if (!id.is_none()) pin(use.first, signature_.predicate(id).args);
        }
        for (const FunctorUse& use : uses_.functors()) {
            const FunctorId id = signature_.find_functor(use.name, use.arity);
            if (id.is_none()) continue;
            pin(use.first, signature_.functor(id).args);
            pin(use.result(), {signature_.functor(id).result});
        }
    }

    // A mode of an undeclared predicate names the types of its places.
    void pin_modes() {
        DeclaredNames declared;
        for (const TypeDecl& type : signature_.types()) {
            if (!type.inferred) declared.add(type.name);
        }
        for (const NamedPlace& named : uses_.named_places()) {
            if (!new_predicates_[named.predicate]) continue;
            TypeId type = signature_.find_type(named.type);
            if (type.is_none()) {
                if (declared.has_like(named.type) || signature_.is_broken(named.type)) continue;
                type = add_open_type(std::string(named.type), named.span);
                add_type_place(type);
            }
            pin(uses_.predicates()[named.predicate].first + named.argument, {type});
        }
    }

    // Lists of the same elements are of one type: the declared one if there is one.
    void join_lists() {
        for (bool changed = true; changed;) {
            changed = false;
            std::map<Place, Place> lists;  // by the root of their elements; no_place where two are declared
            for (std::size_t t = 0; t < type_places_.size(); ++t) {
                if (!signature_.types()[t].list) continue;
                const Place element = classes_.find(classes_.known_element(type_places_[t]));
                const auto [entry, added] = lists.try_emplace(element, type_places_[t]);
                if (!added) entry->second = no_place;
            }
            for (Place place = 0; place < classes_.size(); ++place) {
                const Place element = classes_.known_element(place);
                if (element == no_place || classes_.find(place) != place || !classes_.type(place).is_none()) continue;
                const auto [entry, added] = lists.try_emplace(classes_.find(element), place);
                if (added || entry->second == no_place) continue;
                classes_.join(entry->second, place, {});
                changed = true;
            }
        }
    }

    void add_type_place(TypeId type) {
        type_places_.push_back(classes_.add());
        classes_.set_type(type_places_.back(), type);
    }

    void pin(Place first, const std::vector<TypeId>& types) {
        for (std::size_t i = 0; i < types.size(); ++i) {
            const Place place = first + static_cast<Place>(i);
            classes_.join(place, type_places_[types[i].index()], {});
        }
    }

    // A type whose constants are declared has the functors that are declared.
    void choose_functors() {
        DeclaredNames declared;
        for (const FunctorDecl& functor : signature_.functors()) declared.add(functor.name, functor.args.size());
        for (const FunctorUse& use : uses_.functors()) {
            const TypeId result = classes_.type(use.result());
            const bool closed = !result.is_none() && !signature_.type(result).open;
            new_functors_.push_back(!closed && !signature_.is_broken(use.name) &&
                                    !declared.has_like(use.name, use.arity));
        }
    }

    // All that is computed with is of one type, unless it is more than numbers.
    void join_numbers() {
        std::set<Place> others;  // roots
        for (const ConstantUse& use : uses_.constants()) {
            if (!parse_number(use.name)) others.insert(classes_.find(use.place));
        }
        for (const FunctorUse& use : uses_.functors()) others.insert(classes_.find(use.result()));
        Place numbers = no_place;
        for (Place place = 0; place < classes_.size(); ++place) {
            if (!classes_.is_number(place) || !classes_.type(place).is_none() || others.contains(classes_.find(place)))
                continue;
            if (classes_.known_element(place) != no_place) continue;
            if (numbers == no_place) numbers = place;
            classes_.join(numbers, place, {});
        }
    }

    void add_predicates() {
        for (std::size_t p = 0; p < new_predicates_.size(); ++p) {
            if (!new_predicates_[p]) continue;
            const PredicateUse& use = uses_.predicates()[p];
            const PredicateId id =
                signature_.add_predicate(std::string(use.name), types_of(use.first, use.arity), false, use.span);
            signature_.predicate(id).inferred = true;
        }
    }

    // Suggests declarations for predicates that are used but not defined: their places have types like those of any
    // other.
    void suggest_declarations() {
        for (std::size_t p = 0; p < new_predicates_.size(); ++p) {
            const PredicateUse& use = uses_.predicates()[p];
            if (use.defined() || !signature_.find_predicate(use.name, use.arity).is_none()) continue;
            std::string arguments;
            for (const TypeId type : types_of(use.first, use.arity))
                arguments += (arguments.empty() ? "" : ", ") + quote_name(signature_.type(type).name);
            signature_.suggest_declaration(
                use.name, use.arity,
                fmt::format(":- neural({}{}).", quote_name(use.name), arguments.empty() ? "" : "(" + arguments + ")"));
        }
    }

    void add_functors() {
        for (std::size_t f = 0; f < new_functors_.size(); ++f) {
            const FunctorUse& use = uses_.functors()[f];
            if (!new_functors_[f] || !signature_.find_functor(use.name, use.arity).is_none()) continue;
            const FunctorId id = signature_.add_functor(std::string(use.name), types_of(use.first, use.arity),
                                                        type_of(use.result()), use.span);
            signature_.functor(id).inferred = true;
        }
    }

    std::vector<TypeId> types_of(Place first, std::uint32_t count) {
        std::vector<TypeId> types;
        for (std::uint32_t i = 0; i < count; ++i) types.push_back(type_of(first + i));
        return types;
    }

    TypeId type_of(Place place) {
        if (const TypeId known = classes_.type(place); !known.is_none()) return known;
        const Place element = classes_.known_element(place);
        const bool list = element != no_place && !is_within_itself(place);
        const TypeId elements = list ? type_of(element) : TypeId::none();
        const std::string name = names_->name_of(place, elements);
        const TypeId type = add_open_type(name, names_->span_of(place));
        classes_.set_type(place, type);
        if (list) add_list(type, elements);
        return type;
    }

    // [X|X]: a list would be an element of itself. It is no list then, and the brackets are reported.
    bool is_within_itself(Place list) const {
        std::set<Place> seen;
        for (Place place = list; place != no_place; place = classes_.known_element(place)) {
            if (!seen.insert(classes_.find(place)).second) return true;
        }
        return false;
    }

    TypeId add_open_type(std::string name, Span span) {
        const TypeId type = signature_.add_type(std::move(name), span);
        signature_.type(type).open = true;
        signature_.type(type).inferred = true;
        return type;
    }

    void add_list(TypeId type, TypeId element) {
        const Span span = signature_.type(type).span;
        std::string cell = "[|]";
        if (!signature_.find_functor(cell, 2).is_none()) cell += "_" + signature_.type(type).name;
        const FunctorId cons = signature_.add_functor(std::move(cell), {element, type}, type, span);
        signature_.functor(cons).inferred = true;
        const ConstantId empty = signature_.add_constant("[]", type, span);
        signature_.type(type).list = ListSugar{element, cons, empty, true};
        signature_.type(type).list_span = span;
    }

    // A type that declarations only name is one of lists if lists stand at its places.
    void make_declared_lists() {
        for (std::size_t t = 0; t < type_places_.size(); ++t) {
            const TypeDecl& type = signature_.types()[t];
            const Place element = classes_.known_element(type_places_[t]);
            if (!type.open || type.list || element == no_place || is_within_itself(type_places_[t])) continue;
            const TypeId elements = type_of(element);
            add_list(checked_id<TypeId>(t, "types"), elements);
        }
    }

    void add_constants() {
        for (const ConstantUse& use : uses_.constants()) {
            const TypeId type = classes_.type(use.place);
            if (type.is_none() || !signature_.type(type).open) continue;
            if (signature_.find_constant(use.name, type).is_none())
                signature_.add_constant(std::string(use.name), type, use.span);
        }
    }

    void explain() {
        for (const PredicateUse& use : uses_.predicates()) {
            if (signature_.find_predicate(use.name, use.arity).is_none()) continue;
            for (std::uint32_t i = 0; i < use.arity; ++i)
                explain(use.first + i, fmt::format("{}/{} argument {}", use.name, use.arity, i + 1), use.span);
        }
        for (const FunctorUse& use : uses_.functors()) {
            if (signature_.find_functor(use.name, use.arity).is_none()) continue;
            for (std::uint32_t i = 0; i < use.arity; ++i)
                explain(use.first + i, fmt::format("functor {}/{} argument {}", use.name, use.arity, i + 1), use.span);
            explain(use.result(), fmt::format("functor {}/{}", use.name, use.arity), use.span);
        }
    }

    void explain(Place place, std::string what, Span span) {
        const TypeId id = classes_.type(place);
        if (id.is_none() || !signature_.type(id).inferred) return;
        TypeDecl& type = signature_.type(id);
        TypePlace reason{std::move(what), {}, span};
        const auto& join = classes_.reason(place);
        if (!type.places.empty() && join && !join->by.empty()) {
            reason.joined_by = join->by;
            reason.span = join->span;
        }
        type.places.push_back(std::move(reason));
    }

    TypeUses& uses_;
    TypeClasses& classes_;
    Signature& signature_;
    std::vector<Place> type_places_;  // of the declared types
    std::vector<bool> new_predicates_;
    std::vector<bool> new_functors_;
    std::optional<TypeNames> names_;
};

}  // namespace

void infer_types(TypeUses& uses, Program& program) { TypeInference(uses, program).run(); }

}  // namespace neumann::syntax
