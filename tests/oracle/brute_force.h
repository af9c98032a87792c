// Slow, naive grounding by definition, from docs/language.md alone: enumerate every typed term, every typed atom, every
// substitution. It shares no code with src/ground, nor with the parts of src/logic that decide bounds, unify or
// reorder.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logic/program.h"

namespace neumann::oracle {

// A ground clause; atoms by their number in BruteForce::atoms.
struct Instance {
    std::uint32_t clause = 0;
    std::uint32_t head = 0;
    std::vector<std::uint32_t> body;     // sorted, without repetitions
    std::vector<std::uint32_t> negated;  // likewise; atoms that do not exist are false and left out

    friend auto operator<=>(const Instance&, const Instance&) = default;
};

struct BruteForce {
    std::vector<std::string> atoms;   // sorted texts (plain_text)
    std::vector<bool> neural;         // per atom
    std::vector<bool> fact;           // per atom: a fact stands for it
    std::vector<double> initial;      // per atom: the probability of its fact, or 0
    std::vector<bool> asked;          // per atom: matched by a query or label; all if the program has neither
    std::vector<Instance> instances;  // sorted; one per substitution
    std::vector<double> weights;      // per clause
    std::vector<bool> certain;        // per clause: its weight is nobody's parameter
    std::uint64_t terms = 0;          // of all types together
};

struct BruteForceLimits {
    std::size_t terms_per_type = 80;
    std::size_t atoms = 1000;
    std::size_t substitutions = 10000;  // per clause
};

// Nothing if the program is beyond the limits, or has a variable that occurs in constraints only.
std::optional<BruteForce> brute_force(const Program& program, const BruteForceLimits& limits);

// Atoms that may follow from facts and neural atoms by any number of steps: what is negated may always hold.
std::vector<bool> derivable_atoms(const BruteForce& brute);

// Atoms that are 1 for every setting of weights and inputs: certain facts and what certain clauses make of them without
// the negation of an atom that is there.
std::vector<bool> certain_atoms(const BruteForce& brute, const std::vector<bool>& there);

// What relevant grounding should leave: asked atoms that can be derived and all that instances with derivable bodies
// feed into them. Nothing is needed below a stop atom, nor beside the negation of one, nor is a stop atom itself unless
// it is asked for.
std::vector<bool> needed_atoms(const BruteForce& brute, const std::vector<bool>& derivable,
                               const std::vector<bool>& stop);

// p('a','f'('b')): every name quoted, no list sugar. Independent of logic/print.h.
std::string plain_text(const Program& program, PredicateId predicate, std::span<const TermId> args);

}  // namespace neumann::oracle
