#include "interrupt.h"

#include <csignal>

namespace neumann::app {
namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void request_interrupt(int signal) {
    interrupt_requested = true;
    std::signal(signal, SIG_DFL);  // the second time at once
}

}  // namespace

InterruptGuard::InterruptGuard() {
    interrupt_requested = false;
    std::signal(SIGINT, request_interrupt);
    std::signal(SIGTERM, request_interrupt);
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

std::atomic<bool>& InterruptGuard::requested() { return interrupt_requested; }

}  // namespace neumann::app
