// Arithmetic circuits: decision diagrams as a reasoning graph whose conjunctions are decomposable and whose
// disjunctions are deterministic. Under sum-product its values are the probabilities of what was compiled, and its
// gradients theirs, for any probabilities of facts and clauses: compile once, weigh as often as you like.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "prove/diagram_compiler.h"
#include "prove/random_choices.h"

namespace neumann {

struct Circuit {
    // Its clauses are those of the graph it was made of, with their weights, and behind them one of weight 1 for all
    // that is structure.
    ReasoningGraph graph;

    // What became of an atom: one of the circuit, or a constant.
    struct Value {
        bool is_constant = true;
        bool holds = false;      // a constant
        std::uint32_t atom = 0;  // else
    };
    std::vector<Value> asked;  // WorldsTask::asked, each together with the evidence
    Value observed;            // all evidence

    struct Input {
        std::uint32_t outside;  // an atom of the graph it was made of
        std::uint32_t inside;   // the atom of the circuit that has its probability
    };
    std::vector<Input> inputs;  // by `outside`
};

Circuit make_circuit(const ReasoningGraph& graph, const RandomChoices& choices, const CompiledWorlds& worlds);

}  // namespace neumann
