// Any bytes as examples of a small program: read and reasoned with, or refused with a place; values stay probabilities.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyse/analyse.h"
#include "compile/atom_names.h"
#include "examples/bind_examples.h"
#include "examples/json_examples.h"
#include "reason/reasoner.h"
#include "syntax/load.h"

namespace {

using namespace neumann;

constexpr const char* text = R"(
:- type(color, [red, blue, 'a b']).
:- list(colors, color, f, '*').
:- max_length(colors, 2).
:- neural(color(color)).
:- pred(row(colors)).
:- pred(has(color, colors)).
row([X,Y]) :- color(X), color(Y).
0.7::has(X, [X|Y]) :- row([X|Y]).
has(X, [_|Y]) :- has(X, Y).
:- query(has(X, L)).
)";

CompiledProgram compile_text() {
    CompiledProgram compiled;
    Diagnostics diagnostics;
    compiled.program = parse_program("fuzz.nm", text, {}, diagnostics);
    analyse(compiled.program, {}, diagnostics);
    std::optional<GroundProgram> grounded = ground(compiled.program, {}, diagnostics);
    if (diagnostics.has_errors() || !grounded) std::abort();
    compiled.ground = std::move(*grounded);
    return compiled;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static CompiledProgram compiled = compile_text();
    static const auto reasoner = make_reasoner(compiled.ground.graph, {});
    if (size == 0) return 0;
    AtomNames names(compiled);
    // fmemopen does not write in mode "rb".
    std::FILE* file = fmemopen(const_cast<std::uint8_t*>(data), size, "rb");
    if (file == nullptr) return 0;
    JsonExamples source(file, "fuzz.jsonl");
    ExampleBinder binder(names);
    Pass pass;
    try {
        while (true) {
            std::vector<Example> read = source.next(16);
            if (read.empty()) break;
            BindingFailure failed;
            const std::vector<BoundExample> examples = binder.bind_all(source, std::move(read), failed);
            InputBatch::Builder inputs(examples.size());
            for (std::size_t e = 0; e < examples.size(); ++e) {
                for (const AtomValue& value : examples[e].values) inputs.add(e, value.atom, value.value);
            }
            pass = reasoner->forward(inputs.build(), reasoner->own_weights(), {}, std::move(pass));
            for (std::size_t e = 0; e < examples.size(); ++e) {
                for (std::uint32_t a = 0; a < compiled.ground.graph.atom_count(); ++a) {
                    if (!(pass.value(a, e) >= 0 && pass.value(a, e) <= 1)) std::abort();
                }
            }
            if (!failed.empty()) throw ExampleError(failed);
        }
    } catch (const ExampleError& error) {
        if (!std::string_view(error.what()).starts_with("fuzz.jsonl:")) std::abort();
    }
    return 0;
}
