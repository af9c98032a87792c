// Any text as one of another language: it must be read or refused, never crash; what is read goes through all writers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "interchange/asp_reader.h"
#include "interchange/problog_reader.h"
#include "interchange/writers.h"
#include "syntax/load.h"

namespace {

using namespace neumann;

void write_all(const std::string& text) {
    Diagnostics reading;
    const Program program = parse_program("converted.nm", text, {}, reading);
    (void)render(reading, *program.sources);
    if (reading.has_errors()) return;
    std::vector<std::string> notes;
    Diagnostics writing;
    (void)interchange::write_asp(program, {.drop_probabilities = true}, writing);
    (void)interchange::write_problog(program, writing);
    (void)interchange::write_folder(program, writing, notes);
    (void)render(writing, *program.sources);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    SourceSet sources;
    const std::uint32_t file = sources.add("fuzz.lp", std::string(reinterpret_cast<const char*>(data), size));
    for (const auto read : {interchange::read_asp, interchange::read_problog}) {
        Diagnostics diagnostics;
        std::vector<std::string> notes;
        const std::string text = read(sources, file, diagnostics, notes);
        (void)render(diagnostics, sources);
        if (!diagnostics.has_errors()) write_all(text);
    }
    return 0;
}
