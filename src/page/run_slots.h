// Slots of requests that run: a process has one as long as it lives, and no longer, however it ends.
#pragma once

namespace neumann {

inline constexpr int most_runs = 32;

class RunSlots {
public:
    RunSlots();  // throws FileError
    ~RunSlots();
    RunSlots(const RunSlots&) = delete;
    RunSlots& operator=(const RunSlots&) = delete;

    // Waits for a slot for this process. False: the client has disconnected.
    bool wait(int client) const;

private:
    int file_;  // in memory; a lock on one of its bytes is a slot, and the system releases it
};

}  // namespace neumann
