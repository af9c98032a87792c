// Circuits in double precision, an example at a time.
#include <algorithm>
#include <vector>

#include "base/require_not_stopped.h"
#include "worlds/circuit_evaluation.h"
#include "worlds/circuit_runner.h"

namespace neumann {
namespace {

class ReferenceCircuitRunner final : public CircuitRunner {
public:
    explicit ReferenceCircuitRunner(const Circuit& circuit) : circuit_(circuit) {}

    std::string description() const override { return "reference engine"; }
    std::size_t bytes() const override { return 0; }
    std::uint64_t bytes_needed(std::size_t) const override { return 2 * circuit_.nodes() * sizeof(double); }

    void forward(const CircuitBatch& batch, std::span<double> to) const override {
        CircuitEvaluation<double> evaluation(circuit_);
        for (std::size_t e = 0; e < batch.examples; ++e) {
            require_not_stopped("evaluating circuits");
            evaluation.forward(batch.facts_of(e), batch.clauses);
            double* row = to.data() + e * (circuit_.asked.size() + 1);
            for (const Circuit::Node node : circuit_.asked) *row++ = evaluation.value(node);
            *row = evaluation.value(circuit_.observed);
        }
    }

    void backward(const CircuitBatch& batch, std::span<const double> seeds, std::span<double> to) const override {
        CircuitEvaluation<double> evaluation(circuit_);
        const std::size_t asked = circuit_.asked.size() + 1;
        for (std::size_t e = 0; e < batch.examples; ++e) {
            require_not_stopped("evaluating circuits");
            evaluation.forward(batch.facts_of(e), batch.clauses);
            std::ranges::copy(evaluation.backward(seeds.subspan(e * asked, asked)),
                              to.begin() + static_cast<std::ptrdiff_t>(e * circuit_.parameters()));
        }
    }

private:
    const Circuit& circuit_;
};

}  // namespace

std::unique_ptr<CircuitRunner> make_reference_circuit_runner(const Circuit& circuit) {
    return std::make_unique<ReferenceCircuitRunner>(circuit);
}

}  // namespace neumann
