// Recovery of the clause instance behind a conjunction: the graph does not store its substitution, so it is found by
// matching the conjunction's atoms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/literal.h"
#include "ground/atoms.h"
#include "logic/program.h"

namespace neumann {

struct ClauseInstance {
    std::vector<TermId> bindings;  // per variable of the clause; none: not determined
    // The literals in the order in which the clause names them, each once.
    std::vector<GraphLiteral> body;
};

// `head` and `body` are those of the conjunction. Interns terms into the program's table. Nothing if they are no
// instance of the clause: for one, because facts of its body were evaluated away.
std::optional<ClauseInstance> substitution_of(Program& program, const AtomTable& atoms, const Clause& clause,
                                              std::uint32_t head, std::span<const GraphLiteral> body);

}  // namespace neumann
