// How fast the reasoner is, and what that is beside the machine's memory: full graphs of programs, a batch of 64
// examples, six steps. Prints Markdown tables; bench/reasoning.py adds whole processes and draws the memory plot.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/memory.h"
#include "base/rng.h"
#include "compile/compile.h"
#include "reason/choose_kernel.h"
#include "reason/reasoner.h"
#include "reason/tensor/tensor_size.h"

namespace neumann {
namespace {

constexpr std::size_t batch = 64;
constexpr std::uint32_t steps = 6;
constexpr std::size_t examples_side_by_side = 16;  // in the tile engine

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The best of several runs: what disturbs a run only makes it slower.
template <class Work>
double best_seconds(const Work& work) {
    double best = 1e9;
    double spent = 0;
    for (int i = 0; i < 30 && (i < 3 || spent < 1.5); ++i) {
        const double start = now();
        work();
        best = std::min(best, now() - start);
        spent += now() - start;
    }
    return best;
}

LoadedProgram compile_full(const std::filesystem::path& path) {
    CompileOptions options;
    options.ground.mode = GroundMode::Full;
    Diagnostics diagnostics;
    LoadedProgram result;
    if (!compile(path, options, diagnostics, result))
        throw std::runtime_error(render(diagnostics, *result.compiled.program.sources));
    return result;
}

enum class Inputs {
    Neural,     // random values for what a network would see; the rest follows
    EveryAtom,  // random values for every atom: nothing is 0, nothing can be skipped
};

InputBatch random_inputs(const CompiledProgram& compiled, Inputs which) {
    Rng rng(1);
    InputBatch::Builder result(batch);
    const AtomTable& atoms = compiled.ground.atoms;
    for (std::size_t e = 0; e < batch; ++e) {
        for (std::uint32_t p = 0; p < atoms.predicate_count(); ++p) {
            if (which == Inputs::Neural && !compiled.program.signature.predicates()[p].neural) continue;
            const AtomTable::Range& range = atoms.range(PredicateId(p));
            for (std::uint32_t a = range.first; a < range.first + range.count; ++a)
                result.add(e, a, static_cast<float>(rng.uniform()));
        }
    }
    return result.build();
}

// A gradient for everything that the queries ask for.
InputBatch output_gradients(LoadedProgram& loaded) {
    InputBatch::Builder result(batch);
    for (const Query& query : loaded.compiled.program.queries) {
        for (const AtomId atom : matching_atoms(loaded.compiled.program, loaded.compiled.ground.atoms, query)) {
            for (std::size_t e = 0; e < batch; ++e) result.add(e, atom.value(), 1.0F);
        }
    }
    return result.build();
}

void bench_speed(const std::filesystem::path& folder) {
    fmt::print(
        "| program | inputs | semantics | kernel | threads | forward ms | forward+backward ms | values and run |\n"
        "|---|---|---|---|---:|---:|---:|---:|\n");
    for (const char* name : {"delete", "reverse"}) {
        LoadedProgram loaded = compile_full(folder / fmt::format("{}.nm", name));
        const InputBatch seeds = output_gradients(loaded);
        for (const Inputs which : {Inputs::Neural, Inputs::EveryAtom}) {
            const InputBatch inputs = random_inputs(loaded.compiled, which);
            for (const Semantics semantics : {semantics_named("softor"), semantics_named("paper")}) {
                for (const Kernel* kernel : available_kernels()) {
                    for (const unsigned threads : {1U, 2U}) {
                        if (threads == 2 && kernel != available_kernels().front()) continue;
                        ReasonOptions options;
                        options.semantics = semantics;
                        options.steps = steps;
                        options.threads = threads;
                        options.kernel = kernel->name;
                        const auto reasoner = make_reasoner(loaded.compiled.ground.graph, options);
                        Pass pass;
                        const auto run = [&](Keep keep) {
                            pass = reasoner->forward(inputs, reasoner->own_weights(), {.keep = keep}, std::move(pass));
                        };
                        const double forward = best_seconds([&] { run(Keep::Results); });
                        const std::size_t bytes = pass.bytes() + reasoner->bytes();
                        std::vector<double> by_clause(reasoner->graph().clause_count());
                        const GradientSums sums{.by_clause = by_clause};
                        const double both = best_seconds([&] {
                            run(Keep::Backward);
                            reasoner->backward(pass, seeds, {.sums = {&sums, 1}});
                        });
                        fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} |\n", name,
                                   which == Inputs::Neural ? "neural atoms" : "every atom", info(semantics).name,
                                   kernel->name, threads, forward * 1e3, both * 1e3, format_bytes(bytes));
                    }
                }
            }
        }
    }
}

// What one core reads from memory, in bytes per second.
double memory_bandwidth() {
    std::vector<std::uint64_t> words(std::size_t{32} << 20, 1);  // 256 MiB
    std::uint64_t sum = 0;
    const double seconds = best_seconds([&] {
        for (const std::uint64_t word : words) sum += word;
        asm volatile("" : "+r"(sum));
    });
    return static_cast<double>(words.size() * sizeof(words[0])) / seconds;
}

// One step in which nothing can be skipped: the cost of an edge, and the bytes that a step asks for.
void bench_edges(const std::filesystem::path& folder) {
    const double bandwidth = memory_bandwidth();
    fmt::print("\nOne core reads {:.1f} GB/s from memory.\n\n", bandwidth / 1e9);
    fmt::print(
        "| program | semantics | ns per edge·example·step | bytes asked for per edge·example | GB/s | of memory bandwidth |\n"
        "|---|---|---:|---:|---:|---:|\n");
    for (const char* name : {"delete", "reverse"}) {
        const LoadedProgram loaded = compile_full(folder / fmt::format("{}.nm", name));
        const ReasoningGraph& graph = loaded.compiled.ground.graph;
        const InputBatch inputs = random_inputs(loaded.compiled, Inputs::EveryAtom);
        for (const SemanticsInfo& one : all_semantics()) {
            ReasonOptions options;
            options.semantics = one.semantics;
            const auto seconds_of = [&](std::uint32_t count) {
                options.steps = count;
                const auto reasoner = make_reasoner(graph, options);
                Pass pass;
                return best_seconds(
                    [&] { pass = reasoner->forward(inputs, reasoner->own_weights(), {}, std::move(pass)); });
            };
            const double seconds = seconds_of(1) - seconds_of(0);
            const auto edges = static_cast<double>(graph.edge_count());
            // Per tile: a row and a number for each body edge, clause and range for each conjunction, three rows for
            // each head (initial value, value before and after); where state is kept the conjunction's own value, read
            // and written.
            const double tiles = static_cast<double>(batch) / examples_side_by_side;
            const double row = examples_side_by_side * sizeof(float);
            double bytes = static_cast<double>(graph.body.size()) * (row + 4) +
                           static_cast<double>(graph.conjunction_count()) * 8 +
                           static_cast<double>(graph.atom_count()) * (3 * row + 4);
            if (one.keeps_state) bytes += static_cast<double>(graph.conjunction_count()) * 2 * row;
            bytes *= tiles;
            fmt::print("| {} | {} | {:.3f} | {:.2f} | {:.1f} | {:.0f} % |\n", name, one.name,
                       seconds * 1e9 / (edges * batch), bytes / (edges * batch), bytes / seconds / 1e9,
                       100 * bytes / seconds / bandwidth);
        }
    }
}

// Bytes of the graph, the reasoner and a batch, beside what the tensor of earlier reasoners takes: a line of CSV.
void bench_memory(const std::filesystem::path& program) {
    const LoadedProgram loaded = compile_full(program);
    const ReasoningGraph& graph = loaded.compiled.ground.graph;
    ReasonOptions options;
    options.steps = steps;
    const auto reasoner = make_reasoner(graph, options);
    const Pass pass = reasoner->forward(InputBatch(examples_side_by_side), reasoner->own_weights());
    const TensorSize tensor = tensor_size(graph, {});
    fmt::print("{},{},{},{},{},{}\n", graph.atom_count(), graph.conjunction_count(), graph.bytes(),
               reasoner->bytes() + pass.bytes(), tensor.index_bytes, tensor.dense_matrix);
}

}  // namespace
}  // namespace neumann

int main(int argc, char** argv) {
    const std::string what = argc == 3 ? argv[1] : "";
    if (what == "speed") {
        neumann::bench_speed(argv[2]);
    } else if (what == "edges") {
        neumann::bench_edges(argv[2]);
    } else if (what == "memory") {
        neumann::bench_memory(argv[2]);
    } else {
        fmt::print(stderr, "usage: bench_reasoning speed|edges FOLDER or bench_reasoning memory PROGRAM\n");
        return 2;
    }
    return 0;
}
