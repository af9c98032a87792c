// The forward reasoning graph: ground atoms, conjunctions (one per ground clause) and the edges between them, as flat
// arrays of numbers. No strings and no terms: labels are kept apart.
//
//   body literals ──▶ conjunction ──▶ head atom
//
// Conjunctions are numbered in the order of their head atoms, so that everything that derives an atom is one range.
// Bodies are sorted sets of literals. Within a head, conjunctions stand in an order that does not depend on how the
// program was written, those of one clause side by side: sums over them come out bit-identical when clauses, goals or
// facts are reordered or variables renamed.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/shared_array.h"
#include "graph/literal.h"

namespace neumann {

using ConjunctionId = Id<struct ConjunctionTag>;

struct ReasoningGraph {
    // Conjunctions in_begin[a] … in_begin[a+1]-1 have atom a as their head.
    SharedArray<std::uint32_t> in_begin;    // atoms + 1
    SharedArray<std::uint32_t> head;        // per conjunction
    SharedArray<std::uint32_t> clause;      // per conjunction: the clause it is an instance of, in source order
    SharedArray<std::uint32_t> body_begin;  // conjunctions + 1
    SharedArray<GraphLiteral> body;         // an empty body is true (its edge comes from ⊤)
    // The other direction: use[use_begin[a] …] are the conjunctions with atom a in their body, ascending; one that has
    // both the atom and its negation stands there twice.
    SharedArray<std::uint32_t> use_begin;  // atoms + 1
    SharedArray<std::uint32_t> use;
    SharedArray<float> initial;  // per atom: the probability of its fact, or 0
    SharedArray<double> weight;  // per clause
    bool monotone = true;        // no literal is negated: more can only follow from more

    std::uint32_t atom_count() const { return in_begin.empty() ? 0 : static_cast<std::uint32_t>(in_begin.size() - 1); }
    std::uint32_t conjunction_count() const { return static_cast<std::uint32_t>(head.size()); }
    std::uint32_t clause_count() const { return static_cast<std::uint32_t>(weight.size()); }

    std::span<const GraphLiteral> literals(std::uint32_t conjunction) const {
        return body.span().subspan(body_begin[conjunction], body_begin[conjunction + 1] - body_begin[conjunction]);
    }
    // The body array as numbers, for kernels.
    const std::uint32_t* body_codes() const { return reinterpret_cast<const std::uint32_t*>(body.data()); }
    // All that an atom depends on directly: the bodies of its conjunctions stand side by side.
    std::span<const GraphLiteral> dependencies(std::uint32_t atom) const {
        const std::uint32_t begin = body_begin[in_begin[atom]];
        return body.span().subspan(begin, body_begin[in_begin[atom + 1]] - begin);
    }
    std::span<const std::uint32_t> uses_of(std::uint32_t atom) const {
        return use.span().subspan(use_begin[atom], use_begin[atom + 1] - use_begin[atom]);
    }

    // As the paper counts: atoms + conjunctions, and for each conjunction its distinct literals (⊤ if none) + its
    // head.
    std::uint64_t node_count() const { return std::uint64_t{atom_count()} + conjunction_count(); }
    std::uint64_t edge_count() const;
    std::uint64_t bytes() const;
};

}  // namespace neumann
