// Work that Ctrl-C ends: without Python's lock, and within a budget that the signal stops.
#pragma once

#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

#include <neumann/limited_run.h>

#include "core.h"

namespace neumann::python {

// While it lives, Ctrl-C sets a flag before Python's own handler sees it. Python handles signals in its main thread
// alone, and so does this: in others, or where Ctrl-C ends the process, the flag stays false. May be nested.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    const std::atomic<bool>& stopped() const { return stopped_; }

private:
    std::atomic<bool> stopped_{false};
    std::atomic<bool>* before_ = nullptr;
    bool watches_ = false;
};

// Runs the work, which throws LimitReached when it is stopped. Then Python's handlers run; if none of them raises an
// exception, as that of Ctrl-C does, the work is done again.
template <class Work>
auto interruptible(const Work& work) {
    using Result = std::invoke_result_t<Work>;
    while (true) {
        const InterruptWatch watch;
        try {
            const py::gil_scoped_release release;
            const LimitedRun run({.stop = &watch.stopped()});
            if constexpr (std::is_void_v<Result>) {
                work();
                return;
            } else {
                return work();
            }
        } catch (const LimitReached& reached) {
            if (reached.kind() != LimitKind::Stop || !watch.stopped()) throw;
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
}

}  // namespace neumann::python
