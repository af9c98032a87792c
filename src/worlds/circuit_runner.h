// Runner of a circuit for batches of examples: from the probabilities of facts and clauses to those of the compiled
// atoms, and back to gradients. It keeps no values between the passes: a second forward pass costs less than storing
// every node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "reason/reason_options.h"
#include "worlds/circuit.h"

namespace neumann {

struct CircuitBatch {
    std::size_t examples = 0;
    std::span<const double> facts;    // the probabilities of Circuit::facts: a row for each example
    std::span<const double> clauses;  // … of Circuit::clauses, the same for all

    std::span<const double> facts_of(std::size_t example) const {
        const std::size_t count = examples == 0 ? 0 : facts.size() / examples;
        return facts.subspan(example * count, count);
    }
};

// All functions may be called from several threads at once.
class CircuitRunner {
public:
    CircuitRunner() = default;
    CircuitRunner(const CircuitRunner&) = delete;
    CircuitRunner& operator=(const CircuitRunner&) = delete;
    virtual ~CircuitRunner() = default;

    virtual std::string description() const = 0;  // "graph engine, avx2 kernel"
    virtual std::size_t bytes() const = 0;        // of its working memory
    // … as it will be for so many examples.
    virtual std::uint64_t bytes_needed(std::size_t examples) const = 0;

    // Per example: the values of Circuit::asked, then that of Circuit::observed.
    virtual void forward(const CircuitBatch& batch, std::span<double> to) const = 0;
    // From gradients by those, likewise, to those by all parameters: a row for each example.
    virtual void backward(const CircuitBatch& batch, std::span<const double> seeds, std::span<double> to) const = 0;
};

// The circuit has to outlive its runner. Throws ReasonError for an engine that is unknown or cannot run circuits.
std::unique_ptr<CircuitRunner> make_circuit_runner(std::string_view engine, const Circuit& circuit,
                                                   const ReasonOptions& options);

// Kinds of runners: in tiles of examples by vector instructions; in double precision, the reference of the others; on a
// GPU, in double precision, too; there where it pays. The third throws GpuError where there is no GPU.
std::unique_ptr<CircuitRunner> make_tile_circuit_runner(const Circuit& circuit, const ReasonOptions& options);
std::unique_ptr<CircuitRunner> make_reference_circuit_runner(const Circuit& circuit);
std::unique_ptr<CircuitRunner> make_gpu_circuit_runner(const Circuit& circuit);
std::unique_ptr<CircuitRunner> make_auto_circuit_runner(const Circuit& circuit, const ReasonOptions& options);

}  // namespace neumann
