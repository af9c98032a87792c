// How fast reasoning is on a graphics card: saved graphs given on the command line, six steps, batches from 1 to 4,096
// examples, every atom nonzero. Beside it one core of the same machine, and what the card's memory could do. Prints
// Markdown tables; bench/gpu.py makes the graphs. --only=SEMANTICS: softor and one more, of 64 examples. --check
// instead: random graphs beside the double reference.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/mapped_file.h"
#include "base/rng.h"
#include "graph/build.h"
#include "graph/graph_file.h"
#include "reason/cuda/card_runner.h"
#include "reason/cuda/component.h"
#include "reason/reasoner.h"

namespace neumann {
namespace {

constexpr std::uint32_t steps = 6;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median_seconds(int least, double most_seconds, const std::function<void()>& work) {
    work();
    work();
    work();
    std::vector<double> taken;
    const double begin = now();
    while (static_cast<int>(taken.size()) < least || (now() - begin < most_seconds && taken.size() < 200)) {
        const double start = now();
        work();
        taken.push_back(now() - start);
        if (now() - begin > 20 * most_seconds) break;
    }
    std::ranges::nth_element(taken, taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2));
    return taken[taken.size() / 2];
}

ReasoningGraph load(const std::string& path) {
    const auto file = MappedFile::open(path);
    return read_graph_sections(SectionReader(file->bytes(), file));
}

std::vector<CardValue> every_atom(const ReasoningGraph& graph, std::size_t examples) {
    Rng rng(1);
    std::vector<CardValue> result;
    for (std::uint32_t e = 0; e < examples; ++e) {
        for (std::uint32_t a = 0; a < graph.atom_count(); ++a)
            result.push_back({e, a, static_cast<float>(rng.uniform())});
    }
    return result;
}

InputBatch batch_of(const std::vector<CardValue>& values, std::size_t examples) {
    InputBatch::Builder result(examples);
    for (const CardValue& value : values) result.add(value.example, value.atom, value.value);
    return result.build();
}

// One gradient for each of the last atoms of examples.
std::vector<CardValue> seeds_for(const ReasoningGraph& graph, std::size_t examples) {
    std::vector<CardValue> result;
    for (std::uint32_t e = 0; e < examples; ++e) {
        for (std::uint32_t a = 0; a < std::min(4U, graph.atom_count()); ++a) result.push_back({e, a, 1.0F});
    }
    return result;
}

struct Bandwidth {
    double memory = 0;  // bytes per second, read and written
    double cache = 0;
};

Bandwidth measure_bandwidth(CardDevice& device) {
    const auto rate = [&](std::size_t bytes, int times) {
        CardMemory memory;
        memory.reserve(device, 2 * bytes);
        const double seconds = median_seconds(20, 0.2, [&] {
            for (int i = 0; i < times; ++i) device.copy(memory.as<void>(bytes), memory.as<void>(), bytes);
            device.wait();
        });
        return 2.0 * static_cast<double>(bytes) * times / seconds;
    };
    return {rate(std::size_t{2} << 30, 1), rate(std::size_t{8} << 20, 50)};
}

class Measured {
public:
    Measured(const ReasoningGraph& graph, const std::string& semantics, std::size_t examples) : graph_(graph) {
        ReasonOptions options;
        options.semantics = semantics_named(semantics);
        options.steps = steps;
        const Schedule schedule = fixed_schedule(graph, steps);
        plan_ = std::make_shared<ReasonPlan>(ReasonPlan{graph, options, schedule});
        runner_ = std::make_unique<CardRunner>(card_device(), *plan_);
        pass_ = std::make_unique<CardPass>(card_device());
        pass_->plan = plan_;
        pass_->examples = examples;
        values_ = every_atom(graph, examples);
        seeds_ = seeds_for(graph, examples);
    }
    void prepare(Keep keep) {
        pass_->kept = keep;
        runner_->prepare(*pass_);
        const std::vector<float> base(graph_.atom_count(), 0.0F);
        runner_->fill(*pass_, base, values_);
        card_device().wait();
    }
    double forward() {
        return median_seconds(20, 0.2, [&] {
            runner_->forward(*pass_, graph_.weight.span());
            card_device().wait();
        });
    }
    double both() {
        return median_seconds(20, 0.2, [&] {
            runner_->forward(*pass_, graph_.weight.span());
            runner_->backward(*pass_, seeds_, true);
            card_device().wait();
        });
    }
    std::size_t bytes() const { return pass_->bytes() + runner_->bytes(); }

private:
    const ReasoningGraph& graph_;
    std::shared_ptr<ReasonPlan> plan_;
    std::unique_ptr<CardRunner> runner_;
    std::unique_ptr<CardPass> pass_;
    std::vector<CardValue> values_;
    std::vector<CardValue> seeds_;
};

double seconds_of_one_core(const ReasoningGraph& graph, const std::string& semantics, std::size_t examples) {
    ReasonOptions options;
    options.semantics = semantics_named(semantics);
    options.steps = steps;
    const auto reasoner = make_reasoner("tile", graph, options);
    const InputBatch inputs = batch_of(every_atom(graph, examples), examples);
    Pass pass;
    return median_seconds(3, 0.3,
                          [&] { pass = reasoner->forward(inputs, reasoner->own_weights(), {}, std::move(pass)); });
}

void measure(const std::string& path, const Bandwidth& bandwidth, const std::string& only) {
    const ReasoningGraph graph = load(path);
    std::uint64_t literals = graph.body.size();
    fmt::print("\n{}: {} atoms, {} conjunctions, {} literals\n\n", path, graph.atom_count(), graph.conjunction_count(),
               literals);
    fmt::print("| semantics | examples | forward ms | with backward ms | MiB | ns per edge·example·step | rows TB/s | "
               "of copying | one core ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    const auto row = [&](const std::string& semantics, std::size_t examples, bool core) {
        try {
            Measured measured(graph, semantics, examples);
            measured.prepare(Keep::Results);
            const double forward = measured.forward();
            measured.prepare(Keep::Backward);
            const double both = measured.both();
            const double rows = static_cast<double>(literals) * static_cast<double>(examples) * 4 * steps / forward;
            const double edges = static_cast<double>(literals + graph.conjunction_count());
            const double core_ms = core ? 1e3 * seconds_of_one_core(graph, semantics, examples) : 0;
            fmt::print("| {} | {} | {:.3f} | {:.3f} | {} | {:.5f} | {:.2f} | {:.2f} | {:.2f} |\n", semantics, examples,
                       forward * 1e3, both * 1e3, measured.bytes() >> 20,
                       forward * 1e9 / (edges * static_cast<double>(examples) * steps), rows / 1e12,
                       rows / bandwidth.memory, core_ms);
            std::fflush(stdout);
        } catch (const std::exception& error) {
            fmt::print("| {} | {} | {} |\n", semantics, examples, error.what());
        }
    };
    for (const std::size_t examples : {1, 16, 64, 256, 1'024, 4'096}) {
        if (static_cast<double>(examples) * graph.atom_count() > 8e7) continue;
        if (only.empty() || examples == 64) row("softor", examples, only.empty() && examples == 64);
    }
    for (const SemanticsInfo& semantics : all_semantics()) {
        if (semantics.name != "softor" && (only.empty() || only == semantics.name))
            row(std::string(semantics.name), 64, false);
    }
}

// Questions through the interface that everyone uses: values in, answers out.
void measure_questions(const std::string& path) {
    const ReasoningGraph graph = load(path);
    ReasonOptions options;
    const auto reasoner = make_reasoner("cuda", graph, options);
    constexpr std::size_t batch = 4'096;
    std::vector<std::uint32_t> inputs;
    for (std::uint32_t a = 0; a < graph.atom_count() && inputs.size() < 40; ++a) {
        if (graph.in_begin[a] == graph.in_begin[a + 1]) inputs.push_back(a);
    }
    std::vector<float> values(batch * inputs.size());
    Rng rng(1);
    for (float& value : values) value = static_cast<float>(rng.uniform());
    const InputBatch questions = InputBatch::dense(batch, inputs, values);
    const std::vector<std::uint32_t> answers = {0, 1, 2, 3};
    std::vector<float> found(batch * answers.size());
    Pass pass;
    const double seconds = median_seconds(20, 0.5, [&] {
        pass = reasoner->forward(questions, reasoner->own_weights(), {}, std::move(pass));
        pass.outputs(answers, found);
    });
    fmt::print("\n{}: {} questions with {} values each in {:.3f} ms: {:.2f} million answers per second\n", path, batch,
               inputs.size(), seconds * 1e3, static_cast<double>(found.size()) / seconds / 1e6);
}

ReasoningGraph random_graph(std::mt19937& random, bool negation, std::uint32_t heavy) {
    constexpr std::uint32_t inputs = 12;
    constexpr std::uint32_t derived = 20;
    GraphInput input;
    const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
    for (std::uint32_t i = 0; i < 90 + heavy; ++i) {
        InstanceBlock block;
        block.clause = below(6);
        block.may_collapse = true;
        block.width = block.clause;
        block.rows.push_back(i < 90 ? inputs + below(derived) : inputs + 3);
        for (std::uint32_t j = 0; j < block.width; ++j) {
            block.negated.push_back(negation && below(3) == 0);
            block.rows.push_back(below(block.negated.back() ? inputs : inputs + derived));
        }
        input.blocks.push_back(std::move(block));
    }
    std::ranges::stable_sort(input.blocks, {}, &InstanceBlock::clause);
    input.initial = PodVector<float>(inputs + derived, 0.0F);
    input.weight = PodVector<double>(6, 0.4);
    return build_graph(std::move(input), 1);
}

struct Found {
    std::vector<float> values;
    std::vector<float> by_atom;
    std::vector<float> by_clause;
};

Found run(const std::string& engine, const ReasoningGraph& graph, const ReasonOptions& options,
          const InputBatch& inputs, const InputBatch& seeds) {
    const auto reasoner = make_reasoner(engine, graph, options);
    Found result;
    Pass pass;
    std::vector<std::uint32_t> atoms(graph.atom_count());
    for (std::uint32_t a = 0; a < atoms.size(); ++a) atoms[a] = a;
    result.values.resize(inputs.examples() * graph.atom_count());
    result.by_atom.resize(inputs.examples() * graph.atom_count());
    result.by_clause.resize(inputs.examples() * graph.clause_count());
    for (int i = 0; i < 3; ++i) {
        pass = reasoner->forward(inputs, reasoner->own_weights(), {.keep = Keep::Backward}, std::move(pass));
        pass.outputs(atoms, result.values);
        reasoner->backward(pass, seeds, {.by_atom = result.by_atom, .by_clause = result.by_clause});
    }
    return result;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double size = 1;
    double result = 0;
    for (const float x : b) size = std::max(size, std::abs(static_cast<double>(x)));
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double off = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        result = std::max(result, std::isnan(off) ? 1e9 : off / size);
    }
    return result;
}

// The largest differences from the reference, by semantics; gradients beside the tile engine's where ties decide.
void check() {
    fmt::print("| semantics | values | gradients | by weights | same again |\n|---|---:|---:|---:|---|\n");
    for (const SemanticsInfo& semantics : all_semantics()) {
        double worst[3] = {0, 0, 0};
        bool same = true;
        for (std::uint32_t seed = 0; seed < 24; ++seed) {
            std::mt19937 random(seed);
            const ReasoningGraph graph = random_graph(random, seed % 2 == 1, seed % 3 == 0 ? 1'500 : 0);
            ReasonOptions options;
            options.semantics = semantics.semantics;
            if (semantics.needs_steps || seed % 4 < 2) options.steps = 3;
            InputBatch::Builder inputs(70);
            InputBatch::Builder seeds(70);
            for (std::size_t e = 0; e < 70; ++e) {
                for (std::uint32_t a = 0; a < 12; ++a)
                    inputs.add(e, a, static_cast<float>(static_cast<double>(random() % 1000) / 1000));
                for (int i = 0; i < 4; ++i) seeds.add(e, static_cast<std::uint32_t>(random() % 32), 1.0F);
            }
            const InputBatch in = inputs.build();
            const InputBatch from = seeds.build();
            const Found expected = run(semantics.smooth ? "reference" : "tile", graph, options, in, from);
            const Found found = run("cuda", graph, options, in, from);
            const Found again = run("cuda", graph, options, in, from);
            worst[0] = std::max(worst[0], largest_difference(found.values, expected.values));
            worst[1] = std::max(worst[1], largest_difference(found.by_atom, expected.by_atom));
            worst[2] = std::max(worst[2], largest_difference(found.by_clause, expected.by_clause));
            same = same && found.values == again.values && found.by_atom == again.by_atom &&
                   found.by_clause == again.by_clause;
        }
        fmt::print("| {} | {:.1e} | {:.1e} | {:.1e} | {} |\n", semantics.name, worst[0], worst[1], worst[2],
                   same ? "yes" : "NO");
    }
}

}  // namespace
}  // namespace neumann

int main(int argc, char** argv) {
    using namespace neumann;
    try {
        fmt::print("{}\n", card_device().name());
        if (argc == 2 && std::string(argv[1]) == "--check") {
            check();
            return 0;
        }
        const Bandwidth bandwidth = measure_bandwidth(card_device());
        fmt::print("copying {:.2f} TB/s, in the cache {:.2f} TB/s\n", bandwidth.memory / 1e12, bandwidth.cache / 1e12);
        std::string only;
        for (int i = 1; i < argc; ++i) {
            const std::string path = argv[i];
            if (path.starts_with("--only=")) {
                only = path.substr(7);
            } else if (path.find("all") != std::string::npos) {
                measure_questions(path);
            } else {
                measure(path, bandwidth, only);
            }
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 2;
    }
    return 0;
}
