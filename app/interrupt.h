// Ctrl-C and time limits for work that would rather stop where it can be resumed.
#pragma once

#include <atomic>

namespace neumann::app {

// While one lives, the first interrupt or termination only sets `requested`; the second ends the process. Only one may
// live at a time.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    static std::atomic<bool>& requested();
};

}  // namespace neumann::app
