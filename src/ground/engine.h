// Common parts of both modes of grounding, before the graph is put together.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/build.h"
#include "ground/atoms.h"
#include "ground/ground.h"
#include "ground/rule.h"

namespace neumann {

struct Instances {
    AtomTable atoms;                    // in canonical order
    std::vector<InstanceBlock> blocks;  // per rule, in canonical order; rows hold final atom numbers
    PodVector<float> initial;           // per atom: the probability of its fact, or 0
    std::vector<double> seconds;        // per rule
    std::uint64_t terms = 0;            // full grounding: the size of the universe
};

// The peak memory of one instance of a rule: its row, its place in the order, the graph's arrays.
inline std::uint64_t bytes_per_instance(const Rule& rule) { return 24 + 8 * std::uint64_t{rule.body.size()}; }

// The memory of an atom of a relation: its arguments, its place in the hash, its place in the order, its value.
inline std::uint64_t bytes_per_atom(std::size_t arity) { return 32 + 4 * std::uint64_t{arity}; }

// The memory of the program before grounding: its text, its names and its facts.
std::uint64_t bytes_of(const Program& program);

// The limit that the user set, or four fifths of the free memory.
std::uint64_t memory_limit_of(const GroundOptions& options);

// The first value of an atom that has a fact; of every atom: that of its fact, or 0.
float initial_value(double probability);
PodVector<float> initial_values(const Program& program, const AtomTable& atoms);

// Sets the properties of the body that the block of a rule's instances needs.
void shape_block(const Rule& rule, InstanceBlock& block);

// Leaves each instance once, in order.
void remove_repeated(InstanceBlock& block);

Instances ground_full(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules,
                      const GroundOptions& options);

// Leaves out predicates that no query depends on.
Instances ground_relevant(Program& program, const TermBounds& bounds, const std::vector<Rule>& rules,
                          const GroundOptions& options, Diagnostics& diagnostics);

// "reverse(T,[H|A],R)": a rule in readable form, and the domains of its free variables.
std::string describe_domains(const Program& program, const Rule& rule, const std::vector<Slot>& slots,
                             const std::vector<std::uint64_t>& sizes);

}  // namespace neumann
