// Interrupts (Ctrl-C), the same for every command: unfinished files are removed, and the exit code is 130 (143 for a
// termination).
// Work that can be resumed stops at a good place instead.
#pragma once

#include <atomic>
#include <string>

namespace neumann::app {

// At the start of a command. Interrupts that the parent process ignores stay ignored.
void end_on_interrupt();

// The message of an interrupted command about the files it leaves behind; none until this is called.
void say_on_interrupt(std::string what_is_kept);

// 130 or 143 if an interrupt or a termination has been asked for, else 0.
int interrupt_exit_code();

// While one lives, the first interrupt or termination only sets `requested`, and ends the process a few seconds later
// if the work goes on all the same; the second ends it at once. Only one may live at a time.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    static std::atomic<bool>& requested();
};

}  // namespace neumann::app
