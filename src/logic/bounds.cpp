#include "logic/bounds.h"

#include <algorithm>

#include <fmt/format.h>

#include "logic/print.h"

namespace neumann {

TermBounds::TermBounds(const Signature& signature)
    : signature_(signature), inhabited_(signature.types().size(), false), finite_(signature.types().size(), false) {
    find_inhabited();
    find_finite();
    find_shapes();
}

void TermBounds::find_inhabited() {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t t = 0; t < inhabited_.size(); ++t) {
            const TypeDecl& type = signature_.types()[t];
            const bool now =
                type.open || !type.constants.empty() || std::ranges::any_of(type.functors, [&](FunctorId f) {
                    return type.max_depth != 0U &&
                           std::ranges::all_of(signature_.functor(f).args, [&](TypeId a) { return is_inhabited(a); });
                });
            changed = changed || now != inhabited_[t];
            inhabited_[t] = now;
        }
    }
}

// A least fixpoint: a type is finite once its functors lead only to finite types. A list cell under a length bound, or
// without repeated elements of a finite type, does not count its own tail.
void TermBounds::find_finite() {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t t = 0; t < finite_.size(); ++t) {
            const TypeDecl& type = signature_.types()[t];
            const auto ends = [&](FunctorId f) {
                const FunctorDecl& functor = signature_.functor(f);
                if (!std::ranges::all_of(functor.args, [&](TypeId a) { return is_inhabited(a); })) return true;
                const bool bounded_cell = signature_.is_cell(f) && (type.max_length || type.no_repeats);
                if (bounded_cell) return type.max_length == 0U || is_finite(functor.args[0]);
                return std::ranges::all_of(functor.args, [&](TypeId a) { return is_finite(a); });
            };
            const bool now = type.max_depth || !inhabited_[t] || std::ranges::all_of(type.functors, ends);
            changed = changed || now != finite_[t];
            finite_[t] = now;
        }
    }
}

void TermBounds::find_shapes() {
    for (std::size_t f = 0; f < signature_.functors().size(); ++f) {
        const auto id = checked_id<FunctorId>(f, "functors");
        const FunctorDecl& functor = signature_.functor(id);
        const TypeDecl& type = signature_.type(functor.result);
        Shape shape;
        shape.max_depth = type.max_depth.value_or(no_bound);
        shape.cell = signature_.is_cell(id);
        if (shape.cell) {
            shape.no_repeats = type.no_repeats;
            shape.max_length = type.max_length.value_or(no_bound);
            shape.depth_is_length = type.functors.size() == 1 && signature_.type(functor.args[0]).functors.empty();
        }
        shapes_.push_back(shape);
    }
}

std::optional<std::uint32_t> TermBounds::depth_limit(TypeId type) const {
    std::uint32_t limit = signature_.type(type).max_depth.value_or(no_bound);
    for (FunctorId f : signature_.type(type).functors) {
        if (shapes_[f.index()].depth_is_length) limit = std::min(limit, shapes_[f.index()].max_length);
    }
    return limit == no_bound ? std::nullopt : std::optional(limit);
}

bool TermBounds::admits(const TermTable& terms, FunctorId functor, std::span<const TermId> args) const {
    const Shape& shape = shapes_[functor.index()];
    if (shape.max_depth != no_bound) {
        for (TermId arg : args) {
            if (terms.depth(arg) >= shape.max_depth) return false;
        }
    }
    if (shape.max_length == no_bound && !shape.no_repeats) return true;
    if (shape.depth_is_length && !shape.no_repeats) return terms.depth(args[1]) < shape.max_length;
    std::uint32_t length = 1;
    for (TermId tail = args[1]; terms.kind(tail) == TermKind::Compound && shapes_[terms.functor_of(tail).index()].cell;
         tail = terms.args(tail)[1]) {
        if (shape.no_repeats && terms.args(tail)[0] == args[0]) return false;
        ++length;
    }
    return length <= shape.max_length;
}

bool TermBounds::admits(const TermTable& terms, TermId term) const {
    // Walks down the last argument in a loop: lists and numbers nest there, possibly very deep.
    while (terms.kind(term) == TermKind::Compound) {
        const std::span<const TermId> args = terms.args(term);
        if (!admits(terms, terms.functor_of(term), args)) return false;
        for (TermId arg : args.first(args.size() - 1)) {
            if (!admits(terms, arg)) return false;
        }
        term = args.back();
    }
    return true;
}

bool TermBounds::admits(PredicateId predicate, std::span<const TermId> args) const {
    if (!signature_.predicate(predicate).distinct) return true;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (std::ranges::find(args.subspan(i + 1), args[i]) != args.end()) return false;
    }
    return true;
}

std::string TermBounds::how_to_bound(TypeId type) const {
    const TypeDecl& decl = signature_.type(type);
    const std::string name = quote_name(decl.name);
    return decl.list ? fmt::format("bound it: :- max_length({}, 3).", name)
                     : fmt::format("bound it: :- max_depth({}, 10).  (or --term-depth 10)", name);
}

}  // namespace neumann
