// Server of the page in the browser, with this machine's own engine.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace neumann {

struct PageServerOptions {
    std::uint16_t port = 0;             // 0: any that is free
    std::filesystem::path folder = {};  // that holds the page; empty: beside the command, or where it was installed
    std::uint64_t memory_limit = 0;     // bytes of a run; 0: four fifths of the free memory at its start
    double time_limit = 600;            // seconds of a run; 0: none
    // Folders of files that programs of the page may read, beside what their requests bring along.
    std::vector<std::filesystem::path> allowed = {};
    std::function<void(const std::string& address)> ready = {};  // called with the address of the page and its token
};

// Serves the page on 127.0.0.1 until `stop` is true. Every request has a process and a folder of its own, which end
// when the browser disconnects; a request that exceeds a limit, or crashes, gets an error response. Requests for other
// names than this machine's, and those to reason without the token that is in the address, are refused. Throws
// FileError, also where the port is taken.
void serve_page(const PageServerOptions& options, const std::atomic<bool>& stop);

}  // namespace neumann
