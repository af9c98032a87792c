// Writing a reasoner's equations onto a tape, step by step: what all of them have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/reasoner_equations.h"

namespace neumann {

class StepWriter {
public:
    StepWriter(const ReasoningGraph& graph, const ReasonerTask& task, const std::vector<bool>& is_input,
               std::vector<bool> needed);
    virtual ~StepWriter() = default;
    StepWriter(const StepWriter&) = delete;
    StepWriter& operator=(const StepWriter&) = delete;

    virtual void write_step() = 0;
    virtual void write_end() {}

    WrittenReasoner written;
    std::vector<Tape::Row> now;  // per atom: its value after the last step

protected:
    Tape& tape() { return written.tape; }
    bool is_derived(std::uint32_t atom) const { return graph_.in_begin[atom] != graph_.in_begin[atom + 1]; }
    std::vector<Tape::Row> body_of(std::uint32_t conjunction);
    Tape::Row product_of(std::uint32_t conjunction);
    std::uint32_t end_of_clause(std::uint32_t begin) const;  // of the conjunctions of one clause for one head
    std::uint32_t weight_of(std::uint32_t clause) const;     // its parameter

    const ReasoningGraph& graph_;
    const ReasonerTask& task_;
    std::size_t candidates_;
    std::vector<bool> needed_;  // per atom
    Tape::Row truth_;
};

std::unique_ptr<StepWriter> make_step_writer(const ReasoningGraph& graph, const ReasonerTask& task,
                                             const std::vector<bool>& is_input, std::vector<bool> needed);

}  // namespace neumann
