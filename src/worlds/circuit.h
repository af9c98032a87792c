// Arithmetic circuits: decision diagrams with probabilities for outcomes. A node's value is the mean of its branches'
// values, so its conjunctions are decomposable and its disjunctions deterministic: the values are the probabilities of
// the compiled atoms, for any probabilities of facts and clauses. Compile once, evaluate with any weights.
#pragma once

#include <cstddef>
#include <cstdint>
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
    };
    std::vector<Distribution> distributions;
    std::size_t ways() const {
        return distributions.empty() ? 0 : distributions.back().first_way + distributions.back().parameters.size() + 1;
    }

    // Per node, after the two constants: the first way of its distribution, and its branches, which stand before it.
    SharedArray<std::uint32_t> first_way;
    SharedArray<std::uint32_t> branch_begin;  // and the end
    SharedArray<Node> branches;
    std::size_t nodes() const { return first_way.size(); }

    std::vector<Node> asked;  // WorldsTask::asked, each together with the evidence
    Node observed = always;   // all evidence

    std::size_t bytes() const { return first_way.bytes() + branch_begin.bytes() + branches.bytes(); }
};

// A circuit with the task that it was compiled for. Any number of reasoners may share it.
struct CompiledTask {
    WorldsTask task;
    Circuit circuit;
};

Circuit make_circuit(const RandomChoices& choices, const CompiledWorlds& worlds);

// How many decisions stand behind one another.
std::uint32_t depth(const Circuit& circuit);

}  // namespace neumann
