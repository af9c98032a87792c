// What `neumann reason` runs: an engine, with its last passes forwards and backwards.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ground/compiled_program.h"
#include "reason/reasoner.h"
#include "runtime/bind_examples.h"

namespace neumann::app {

struct EngineOptions {
    std::string name = "graph";  // of the command line
    ReasonOptions reason;
};

class ReasonEngine {
public:
    // Throws ReasonError for what an engine cannot do.
    ReasonEngine(const LoadedProgram& loaded, const EngineOptions& options);

    std::string description() const { return reasoner_->description(); }
    void forward(std::span<const BoundExample> examples, Keep keep);
    double value(std::uint32_t atom, std::size_t example) const;
    std::uint32_t steps(std::size_t example) const { return pass_.steps(example); }
    std::vector<std::vector<double>> history(std::size_t example, std::span<const std::uint32_t> atoms) const {
        return pass_.history<double>(example, atoms);
    }
    // The derivatives of one atom's final value, for every example.
    void backward(std::uint32_t atom);
    double input_gradient(std::uint32_t atom, std::size_t example) const {
        return by_atom_[example * reasoner_->graph().atom_count() + atom];
    }
    double weight_gradient(std::uint32_t clause, std::size_t example) const {
        return by_clause_[example * reasoner_->graph().clause_count() + clause];
    }

private:
    std::unique_ptr<GraphReasoner> reasoner_;
    InputBatch::Builder inputs_;
    Pass pass_;
    std::vector<double> by_atom_;    // gradients: a row of all atoms per example
    std::vector<double> by_clause_;  // … of all clauses
};

}  // namespace neumann::app
