// Ways around the bound on variables. A step of refinement may lead to a clause that would be in the language, had it
// fewer variables, and that clause may have specialisations which are. From p(V,W) to p(f(X,Y),f(Y,X)), for example,
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
    // The terms of the clause that may change: what stands for the instantiated variables of the clause that the detour
    // started from, or the places of a new atom.
    std::vector<TermId> slots;
    std::vector<std::uint32_t> open;   // new variables, not looked at yet; the last is next
    std::vector<std::uint32_t> later;  // slots that are variables of the first clause: functors may be applied to them
    std::vector<std::uint32_t> fixed;  // variables that occur outside of the slots
};

// Calls found(clause) for the clauses of the language where the detours from here end. Left out are those that are
// reached from another clause of the language that is more special than where the detour started: a part of what the
// detour did leads there.
void follow_detour(Program& program, const ModeChecker& checker, const Detour& start,
                   const std::function<void(const Clause&)>& found);

}  // namespace neumann
