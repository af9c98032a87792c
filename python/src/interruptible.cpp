#include "interruptible.h"

#include <unistd.h>

#include <csignal>

namespace neumann::python {
namespace {

// Of the main thread alone; the signal may reach another, so they are atomic.
std::atomic<std::atomic<bool>*> flag{nullptr};
struct sigaction handler_before {};

void take_note(int signal, siginfo_t* details, void* context) {
    if (std::atomic<bool>* const stopped = flag) *stopped = true;
    if ((handler_before.sa_flags & SA_SIGINFO) != 0)
        handler_before.sa_sigaction(signal, details, context);
    else
        handler_before.sa_handler(signal);
}

bool is_main_thread() { return ::gettid() == ::getpid(); }

}  // namespace

InterruptWatch::InterruptWatch() {
    if (!is_main_thread()) return;
    before_ = flag.exchange(&stopped_);
    watches_ = true;
    if (before_ != nullptr) return;  // an outer one has put the handler there
    struct sigaction present {};
    if (::sigaction(SIGINT, nullptr, &present) != 0) return;
    const bool calls_nobody =
        (present.sa_flags & SA_SIGINFO) == 0 && (present.sa_handler == SIG_DFL || present.sa_handler == SIG_IGN);
    if (calls_nobody) return;
    handler_before = present;
    struct sigaction ours {};
    ours.sa_sigaction = take_note;
    ours.sa_mask = present.sa_mask;
    ours.sa_flags = (present.sa_flags & ~static_cast<int>(SA_RESETHAND)) | SA_SIGINFO;
    ::sigaction(SIGINT, &ours, nullptr);
}

InterruptWatch::~InterruptWatch() {
    if (!watches_) return;
    flag = before_;
    if (before_ != nullptr) return;
    struct sigaction present {};
    if (::sigaction(SIGINT, nullptr, &present) == 0 && (present.sa_flags & SA_SIGINFO) != 0 &&
        present.sa_sigaction == take_note)
        ::sigaction(SIGINT, &handler_before, nullptr);
}

}  // namespace neumann::python
