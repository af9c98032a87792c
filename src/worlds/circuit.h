// Arithmetic circuits: sums of products of two nodes, over the probabilities of outcomes. Decision diagrams and
// eliminated tables both become circuits whose values are the probabilities of the compiled atoms, for any
// probabilities of facts and clauses. Compile once, evaluate with any weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/shared_array.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

struct Circuit {
    using Node = std::uint32_t;
    static constexpr Node never = 0;
    static constexpr Node always = 1;

    // The parameters: atoms that are facts, then clauses, both ascending. Parameter i is facts[i], or clauses[i −
    // facts.size()].
    std::vector<std::uint32_t> facts;
    std::vector<std::uint32_t> clauses;
    std::size_t parameters() const { return facts.size() + clauses.size(); }

    // How choices come out: way 0 is that none of some parameters does, way i + 1 that parameter i of these does.
    // Choices with the same parameters (the instances of a clause) share one distribution. Ways are numbered through.
    struct Distribution {
        std::uint32_t first_way;
        std::vector<std::uint32_t> parameters;
        bool complete = false;     // way 0 has probability 0; known while it is compiled
        std::uint32_t choice = 0;  // the first that has it; likewise
    };
    std::vector<Distribution> distributions;
    std::size_t ways() const {
        return distributions.empty() ? 0 : distributions.back().first_way + distributions.back().parameters.size() + 1;
    }

    // Nodes are the two constants, then the ways, then sums: sum n adds left · right over the terms term_begin[n] to
    // term_begin[n + 1] - 1. Both stand before it. Constants and ways have no terms.
    SharedArray<std::uint32_t> term_begin;  // per node, and the end
    SharedArray<Node> left;                 // per term
    SharedArray<Node> right;
    std::size_t nodes() const { return term_begin.empty() ? 0 : term_begin.size() - 1; }
    std::size_t first_sum() const { return 2 + ways(); }
    std::size_t sums() const { return nodes() - first_sum(); }
    static Node node_of_way(std::uint32_t way) { return way + 2; }

    std::vector<Node> asked;  // WorldsTask::asked, each together with the evidence
    Node observed = always;   // all evidence

    std::size_t bytes() const { return term_begin.bytes() + left.bytes() + right.bytes(); }
};

// A circuit with the task that it was compiled for. Any number of reasoners may share it.
struct CompiledTask {
    WorldsTask task;
    Circuit circuit;
    // How it was compiled, and what was forecast: see CompileReport. Empty: not known any more.
    std::string method = {};
    double width = 0;
    double rows = 0;
};

// Facts, clauses and distributions of these choices, each once and ascending; no nodes. Returns the first way of each
// choice, 0 for the others.
std::vector<std::uint32_t> add_distributions(const RandomChoices& choices, std::span<const std::uint32_t> used,
                                             Circuit& circuit);

Circuit make_circuit(const RandomChoices& choices, const CompiledWorlds& worlds);

// How many sums stand behind one another.
std::uint32_t depth(const Circuit& circuit);
// How many probabilities are multiplied at most.
double degree(const Circuit& circuit);

}  // namespace neumann
