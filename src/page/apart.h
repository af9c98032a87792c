// Request in a process of its own: it ends when the client disconnects, when its time is over, and when it crashes. The
// last two also produce a response.
#pragma once

#include <cstdint>
#include <string>

#include "page/connection.h"

namespace neumann {

struct RunLimits {
    std::uint64_t memory = 0;  // bytes; 0: none
    double seconds = 0;        // 0: none
};

// Writes lines of JSON, {"news": …} while it goes on, and one {"answer": …}.
void answer_apart(const Connection& connection, const std::string& request, const RunLimits& limits);

}  // namespace neumann
