// Any bytes as a table of facts, as they are or packed by gzip: facts, or errors with a place. The first byte chooses
// the options of the table.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "in_memory.h"
#include "limited.h"
#include "syntax/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    constexpr std::array<const char*, 6> options = {"",
                                                    ", [header]",
                                                    ", [probability(2)]",
                                                    ", [header, columns([b])]",
                                                    ", [separator(';')]",
                                                    ", [columns([2]), probability(1)]"};
    if (size == 0) return 0;
    const InMemory table(data + 1, size - 1);
    const std::string text = ":- type(n, 0..9).\n:- pred(closed(n)).\n:- facts(p/" +
                             std::string(data[0] % 2 == 0 ? "2" : "1") + ", '" + table.path() + "'" +
                             options[data[0] / 2 % options.size()] + ").\n" +
                             (data[0] >= 128 ? ":- facts(closed/1, '" + table.path() + "').\n" : "");
    within_limits([&] {
        Diagnostics diagnostics;
        const Program program = parse_program("fuzz.nm", text, {}, diagnostics);
        (void)render(diagnostics, *program.sources);
    });
    return 0;
}
