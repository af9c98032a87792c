// What an explanation costs beside one forward pass, and whether it is right about itself.
//
//   bench_explanations PROGRAM EXAMPLES ATOM [batch] [full|relevant]      JSON on standard output
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compile/atom_names.h"
#include "compile/compile.h"
#include "examples/bind_examples.h"
#include "examples/json_examples.h"
#include "explain/explainer.h"

namespace neumann {
namespace {

using Clock = std::chrono::steady_clock;

// Seconds of the quickest of several runs, after one that warms up.
template <class Work>
double quickest(Work&& work) {
    work();
    double best = 1e9;
    const auto begin = Clock::now();
    for (int run = 0; run < 200 && (run < 5 || Clock::now() - begin < std::chrono::seconds(2)); ++run) {
        const auto start = Clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

int run(const std::string& program, const std::string& file, const std::string& atom, std::size_t batch, bool full) {
    CompileOptions options;
    options.queries = {atom};
    options.ground.mode = full ? GroundMode::Full : GroundMode::Relevant;
    options.with_levels = true;
    Diagnostics diagnostics;
    LoadedProgram loaded;
    if (!compile(program, options, diagnostics, loaded)) {
        fmt::print(stderr, "{}", render(diagnostics, *loaded.compiled.program.sources, {}));
        return 2;
    }
    AtomNames names(loaded.compiled);
    const std::optional<AtomNames::QueryAtoms> asked = names.query(atom, diagnostics);
    if (!asked || asked->atoms.empty()) {
        fmt::print(stderr, "no atom matches {}\n", atom);
        return 2;
    }
    JsonExamples source(file);
    ExampleBinder binder(names);
    BindingFailure failed;
    const std::vector<BoundExample> examples = binder.bind_all(source, source.next(batch), failed);
    if (!failed.empty() || examples.empty()) {
        fmt::print(stderr, "{}\n", failed);
        return 2;
    }
    InputBatch::Builder builder(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (const AtomValue& value : examples[e].values) builder.add(e, value.atom, value.value);
    }
    const InputBatch& inputs = builder.build();
    const auto made = make_reasoner(loaded.compiled.ground.graph, ReasonOptions(), &loaded.levels);
    const GraphReasoner& reasoner = *made;
    Pass pass;
    const double forward =
        quickest([&] { pass = reasoner.forward(inputs, reasoner.own_weights(), {}, std::move(pass)); });
    std::vector<std::uint32_t> atoms(inputs.examples());
    for (std::size_t e = 0; e < atoms.size(); ++e) {
        atoms[e] = *std::ranges::max_element(
            asked->atoms, [&](std::uint32_t a, std::uint32_t b) { return pass.value(a, e) < pass.value(b, e); });
    }
    fmt::print("{{\"program\": \"{}\", \"atoms\": {}, \"conjunctions\": {}, \"examples\": {}, \"forward_us\": {:.1f}",
               program, reasoner.graph().atom_count(), reasoner.graph().conjunction_count(), inputs.examples(),
               forward * 1e6);
    using WhyNotMode = ExplainOptions::WhyNot;
    // The parts: what each adds to the forward pass.
    const auto timed = [&](const char* name, std::size_t proofs, WhyNotMode why_not, bool told) {
        ExplainOptions explaining;
        explaining.proofs = proofs;
        explaining.why_not = why_not;
        Explainer explainer(loaded.compiled, reasoner, explaining);
        const double seconds = quickest([&] {
            explainer.run(inputs);
            explainer.differentiate(atoms);
            for (std::size_t e = 0; told && e < atoms.size(); ++e) explainer.explain(e, "0");
        });
        fmt::print(", \"{}_us\": {:.1f}, \"{}_ratio\": {:.2f}", name, seconds * 1e6, name, seconds / forward);
    };
    timed("gradients", 0, WhyNotMode::Never, false);
    timed("described", 0, WhyNotMode::Never, true);
    timed("explained", 1, WhyNotMode::Never, true);
    timed("three_proofs", 3, WhyNotMode::Never, true);
    timed("why_not", 1, WhyNotMode::Always, true);
    fmt::print("}}\n");
    return 0;
}

}  // namespace
}  // namespace neumann

int main(int argc, char** argv) {
    if (argc < 4) {
        fmt::print(stderr, "bench_explanations PROGRAM EXAMPLES ATOM [batch] [full|relevant]\n");
        return 2;
    }
    const std::size_t batch = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 1;
    return neumann::run(argv[1], argv[2], argv[3], batch, argc > 5 && argv[5] == std::string_view("full"));
}
