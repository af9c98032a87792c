// Any bytes as the journal of a run, and any JSON as its steps, whose digest is made right: the steps, or an error that
// names the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "in_memory.h"
#include "learn/journal/journal.h"
#include "learn/task/learn_error.h"
#include "limited.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace neumann;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        bytes = Journal::text_of("fingerprint", bytes);
    } catch (const LearnError&) {  // no JSON: a damaged file
    }
    const InMemory file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    within_limits([&] {
        try {
            Journal journal(file.path(), "fingerprint");
            if (!journal.resume()) std::abort();
            (void)journal.find<RoundRecord>("round 0");
            (void)journal.find<WeightsRecord>("weights");
            (void)journal.find<SearchRecord>("search");
        } catch (const LearnError& error) {
            if (std::string_view(error.what()).find("/proc/self/fd/") == std::string_view::npos) std::abort();
        }
    });
    return 0;
}
