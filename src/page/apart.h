// Request in a process of its own: it ends when the client disconnects, when its time is over, and when it crashes. The
// last two also produce a response.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neumann {

struct RunLimits {
    std::uint64_t memory = 0;                          // bytes; 0: none
    double seconds = 0;                                // 0: none
    std::vector<std::filesystem::path> readable = {};  // folders of files that programs may read, beside the run's own
};

// The client of a request.
struct Client {
    int socket;
    std::function<bool(std::string_view)> write;  // false: it is gone
};

// Writes lines of JSON, {"news": …} while it goes on, and one {"answer": …}.
void answer_apart(const Client& client, const std::string& request, const RunLimits& limits);

}  // namespace neumann
