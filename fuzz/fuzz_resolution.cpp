// Any text as a ProbLog program: read, resolved from its queries and evidence, and grounded, or refused with a place.
#include <cstddef>
#include <cstdint>
#include <string>

#include "compile/compile.h"
#include "limited.h"
#include "resolution/resolve_program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    within_limits([&] {
        Program program;
        Diagnostics diagnostics;
        const std::uint32_t file =
            program.sources->add("fuzz.pl", std::string(reinterpret_cast<const char*>(data), size));
        resolution::resolve_program(file, {}, program, diagnostics);
        (void)render(diagnostics, *program.sources);
        if (diagnostics.has_errors()) return;
        Diagnostics compiling;
        LoadedProgram loaded;
        (void)compile(std::move(program), {}, compiling, loaded);
    });
    return 0;
}
