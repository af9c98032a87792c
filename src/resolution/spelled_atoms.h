// Lookup of ground atoms that resolution has turned into predicates without arguments.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "logic/signature.h"

namespace neumann::resolution {

struct SpelledAtoms {
    bool ground = false;  // the goal
    std::vector<PredicateId> matching;
};

// The atoms that match a goal, which may have variables. Nothing if the program has no such predicates, or the text is
// no goal.
std::optional<SpelledAtoms> find_spelled_atoms(const Signature& signature, std::string_view goal);

}  // namespace neumann::resolution
