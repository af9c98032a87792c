#include "gpu_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include "base/mapped_file.h"
#include "base/rng.h"
#include "gpu_graphs.h"
#include "graph/graph_file.h"
#include "reason/reasoner.h"

namespace neumann {
namespace {

constexpr double close = 1e-5;  // relative to the number itself

struct Found {
    std::vector<double> values;
    std::vector<double> gradients;  // by atoms, then by clauses
};

Found run(const std::string& engine, const ReasoningGraph& graph, const ReasonOptions& options,
          const InputBatch& inputs, const InputBatch& seeds) {
    const auto reasoner = make_reasoner(engine, graph, options);
    Found result;
    Pass pass;
    std::vector<std::uint32_t> atoms(graph.atom_count());
    std::iota(atoms.begin(), atoms.end(), 0U);
    result.values.resize(inputs.examples() * graph.atom_count());
    std::vector<double> by_atom(result.values.size());
    std::vector<double> by_clause(inputs.examples() * graph.clause_count());
    const int times = engine == "cuda" ? 3 : 1;  // the second time steps are noted, the third time repeated
    for (int i = 0; i < times; ++i) {
        pass = reasoner->forward(inputs, reasoner->own_weights(), {.keep = Keep::Backward}, std::move(pass));
        pass.outputs(atoms, result.values);
        reasoner->backward(pass, seeds, {.by_atom = by_atom, .by_clause = by_clause});
    }
    result.gradients = std::move(by_atom);
    result.gradients.insert(result.gradients.end(), by_clause.begin(), by_clause.end());
    return result;
}

// The worst of several comparisons.
struct Distance {
    double value = 0;
    double to_largest = 0;  // gradients, relative to the largest of their batch
    double to_itself = 0;   // and to each itself, where it is not next to nothing
    std::size_t numbers = 0;
    std::size_t not_close = 0;
    bool same_again = true;

    void add(const Found& found, const Found& expected, const Found& again) {
        for (std::size_t i = 0; i < found.values.size(); ++i)
            value = std::max(value, off(found.values[i], expected.values[i]));
        double largest = 0;
        for (const double gradient : expected.gradients) largest = std::max(largest, std::abs(gradient));
        for (std::size_t i = 0; i < found.gradients.size(); ++i) {
            const double difference = off(found.gradients[i], expected.gradients[i]);
            to_largest = std::max(to_largest, difference / std::max(largest, 1e-30));
            if (std::abs(expected.gradients[i]) < 1e-6 * largest) continue;
            const double relative = difference / std::abs(expected.gradients[i]);
            to_itself = std::max(to_itself, relative);
            ++numbers;
            not_close += relative > close ? 1 : 0;
        }
        same_again = same_again && found.values == again.values && found.gradients == again.gradients;
    }

    double percent_close() const {
        return 100 - 100 * static_cast<double>(not_close) / static_cast<double>(std::max<std::size_t>(numbers, 1));
    }

private:
    static double off(double a, double b) { return std::isnan(a) ? 1e9 : std::abs(a - b); }
};

InputBatch random_batch(Rng& rng, std::size_t examples, std::uint32_t atoms, double least) {
    InputBatch::Builder result(examples);
    for (std::size_t e = 0; e < examples; ++e) {
        for (std::uint32_t a = 0; a < atoms; ++a)
            result.add(e, a, static_cast<float>(least + (1 - least) * rng.uniform()));
    }
    return result.build();
}

void compare(Distance& of_gpu, Distance& of_processor, const ReasoningGraph& graph, const ReasonOptions& options,
             const InputBatch& inputs, const InputBatch& seeds) {
    Found expected = run("reference", graph, options, inputs, seeds);
    const Found processor = run("tile", graph, options, inputs, seeds);
    of_processor.add(processor, expected, processor);
    // Where ties decide, they fall as in the single precision of the processor.
    if (!info(options.semantics).smooth) expected.gradients = processor.gradients;
    const Found gpu = run("cuda", graph, options, inputs, seeds);
    of_gpu.add(gpu, expected, run("cuda", graph, options, inputs, seeds));
}

}  // namespace

void check_gpu(const std::vector<std::string>& saved_graphs) {
    fmt::print("| semantics | values | gradients, of the largest | of each itself | within 1e-5 of itself | the "
               "processor's | same again |\n|---|---:|---:|---:|---:|---:|---|\n");
    for (const SemanticsInfo& semantics : all_semantics()) {
        Distance distance;
        Distance processor;
        ReasonOptions options;
        options.semantics = semantics.semantics;
        for (std::uint32_t seed = 0; seed < 12; ++seed) {
            Rng rng(seed);
            const ReasoningGraph graph = small_random_graph(rng, seed % 2 == 1, seed % 3 == 0 ? 700 : 0);
            options.steps.reset();
            if (semantics.needs_steps || seed % 4 < 2) options.steps = 3;
            const InputBatch inputs = random_batch(rng, 21, small_graph_inputs, 0);
            compare(distance, processor, graph, options, inputs, random_batch(rng, 21, graph.atom_count(), 0.1));
        }
        for (const std::string& path : saved_graphs) {
            const auto file = MappedFile::open(path);
            const ReasoningGraph graph = read_graph_sections(SectionReader(file->bytes(), file));
            Rng rng(1);
            options.steps = 4;
            const InputBatch inputs = random_batch(rng, 2, graph.atom_count(), 0);
            compare(distance, processor, graph, options, inputs, random_batch(rng, 2, graph.atom_count(), 0.1));
        }
        fmt::print("| {} | {:.1e} | {:.1e} | {:.1e} | {:.3f} % | {} | {} |\n", semantics.name, distance.value,
                   distance.to_largest, distance.to_itself, distance.percent_close(),
                   semantics.smooth ? fmt::format("{:.3f} %", processor.percent_close()) : "",
                   distance.same_again ? "yes" : "NO");
        std::fflush(stdout);
    }
}

}  // namespace neumann
