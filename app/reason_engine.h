// What `neumann reason` runs: the graph's kernels, the double-precision reference, or the tensor engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ground/compiled_program.h"
#include "reason/graph_reasoner.h"
#include "runtime/bind_examples.h"

namespace neumann::app {

class ReasonEngine {
public:
    virtual ~ReasonEngine() = default;
    virtual std::string description() const = 0;
    virtual void forward(std::span<const BoundExample> examples, Keep keep) = 0;
    virtual double value(std::uint32_t atom, std::size_t example) const = 0;
    virtual std::uint32_t steps(std::size_t example) const = 0;
    virtual std::vector<std::vector<double>> history(std::size_t example, std::span<const std::uint32_t> atoms) = 0;
    // The derivatives of one atom's final value, for every example.
    virtual void backward(std::uint32_t atom) = 0;
    virtual double input_gradient(std::uint32_t atom, std::size_t example) const = 0;
    virtual double weight_gradient(std::uint32_t clause, std::size_t example) const = 0;
};

struct EngineOptions {
    std::string name = "graph";  // graph, reference or tensor
    ReasonOptions reason;
    std::uint64_t memory_limit = 0;  // tensor
};

// Throws UsageError for what an engine cannot do.
std::unique_ptr<ReasonEngine> make_engine(const LoadedProgram& loaded, const EngineOptions& options);

}  // namespace neumann::app
