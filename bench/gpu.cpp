// How fast reasoning is on a GPU, beside one core of the same machine and what the GPU's memory could do.
// Prints Markdown tables; bench/gpu.py makes the graphs that are given on the command line.
//     bench_gpu --check GRAPH…       how far numbers are from the double reference
//     bench_gpu --sizes              generated graphs of 10² to 10⁷ conjunctions, batches of 1 to 4,096 examples
//     bench_gpu --questions GRAPH    values in, answers out, through the interface that everyone uses
//     bench_gpu [--only=SEMANTICS] GRAPH…    every semantics, forwards and backwards, every atom nonzero
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/mapped_file.h"
#include "base/rng.h"
#include "gpu_check.h"
#include "gpu_graphs.h"
#include "graph/graph_file.h"
#include "reason/gpu/component.h"
#include "reason/gpu/gpu_runner.h"
#include "reason/reasoner.h"

namespace neumann {
namespace {

constexpr std::uint32_t steps = 6;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Times {
    double median = 0;
    double least = 0;
    double most = 0;
};

// At least so many, and as many as fit into some seconds.
Times seconds_of(int least, double seconds, const std::function<void()>& work) {
    double begin = now();
    for (int i = 0; i < 3 && now() - begin < 5 * seconds; ++i) work();
    std::vector<double> taken;
    begin = now();
    while (static_cast<int>(taken.size()) < least || (now() - begin < seconds && taken.size() < 200)) {
        const double start = now();
        work();
        taken.push_back(now() - start);
        if (now() - begin > 20 * seconds) break;
    }
    std::ranges::sort(taken);
    return {taken[taken.size() / 2], taken.front(), taken.back()};
}

ReasoningGraph load(const std::string& path) {
    const auto file = MappedFile::open(path);
    return read_graph_sections(SectionReader(file->bytes(), file));
}

double edges_of(const ReasoningGraph& graph) {
    return static_cast<double>(graph.body.size()) + graph.conjunction_count();
}

struct Bandwidth {
    double memory = 0;  // bytes per second, read and written
    double cache = 0;   // read
};

// Of a large copy, and of reading again and again what lies in the cache: more than a multiprocessor has of its own.
Bandwidth measure_bandwidth(GpuDevice& device) {
    constexpr std::size_t large = std::size_t{2} << 30;
    GpuMemory memory;
    memory.reserve(device, 2 * large);
    const double copy = seconds_of(20, 0.2, [&] {
                            device.copy(memory.as<void>(large), memory.as<void>(), large);
                            device.wait();
                        }).median;
    GpuMove move;
    move.tiles = 4;
    move.rows = 8'192;
    move.count = move.rows;
    move.from = memory.as<float>();
    move.to = memory.as<float>(large);
    move.copies = 8;
    move.apart = std::size_t{move.tiles} * move.rows * tile_width;
    move.round = 128;
    const double read = seconds_of(20, 0.2, [&] {
                            device.move(GpuMoving::Read, move);
                            device.wait();
                        }).median;
    const double bytes = 4.0 * static_cast<double>(move.apart) * move.copies * move.round;
    return {2.0 * large / copy, bytes / read};
}

// A graph on the GPU, whose values lie there before and after: every atom has one, and every gradient starts from
// every atom.
class Measured {
public:
    Measured(const ReasoningGraph& graph, const std::string& semantics, std::size_t examples) : graph_(graph) {
        ReasonOptions options;
        options.semantics = semantics_named(semantics);
        options.steps = steps;
        plan_ = std::make_shared<ReasonPlan>(ReasonPlan{graph, options, fixed_schedule(graph, steps)});
        runner_ = std::make_unique<GpuRunner>(device_, *plan_);
        pass_ = std::make_unique<GpuPass>(device_);
        pass_->plan = plan_;
        pass_->examples = examples;
        Rng rng(1);
        base_.resize(graph.atom_count());
        for (float& value : base_) value = static_cast<float>(rng.uniform());
        // Of each example its own, as far as that can be sent.
        constexpr double most = 2e7;
        if (static_cast<double>(examples) * graph.atom_count() > most) return;
        for (std::uint32_t e = 0; e < examples; ++e) {
            for (std::uint32_t a = 0; a < graph.atom_count(); ++a)
                values_.push_back({e, a, static_cast<float>(rng.uniform())});
        }
    }
    double forward() {
        prepare(Keep::Results);
        return seconds_of(20, 0.1,
                          [&] {
                              runner_->forward(*pass_, graph_.weight.span());
                              device_.wait();
                          })
            .median;
    }
    double both() {
        prepare(Keep::Backward);
        GpuMemory seeds;
        seeds.reserve(device_, pass_->array_bytes());
        device_.copy(seeds.as<void>(), pass_->initial, pass_->array_bytes());
        return seconds_of(20, 0.1,
                          [&] {
                              runner_->forward(*pass_, graph_.weight.span());
                              runner_->backward(*pass_, {}, true, [&](float* rows) {
                                  device_.copy(rows, seeds.as<void>(), pass_->array_bytes());
                              });
                              device_.wait();
                          })
            .median;
    }
    std::size_t bytes() const { return pass_->bytes() + runner_->bytes(); }

private:
    void prepare(Keep keep) {
        pass_->kept = keep;
        runner_->prepare(*pass_);
        runner_->fill(*pass_, base_, values_);
        device_.wait();
    }

    GpuDevice& device_ = gpu_device();
    const ReasoningGraph& graph_;
    std::shared_ptr<ReasonPlan> plan_;
    std::unique_ptr<GpuRunner> runner_;
    std::unique_ptr<GpuPass> pass_;
    std::vector<float> base_;
    std::vector<GpuValue> values_;
};

// One core, whose tiles come one after the other: batches that would take long are forecast from smaller ones.
class OneCore {
public:
    OneCore(const ReasoningGraph& graph, const std::string& semantics) : edges_(edges_of(graph)) {
        ReasonOptions options;
        options.semantics = semantics_named(semantics);
        options.steps = steps;
        reasoner_ = make_reasoner("tile", graph, options);
        Rng rng(1);
        values_.resize(graph.atom_count());
        for (float& value : values_) value = static_cast<float>(rng.uniform());
    }
    double seconds(std::size_t examples) {
        constexpr double guess = 0.3e-9;  // per edge, example and step
        constexpr double most = 0.2;
        const auto fits = static_cast<std::size_t>(most / (guess * edges_ * steps)) / tile_width * tile_width;
        const std::size_t lanes = (examples + tile_width - 1) / tile_width * tile_width;
        const std::size_t some = std::min(lanes, std::max(tile_width, fits));
        if (some != measured_) {
            Pass pass;
            seconds_ = seconds_of(3, 0.05, [&] {
                           pass = reasoner_->forward(InputBatch(some), reasoner_->own_weights(), {.initial = values_},
                                                     std::move(pass));
                       }).median;
            measured_ = some;
        }
        return seconds_ * static_cast<double>(lanes) / static_cast<double>(some);
    }

private:
    double edges_;
    std::unique_ptr<GraphReasoner> reasoner_;
    std::vector<float> values_;
    std::size_t measured_ = 0;  // examples
    double seconds_ = 0;
};

// The time that reading the rows of all literals takes at least, out of the cache if they fit.
double roofline(const ReasoningGraph& graph, std::size_t examples, const Bandwidth& bandwidth) {
    constexpr double cache_bytes = 40e6;
    const double rows = 4.0 * static_cast<double>(examples);
    const bool fits = 2 * rows * graph.atom_count() < cache_bytes;
    return rows * static_cast<double>(graph.body.size()) * steps / (fits ? bandwidth.cache : bandwidth.memory);
}

void measure(const std::string& path, const Bandwidth& bandwidth, const std::string& only) {
    const ReasoningGraph graph = load(path);
    fmt::print("\n{}: {} atoms, {} conjunctions, {} literals\n\n", path, graph.atom_count(), graph.conjunction_count(),
               graph.body.size());
    fmt::print("| semantics | examples | forward ms | with backward ms | MiB | ns per edge·example·step | share of the "
               "roofline | one core ms |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
    const auto row = [&](const std::string& semantics, std::size_t examples, bool core) {
        try {
            Measured measured(graph, semantics, examples);
            const double forward = measured.forward();
            const double both = measured.both();
            const std::string core_ms =
                core ? fmt::format("{:.2f}", 1e3 * OneCore(graph, semantics).seconds(examples)) : "";
            fmt::print("| {} | {} | {:.3f} | {:.3f} | {} | {:.5f} | {:.2f} | {} |\n", semantics, examples,
                       forward * 1e3, both * 1e3, measured.bytes() >> 20,
                       forward * 1e9 / (edges_of(graph) * static_cast<double>(examples) * steps),
                       roofline(graph, examples, bandwidth) / forward, core_ms);
        } catch (const std::exception& error) {
            fmt::print("| {} | {} | {} |\n", semantics, examples, error.what());
        }
        std::fflush(stdout);
    };
    for (const std::size_t examples : {1, 16, 64, 256, 1'024, 4'096}) {
        if (only.empty() || examples == 64) row("softor", examples, true);
    }
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (semantics.name != "softor" && (only.empty() || only == semantics.name))
            row(std::string(semantics.name), 64, only.empty());
    }
}

// Generated graphs by batches: the GPU's time, one core's, and which of them is shorter.
void measure_sizes(double start) {
    const std::vector<std::size_t> batches = {1, 4, 16, 64, 256, 1'024, 4'096};
    fmt::print("\nForward, {} steps, ms on the GPU / ms on one core; in bold where the core is faster\n\n"
               "| conjunctions | {} |\n|---:|",
               steps, fmt::join(batches, " | "));
    for (std::size_t i = 0; i < batches.size(); ++i) fmt::print("---:|");
    fmt::print("\n");
    double per_step = 1;
    double per_edge = 1;
    std::vector<double> core_per_edge;
    for (std::uint32_t size = 100; size <= 10'000'000; size *= 10) {
        const ReasoningGraph graph = graph_of_size(size);
        OneCore one_core(graph, "softor");
        fmt::print("| {} |", graph.conjunction_count());
        for (const std::size_t examples : batches) {
            const double core = one_core.seconds(examples);
            const auto lanes = static_cast<double>((examples + 15) / 16 * 16);
            try {
                const double gpu = Measured(graph, "softor", examples).forward();
                per_step = std::min(per_step, gpu / steps);
                per_edge = std::min(per_edge, gpu / (edges_of(graph) * lanes * steps));
                const char* mark = core < gpu ? "**" : "";
                fmt::print(" {}{:.3f} / {:.4g}{} |", mark, gpu * 1e3, core * 1e3, mark);
            } catch (const std::exception& error) {
                fmt::print(" {} / {:.4g} |", error.what(), core * 1e3);
            }
            if (examples == 64 && size >= 10'000) core_per_edge.push_back(core / (edges_of(graph) * lanes * steps));
            std::fflush(stdout);
        }
        fmt::print("\n");
    }
    std::ranges::sort(core_per_edge);
    fmt::print("\nFor reason/gpu/choose_device.cpp: starting the GPU {:.2f} s; a step {:.1f} µs at least; per edge, "
               "example and step {:.5f} ns at best, on one core {:.3f} ns\n",
               start, per_step * 1e6, per_edge * 1e9, core_per_edge[core_per_edge.size() / 2] * 1e9);
}

void measure_questions(const std::string& path) {
    const ReasoningGraph graph = load(path);
    const auto reasoner = make_reasoner("cuda", graph, ReasonOptions());
    constexpr std::size_t questions = 40'000;
    constexpr std::size_t batch = 4'096;
    std::vector<std::uint32_t> inputs;
    for (std::uint32_t a = 0; a < graph.atom_count() && inputs.size() < 40; ++a) {
        if (graph.in_begin[a] == graph.in_begin[a + 1]) inputs.push_back(a);
    }
    Rng rng(1);
    std::vector<InputBatch> batches;
    for (std::size_t first = 0; first < questions; first += batch) {
        std::vector<float> values(std::min(batch, questions - first) * inputs.size());
        for (float& value : values) value = static_cast<float>(rng.uniform());
        batches.push_back(InputBatch::dense(values.size() / inputs.size(), inputs, values));
    }
    const std::vector<std::uint32_t> answers = {0, 1, 2, 3};
    std::vector<float> found(batch * answers.size());
    // Two passes in turn: while the GPU has one, the other is prepared.
    Pass this_one;
    Pass next;
    const auto start = [&](std::size_t i, Pass& pass) {
        pass = reasoner->forward(batches[i], reasoner->own_weights(), {}, std::move(pass));
    };
    const Times times = seconds_of(20, 1, [&] {
        start(0, this_one);
        for (std::size_t i = 0; i < batches.size(); ++i) {
            if (i + 1 < batches.size()) start(i + 1, next);
            this_one.outputs(answers, std::span(found).first(batches[i].examples() * answers.size()));
            std::swap(this_one, next);
        }
    });
    const auto rate = [&](double seconds) { return static_cast<double>(questions) / seconds / 1e6; };
    fmt::print("\n{}: {} questions of {} values each, in batches of {}: {:.2f} ms; {:.1f} million questions per second "
               "({:.1f} in the slowest of the runs, {:.1f} in the fastest), {:.1f} million answers of {} each\n",
               path, questions, inputs.size(), batch, times.median * 1e3, rate(times.median), rate(times.most),
               rate(times.least), rate(times.median) * static_cast<double>(answers.size()), answers.size());
}

int run(const std::vector<std::string>& arguments) {
    const double begin = now();
    GpuDevice& device = gpu_device();
    device.wait();
    const double start = now() - begin;
    fmt::print("{}\n", device.name());
    std::string only;
    std::vector<std::string> paths;
    std::string what;
    for (const std::string& argument : arguments) {
        if (argument.starts_with("--only=")) {
            only = argument.substr(7);
        } else if (argument.starts_with("--")) {
            what = argument;
        } else {
            paths.push_back(argument);
        }
    }
    if (what == "--check") {
        check_gpu(paths);
    } else if (what == "--sizes") {
        measure_sizes(start);
    } else if (what == "--questions") {
        for (const std::string& path : paths) measure_questions(path);
    } else {
        const Bandwidth bandwidth = measure_bandwidth(device);
        fmt::print("copying {:.2f} TB/s, reading out of the cache {:.2f} TB/s\n", bandwidth.memory / 1e12,
                   bandwidth.cache / 1e12);
        for (const std::string& path : paths) measure(path, bandwidth, only);
    }
    return 0;
}

}  // namespace
}  // namespace neumann

int main(int argc, char** argv) {
    try {
        return neumann::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 2;
    }
}
