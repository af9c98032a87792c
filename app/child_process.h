// Runs a command to its end, with its output in files and what it cost.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace neumann::app {

struct ChildRequest {
    std::vector<std::string> command;  // the first is looked for in PATH
    std::filesystem::path output, errors;
    double limit_seconds = 0;  // 0: none
    const std::atomic<bool>* stop = nullptr;
    std::function<void(double)> waiting;  // called now and then with the seconds so far
};

struct ChildOutcome {
    // 128 plus the signal that ended it, 127 for a command that cannot be started: as shells do.
    int exit_code = 0;
    bool timed_out = false;
    bool stopped = false;  // by `stop`
    double seconds = 0;    // by the clock on the wall
    // Of the process and of those that it waited for, whichever was largest. At least what this process has, as the
    // kernel counts from before the command takes its place.
    std::uint64_t peak_bytes = 0;
};

// The command and all that it starts are a process group: at the limit, or when told to stop, the group is terminated,
// and killed if that does not help. Should this process be killed, the command is, too. Throws FileError for output
// files that cannot be written.
ChildOutcome run_child(const ChildRequest& request);

}  // namespace neumann::app
