// Any text: it must be read, analysed, grounded or refused, never crash; and what is printed must read back as the
// same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analyse/analyse.h"
#include "ground/ground.h"
#include "logic/print.h"
#include "syntax/load.h"

namespace {

using namespace neumann;

constexpr std::uint64_t small_memory = 4U << 20;  // keeps every run short

void ground_in(Program program, GroundMode mode) {
    Diagnostics diagnostics;
    analyse(program, {mode == GroundMode::Full}, diagnostics);
    if (diagnostics.has_errors()) return;
    GroundOptions options;
    options.mode = mode;
    options.memory_limit = small_memory;
    options.facts = mode == GroundMode::Relevant ? FactMode::Evaluate : FactMode::Keep;
    (void)ground(program, options, diagnostics);
    (void)render(diagnostics, *program.sources);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Diagnostics diagnostics;
    const std::string text(reinterpret_cast<const char*>(data), size);
    Program program = parse_program("fuzz.nm", text, {}, diagnostics);
    (void)render(diagnostics, *program.sources);
    if (diagnostics.has_errors()) return 0;

    const std::string printed = print_program(program);
    Diagnostics again;
    const Program reread = parse_program("printed.nm", printed, {}, again);
    if (again.has_errors() || print_program(reread) != printed) std::abort();

    ground_in(program, GroundMode::Full);
    ground_in(std::move(program), GroundMode::Relevant);
    return 0;
}
