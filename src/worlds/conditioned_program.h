// Ground program under its evidence: unit propagation leaves out all that is certain.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "worlds/random_choices.h"

namespace neumann {

// Propositions are the outcomes of choices, those of a choice side by side, then the uncertain atoms. The rules of an
// atom are its definition: it holds if and only if the body of one holds.
struct ConditionedProgram {
    using Literal = GraphLiteral;  // of a proposition
    enum class Truth : std::uint8_t { Unknown, False, True };
    struct Value {
        Truth truth = Truth::Unknown;
        Literal literal{};  // where it is unknown
    };

    const RandomChoices* choices = nullptr;
    std::vector<std::uint32_t> first_outcome;              // per choice: the proposition of its way 1; and the end
    std::vector<std::uint32_t> choice_of;                  // per outcome
    std::vector<std::vector<std::vector<Literal>>> rules;  // per atom, after the outcomes
    std::vector<Truth> truth;                              // per proposition
    // Per proposition: its truth is a condition that choices have to meet, by the choice or by its rules.
    std::vector<bool> required;
    bool possible = true;              // no contradiction was found
    bool has_cycles = false;           // uncertain atoms depend on themselves: `order` is empty then
    std::vector<std::uint32_t> order;  // of the atoms that are unknown or required: each after those it depends on

    std::uint32_t outcomes() const { return first_outcome.back(); }
    std::uint32_t propositions() const { return static_cast<std::uint32_t>(truth.size()); }
    std::uint32_t proposition(RandomChoices::Outcome outcome) const {
        return first_outcome[*outcome.choice] + outcome.way - 1;
    }
    const std::vector<std::vector<Literal>>& rules_of(std::uint32_t atom) const { return rules[atom - outcomes()]; }
    // Of an atom of the graph, on which something that is asked or observed depends.
    Value value_of(std::uint32_t graph_atom) const { return graph_values[graph_atom]; }

    std::vector<Value> graph_values;  // per atom of the graph
};

// `observed` holds; `asked` are the other atoms that matter.
ConditionedProgram condition_program(const ReasoningGraph& graph, const RandomChoices& choices,
                                     std::span<const std::uint32_t> asked, std::span<const GraphLiteral> observed);

}  // namespace neumann
