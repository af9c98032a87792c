// Typed universe: all ground terms of a type within its bounds, in canonical order (by depth, then constants and
// functors in order of declaration, then arguments).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/pod_vector.h"
#include "base/slot_table.h"
#include "logic/bounds.h"
#include "logic/program.h"

namespace neumann {

class Universe {
public:
    // Terms are interned into the program's own table.
    Universe(Program& program, const TermBounds& bounds, std::uint64_t memory_limit);

    // Enumerates these types completely, and the types they are built from as far as necessary. All at once: a
    // second call starts anew. With or without the numbers computed while grounding. Throws GroundingLimit.
    void enumerate(const std::vector<bool>& wanted, bool with_computed = false);

    bool is_enumerated(TypeId type) const { return enumerated_[type.index()]; }  // completely
    std::span<const TermId> terms(TypeId type) const { return terms_[type.index()].span(); }
    bool contains(TermId term) const { return term.index() < ranks_.size() && ranks_[term.index()] != no_rank; }
    // Position of a term among the terms of its type.
    std::uint32_t rank(TermId term) const { return ranks_[term.index()]; }
    std::uint64_t size() const;  // of all enumerated types together
    // How many values an argument of a predicate can take: fewer where earlier arguments of its type are excluded
    // (distinct).
    std::uint64_t choices(const PredicateDecl& predicate, std::size_t argument) const;
    std::uint64_t
    count_atoms(const PredicateDecl& predicate) const;  // stays at the largest value instead of overflowing

    // The terms f(…) for which the arguments at the places in `mask` are given; `key` holds those, in order.
    std::span<const TermId> with_args(FunctorId functor, std::uint32_t mask, std::span<const TermId> key) const;
    // Makes with_args available for this pattern.
    void index(FunctorId functor, std::uint32_t mask);
    std::span<const TermId> applications(FunctorId functor) const { return applications_[functor.index()].span(); }

private:
    static constexpr std::uint32_t no_rank = 0xffffffffU;
    // Terms grouped by the arguments at the places of a mask. One known argument is the common case: its rank is the
    // group.
    struct PatternIndex {
        SlotTable groups;                // key → group, for several known arguments
        PodVector<std::uint32_t> begin;  // per group, and the end of the last
        PodVector<TermId> terms;
    };
    using Sizes = std::vector<std::uint32_t>;  // per type
    void find_depths(const std::vector<bool>& wanted);
    void apply_functor(FunctorId functor, const Sizes& old, const Sizes& all);
    static bool is_single(std::uint32_t mask) { return (mask & (mask - 1)) == 0; }
    void add(TermId term, TypeId type);
    void check_memory(TypeId type, std::size_t more) const;  // throws GroundingLimit

    Program& program_;
    const TermBounds& bounds_;
    std::uint64_t memory_limit_;
    std::vector<bool> enumerated_;
    std::vector<std::int64_t> depth_;              // per type: how deep its terms are needed; -1: not at all
    std::vector<PodVector<TermId>> terms_;         // per type
    std::vector<PodVector<TermId>> applications_;  // per functor
    PodVector<std::uint32_t> ranks_;               // per term
    std::map<std::pair<FunctorId, std::uint32_t>, PatternIndex> indexes_;
};

}  // namespace neumann
