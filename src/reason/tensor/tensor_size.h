// Size of a graph as a dense index tensor
//
//   index[clause][atom][substitution][body place] = the body literal
//
// with room for as many substitutions and body places as the largest ground clause needs. Everywhere else it is padded:
// missing body places with an atom that is always true, missing substitutions with one that is always false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/graph.h"
#include "reason/reason_error.h"
#include "reason/reason_options.h"

namespace neumann {

// Sizes that 64 bits cannot hold are `too_many`.
struct TensorSize {
    static constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t clauses = 0;
    std::uint64_t atoms = 0;
    std::uint64_t substitutions = 0;  // the most conjunctions that one clause has for one head
    std::uint64_t body_length = 1;    // at least 1, to distinguish padding from a clause without a body
    std::uint64_t index_bytes = 0;
    std::uint64_t total_bytes = 0;   // with the values of a batch, of every step if its history is kept
    std::uint64_t dense_matrix = 0;  // entries of the paper's matrix, atoms × conjunctions
};

TensorSize tensor_size(const ReasoningGraph& graph, const ReasonOptions& options, std::size_t examples = 1,
                       bool history = false);

class TensorTooLarge : public ReasonError {
public:
    TensorTooLarge(const TensorSize& size, std::uint64_t limit);
    const TensorSize& size() const { return size_; }

private:
    TensorSize size_;
};

// Calls use(conjunction, which of its clause's conjunctions for its head it is).
template <class Use>
void number_substitutions(const ReasoningGraph& graph, Use&& use) {
    std::vector<std::uint32_t> seen(graph.clause_count());
    for (std::uint32_t atom = 0; atom < graph.atom_count(); ++atom) {
        const std::span<const std::uint32_t> clauses =
            graph.clause.span().subspan(graph.in_begin[atom], graph.in_begin[atom + 1] - graph.in_begin[atom]);
        for (std::uint32_t i = 0; i < clauses.size(); ++i) use(graph.in_begin[atom] + i, seen[clauses[i]]++);
        for (const std::uint32_t clause : clauses) seen[clause] = 0;
    }
}

}  // namespace neumann
