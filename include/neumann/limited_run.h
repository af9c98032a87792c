// Limits of a run: time, memory and a request to stop, for everything that a thread reads and computes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <neumann/error.h>

namespace neumann {

// What has ended a run.
enum class LimitKind : std::uint8_t { None, Time, Memory, Stop };

// The limits of a run.
struct RunLimitOptions {
    double seconds = 0;                       // 0: none
    std::uint64_t bytes = 0;                  // that the process takes beyond what it has now; 0: no limit
    const std::atomic<bool>* stop = nullptr;  // borrowed; true: end as soon as possible
    // Called from another thread if the work has not ended half a second (or a tenth of the time) after a limit, or
    // takes a tenth more memory: for a command, which then ends the process. Empty: never.
    std::function<void(LimitKind)> overrun = {};
};

// A limit has been reached: which one, and where the work was.
class LimitReached : public Error {
public:
    // The limit, and the text of the error.
    LimitReached(LimitKind kind, const std::string& text) : Error(text), kind_(kind) {}
    // Which limit.
    LimitKind kind() const { return kind_; }

private:
    LimitKind kind_;
};

class Budget;

// While it lives, the work of this thread, and of the threads that work for it, throws LimitReached soon after a limit
// is reached. Results never depend on limits: a run has the same result or none. Of several that one thread has, the
// last one counts.
class LimitedRun {
public:
    explicit LimitedRun(RunLimitOptions options);  // begins now
    ~LimitedRun();
    LimitedRun(const LimitedRun&) = delete;
    LimitedRun& operator=(const LimitedRun&) = delete;

    // From here on the work watches the time itself and keeps its best result so far; `overrun` is called if it has
    // not ended `grace` seconds after the limit.
    void leave_time_to_work(double grace);
    LimitKind reached() const;  // None: no limit so far

private:
    std::unique_ptr<Budget> budget_;
    const Budget* before_;
};

// Four fifths of the memory that is free now.
std::uint64_t default_memory_limit();

// "error: the time limit of 2 s is reached while …; raise --time-limit or …"
std::string limit_text(LimitKind kind, const RunLimitOptions& options, const std::string& doing = {});

}  // namespace neumann
