// Factor tables of a ground program: variables of several values and sparse tables over them, whose entries are nodes
// of a circuit. The product of all tables is the distribution of the variables.
//
// A variable is a choice, or a group of atoms that depend on the same variables, such as all sums of three digits or
// all states of a node of a Bayesian network; its values are the sets of these atoms that can hold together.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "worlds/circuit_builder.h"
#include "worlds/conditioned_program.h"

namespace neumann {

struct FactorTable {
    struct Row {
        std::uint64_t key;  // the values of the variables, in their order, the first in the lowest bits
        Circuit::Node node;
    };
    std::vector<std::uint32_t> variables;
    std::vector<Row> rows;  // those that are not 0
};

// How many bits a variable of so many values takes in a key.
std::uint32_t bits_for(std::uint64_t values);

struct FactorTables {
    std::vector<std::uint32_t> values;  // per variable: how many it has
    std::vector<FactorTable> tables;
    std::vector<bool> conditioned;  // per variable: the evidence is about it, or about its table

    // A literal of a proposition as values of a variable.
    struct Event {
        std::uint32_t variable;
        std::vector<std::uint32_t> values;  // with which it holds
    };
    std::vector<Event> events;  // of the literals asked for
};

// Throws DiagramLimit for a table with too many rows, and any exception that watch() throws. `first_way` is that of
// each choice in the circuit.
FactorTables make_factor_tables(const ConditionedProgram& program, std::span<const ConditionedProgram::Literal> asked,
                                std::span<const std::uint32_t> first_way, CircuitBuilder& builder,
                                const std::function<void()>& watch);

}  // namespace neumann
