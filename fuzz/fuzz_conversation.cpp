// Any lines as a conversation with a program: answers or errors. Lines that read or write files are left out.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/conversation.h"
#include "limited.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const std::string_view word : {"facts", "include", ":load", ":save"})
        if (text.find(word) != std::string_view::npos) return 0;
    within_limits([&] {
        neumann::ReasonerOptions reason;
        reason.threads = 1;
        neumann::ModelOptions reading;
        reading.threads = 1;
        neumann::Conversation conversation(reason, reading);
        if (size % 2 == 0) conversation.read_ahead();
        for (std::size_t begin = 0; begin < text.size() && !conversation.is_over();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            (void)conversation.say(std::string(text.substr(begin, end - begin)));
            begin = end + 1;
        }
        conversation.finish();
        (void)conversation.take_errors();
    });
    return 0;
}
