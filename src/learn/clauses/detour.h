// Detours around the bound on variables. A step of refinement may lead to a clause that would be in the language, had
// it fewer variables, and that clause may have specialisations which are. From p(V,W) to p(f(X,Y),f(Y,X)), for example,
// leads no way that does without a third variable. A detour goes on from such a clause, instantiating variables one
// after the other, until there are few enough of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "learn/clauses/modes.h"
#include "logic/program.h"

namespace neumann {

struct Detour {
    Clause clause;  // has too many variables
    // The terms of the clause that may change: the values of the instantiated variables of the start clause, or the
    // places of a new atom.
    std::vector<TermId> slots;
    std::vector<std::uint32_t> open;   // new variables, not decided yet; the last is next
    std::vector<std::uint32_t> later;  // slots that are variables of the first clause: functors may be applied to them
    std::vector<std::uint32_t> fixed;  // variables that occur outside of the slots
};

// Calls found(clause) for the clauses of the language at the ends of the detours from here. Left out are clauses that a
// part of the detour reaches from another clause of the language, more special than the start of this detour.
void follow_detour(Program& program, const ModeChecker& checker, const Detour& start,
                   const std::function<void(const Clause&)>& found);

}  // namespace neumann
