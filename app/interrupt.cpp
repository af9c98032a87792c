#include "interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>

#include "cli/files.h"

namespace neumann::app {
namespace {

std::atomic<bool> interrupt_requested{false};
std::atomic<int> interrupt_signal{0};
std::atomic<const char*> kept{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free,
              "used by signal handlers");

constexpr unsigned seconds_to_finish = 10;  // for the best result so far, and a checkpoint

constexpr int exit_code_of(int signal) { return 128 + signal; }

void write_text(const char* text) { (void)!::write(STDERR_FILENO, text, std::strlen(text)); }

extern "C" void end_process(int signal) {
    remove_unfinished_files();
    write_text("\ninterrupted");
    if (const char* const text = kept; text != nullptr) {
        write_text("; ");
        write_text(text);
    }
    write_text("\n");
    ::_exit(exit_code_of(signal));
}

extern "C" void end_late(int) { end_process(interrupt_signal); }

extern "C" void request_interrupt(int signal) {
    interrupt_requested = true;
    interrupt_signal = signal;
    std::signal(signal, end_process);  // the second time at once
    std::signal(SIGALRM, end_late);
    ::alarm(seconds_to_finish);
}

void handle(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM})
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void end_on_interrupt() { handle(end_process); }

void say_on_interrupt(std::string what_is_kept) {
    static std::string text;  // a handler may be reading the old one only while no thread is here
    kept = nullptr;
    text = std::move(what_is_kept);
    kept = text.c_str();
}

int interrupt_exit_code() { return interrupt_signal == 0 ? 0 : exit_code_of(interrupt_signal); }

InterruptGuard::InterruptGuard() {
    interrupt_requested = false;
    handle(request_interrupt);
}

InterruptGuard::~InterruptGuard() {
    ::alarm(0);
    handle(end_process);
}

std::atomic<bool>& InterruptGuard::requested() { return interrupt_requested; }

}  // namespace neumann::app
