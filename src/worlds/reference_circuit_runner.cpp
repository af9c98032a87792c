// Circuits in double precision, an example at a time.
#include <algorithm>
#include <vector>

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
        Work work;
        for (std::size_t e = 0; e < batch.examples; ++e) {
            run(batch, e, work);
            double* row = to.data() + e * (circuit_.asked.size() + 1);
            for (const Circuit::Node node : circuit_.asked) *row++ = work.values[node];
            *row = work.values[circuit_.observed];
        }
    }

    void backward(const CircuitBatch& batch, std::span<const double> seeds, std::span<double> to) const override {
        Work work;
        std::vector<double> gradients;
        std::vector<double> by_way;
        for (std::size_t e = 0; e < batch.examples; ++e) {
            run(batch, e, work);
            const double* seed = seeds.data() + e * (circuit_.asked.size() + 1);
            gradients.assign(circuit_.nodes(), 0.0);
            for (const Circuit::Node node : circuit_.asked) gradients[node] += *seed++;
            gradients[circuit_.observed] += *seed;
            by_way.assign(circuit_.ways(), 0.0);
            for (std::size_t node = circuit_.nodes(); node-- > 2;) {
                std::size_t way = circuit_.first_way[node];
                for (std::uint32_t b = circuit_.branch_begin[node]; b < circuit_.branch_begin[node + 1]; ++b, ++way) {
                    const Circuit::Node branch = circuit_.branches[b];
                    by_way[way] += gradients[node] * work.values[branch];
                    gradients[branch] += gradients[node] * work.ways[way];
                }
            }
            const std::span<double> row = to.subspan(e * circuit_.parameters(), circuit_.parameters());
            std::ranges::fill(row, 0.0);
            for (const Circuit::Distribution& one : circuit_.distributions)
                for (std::size_t i = 0; i < one.parameters.size(); ++i)
                    row[one.parameters[i]] += by_way[one.first_way + i + 1] - by_way[one.first_way];
        }
    }

private:
    struct Work {
        std::vector<double> ways;
        std::vector<double> values;
    };

    double probability(const CircuitBatch& batch, std::size_t example, std::uint32_t parameter) const {
        const std::size_t facts = circuit_.facts.size();
        return parameter < facts ? batch.facts[example * facts + parameter] : batch.clauses[parameter - facts];
    }

    void run(const CircuitBatch& batch, std::size_t example, Work& work) const {
        work.ways.resize(circuit_.ways());
        for (const Circuit::Distribution& one : circuit_.distributions) {
            double rest = 1;
            for (std::size_t i = 0; i < one.parameters.size(); ++i)
                rest -= work.ways[one.first_way + i + 1] = probability(batch, example, one.parameters[i]);
            work.ways[one.first_way] = std::max(rest, 0.0);
        }
        work.values.resize(circuit_.nodes());
        work.values[Circuit::never] = 0;
        work.values[Circuit::always] = 1;
        for (std::size_t node = 2; node < circuit_.nodes(); ++node) {
            double sum = 0;
            std::size_t way = circuit_.first_way[node];
            for (std::uint32_t b = circuit_.branch_begin[node]; b < circuit_.branch_begin[node + 1]; ++b, ++way)
                sum += work.ways[way] * work.values[circuit_.branches[b]];
            work.values[node] = sum;
        }
    }

    const Circuit& circuit_;
};

}  // namespace

std::unique_ptr<CircuitRunner> make_reference_circuit_runner(const Circuit& circuit) {
    return std::make_unique<ReferenceCircuitRunner>(circuit);
}

}  // namespace neumann
