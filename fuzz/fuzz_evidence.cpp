// Any bytes as a file of observations, as evidence or JSON Lines: examples with places, or an error.
#include <cstddef>
#include <cstdint>
#include <memory>

#include <neumann/error.h>

#include "in_memory.h"
#include "learn/probabilities/evidence_examples.h"
#include "limited.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    const InMemory file(data, size);
    within_limits([&] {
        try {
            const std::unique_ptr<ExampleSource> source = open_interpretations(file.path());
            for (;;) {
                const std::vector<Example> examples = source->next(16);
                if (examples.empty()) break;
                for (const Example& example : examples) {
                    if (source->place(example).empty()) std::abort();
                    for (const ExampleMistake& mistake : example.not_understood)
                        (void)source->describe(example, mistake);
                }
            }
        } catch (const LimitReached&) {
            throw;
        } catch (const Error&) {
        }
    });
    return 0;
}
