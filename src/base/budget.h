// Budget of a run: time, memory and a stop flag. A thread has one; parallel loops hand it on to their threads. Work
// that can take long asks it now and then; a thread of its own watches clock and memory, so that asking costs a load.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string_view>
#include <thread>

#include <neumann/limited_run.h>

namespace neumann {

class Budget {
public:
    explicit Budget(RunLimitOptions options);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    // That of this thread; without limits if it has none.
    static const Budget& current();
    // Makes it the thread's; returns the one before, which may be null.
    static const Budget* exchange(const Budget* budget);
    static const Budget* of_thread();

    LimitKind over() const {
        const LimitKind end = end_.load(std::memory_order_relaxed);
        if (end != LimitKind::None || options_.stop == nullptr) return end;
        return options_.stop->load(std::memory_order_relaxed) ? LimitKind::Stop : LimitKind::None;
    }
    bool is_over() const { return over() != LimitKind::None; }
    // Throws LimitReached if it is over; "while grounding p(X) :- q(X)".
    void require(std::string_view doing) const {
        if (is_over()) fail(doing);
    }
    // Before a large allocation, which would be noticed too late.
    void require_bytes(std::uint64_t more, std::string_view doing) const;

    // Most of the time is gone: work that has a result of use, such as bounds, returns it now.
    bool should_finish() const { return should_finish_.load(std::memory_order_relaxed); }
    double seconds_left() const;  // infinity: no limit
    void leave_time_to_work(double grace);

private:
    using Clock = std::chrono::steady_clock;

    [[noreturn]] void fail(std::string_view doing) const;
    void watch();
    std::uint64_t growth() const;

    RunLimitOptions options_;
    Clock::time_point begun_ = Clock::now();
    std::uint64_t bytes_before_ = 0;
    std::atomic<LimitKind> end_{LimitKind::None};
    std::atomic<bool> should_finish_{false};
    std::atomic<bool> work_keeps_time_{false};
    std::atomic<double> grace_;
    std::mutex mutex_;
    std::condition_variable done_;
    bool ended_ = false;
    std::thread watcher_;
};

// For loops: costs as much as reading a variable of the thread.
inline void require_budget(std::string_view doing) { Budget::current().require(doing); }

// While it lives, a thread has another thread's budget.
class BudgetScope {
public:
    explicit BudgetScope(const Budget* budget) : before_(Budget::exchange(budget)) {}
    ~BudgetScope() { Budget::exchange(before_); }
    BudgetScope(const BudgetScope&) = delete;
    BudgetScope& operator=(const BudgetScope&) = delete;

private:
    const Budget* before_;
};

}  // namespace neumann
