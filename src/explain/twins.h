// Symmetric atoms: closeby(a,b) and closeby(b,a), where an example gives both the same value.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "ground/compiled_program.h"

namespace neumann {

class Twins {
public:
    // Borrows both. `initial`: the values of the example.
    Twins(const CompiledProgram& compiled, std::span<const float> initial) : compiled_(compiled), initial_(initial) {}

    // The first of an atom and its twin; the atom itself where it has none. Twins are the atoms of a neural predicate
    // of two objects that has the same value both ways for all pairs, and is not 0 for all of them.
    std::uint32_t first_of(std::uint32_t atom);

private:
    const std::vector<std::uint32_t>& twins_of(PredicateId predicate);

    const CompiledProgram& compiled_;
    std::span<const float> initial_;
    // By predicate: the twin of each of its atoms; empty if it is not symmetric.
    std::map<PredicateId, std::vector<std::uint32_t>> known_;
};

}  // namespace neumann
