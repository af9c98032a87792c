// Bounds of types: the declared limits that decide which ground terms exist.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logic/signature.h"
#include "logic/term.h"

namespace neumann {

class TermBounds {
public:
    explicit TermBounds(const Signature& signature);

    bool is_finite(TypeId type) const { return finite_[type.index()]; }
    bool is_inhabited(TypeId type) const { return inhabited_[type.index()]; }

    // No term of the type is deeper than this, as far as that follows from its own bounds; none if nothing follows.
    std::optional<std::uint32_t> depth_limit(TypeId type) const;

    // Whether f(args) is within the bounds of its type, given that the arguments are within theirs.
    bool admits(const TermTable& terms, FunctorId functor, std::span<const TermId> args) const;
    // Whether the ground term and all its parts are within their bounds.
    bool admits(const TermTable& terms, TermId term) const;
    // Whether the predicate may hold of these arguments at all (distinct arguments, where declared).
    bool admits(PredicateId predicate, std::span<const TermId> args) const;

    // "bound it with :- max_depth(number, 10).", the advice for an infinite type.
    std::string how_to_bound(TypeId type) const;

private:
    // The properties of a functor that admits() needs, cached because it is called often.
    struct Shape {
        bool cell = false;             // a list cell
        bool no_repeats = false;       // … of a list without repeated elements
        bool depth_is_length = false;  // elements have no depth of their own: a list is as long as it is deep
        std::uint32_t max_depth = no_bound;
        std::uint32_t max_length = no_bound;
    };
    static constexpr std::uint32_t no_bound = 0xffffffffU;

    void find_inhabited();
    void find_finite();
    void find_shapes();

    const Signature& signature_;
    std::vector<Shape> shapes_;  // per functor
    std::vector<bool> inhabited_;
    std::vector<bool> finite_;
};

}  // namespace neumann
