// Exhaustive search through the models of clauses, with unit propagation, components and a cache (as sharpSAT counts
// models): its trace is a circuit.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/literal.h"
#include "worlds/circuit_builder.h"
#include "worlds/diagram_compiler.h"

namespace neumann {

// Clauses over propositions, each of which belongs to one thing.
struct ClauseProblem {
    using Literal = GraphLiteral;
    using Clause = std::vector<Literal>;
    enum class Role : std::uint8_t {
        Choice,   // at most one of its propositions holds; how it comes out has a probability
        Defined,  // the others decide it
        Hidden,   // a model may have either value: what counts is whether there is one
    };
    struct Thing {
        Role role = Role::Defined;
        std::vector<std::uint32_t> propositions;
        std::uint32_t first_way = 0;  // of a choice, in the circuit: that none holds, then each of its propositions
        bool complete = false;        // one of them holds for certain
    };

    std::uint32_t propositions = 0;
    std::vector<Thing> things;
    std::vector<Clause> clauses;
    std::vector<Literal> given;  // holds
};

// The probability that all clauses hold. Throws DiagramLimit, and any exception that limits.watch() throws.
Circuit::Node search_models(const ClauseProblem& problem, CircuitBuilder& builder, const CompileLimits& limits);

}  // namespace neumann
