#include "base/budget.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/memory.h"

namespace neumann {
namespace {

// The memory of threads, streams and the allocator's reserves, which no work asked for.
constexpr std::uint64_t slack = 16ULL << 20;
constexpr double least_grace = 0.3;  // seconds; what ends late ends half a second late at most
constexpr double relative_grace = 0.08;
constexpr double finishing_share = 0.15;  // of the time, for a result of what is known by then

constexpr std::chrono::milliseconds shortest_look(1);
constexpr std::chrono::milliseconds longest_look(50);
constexpr double fastest_growth = 4e9;  // bytes per second: as fast as memory can be cleared

thread_local const Budget* budget_of_thread = nullptr;

}  // namespace

const Budget* Budget::of_thread() { return budget_of_thread; }

const Budget& Budget::current() {
    static const Budget unlimited{RunLimitOptions{}};
    return budget_of_thread == nullptr ? unlimited : *budget_of_thread;
}

const Budget* Budget::exchange(const Budget* budget) { return std::exchange(budget_of_thread, budget); }

Budget::Budget(RunLimitOptions options)
    : options_(std::move(options)), grace_(std::max(least_grace, relative_grace * options_.seconds)) {
    if (options_.bytes != 0) bytes_before_ = private_bytes();
    if (options_.bytes != 0 || options_.seconds > 0) watcher_ = std::thread([this] { watch(); });
}

Budget::~Budget() {
    if (!watcher_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    done_.notify_all();
    watcher_.join();
}

std::uint64_t Budget::growth() const {
    const std::uint64_t now = private_bytes();
    return now > bytes_before_ + slack ? now - bytes_before_ - slack : 0;
}

double Budget::seconds_left() const {
    if (options_.seconds <= 0) return std::numeric_limits<double>::infinity();
    return std::max(0.0, options_.seconds - std::chrono::duration<double>(Clock::now() - begun_).count());
}

void Budget::leave_time_to_work(double grace) {
    work_keeps_time_ = true;
    grace_ = grace;
}

void Budget::watch() {
    Clock::time_point reached{};
    bool reported = false;
    std::unique_lock lock(mutex_);
    while (!ended_) {
        const Clock::time_point now = Clock::now();
        std::chrono::duration<double> pause = longest_look;
        LimitKind kind = LimitKind::None;
        bool beyond = false;
        if (options_.seconds > 0) {
            const double left = options_.seconds - std::chrono::duration<double>(now - begun_).count();
            const double reserve = finishing_share * options_.seconds;
            if (left <= reserve) should_finish_ = true;
            if (left <= 0) kind = LimitKind::Time;
            if (left > 0)
                pause = std::min(pause, std::chrono::duration<double>(left > reserve ? left - reserve : left));
        }
        if (options_.bytes != 0) {
            const std::uint64_t taken = growth();
            if (taken > options_.bytes) kind = LimitKind::Memory;
            beyond = taken > options_.bytes + options_.bytes / 16;
            const std::uint64_t left = options_.bytes - std::min(taken, options_.bytes);
            pause = std::min(pause, std::chrono::duration<double>(static_cast<double>(left) / fastest_growth));
        }
        if (kind != LimitKind::None && reached == Clock::time_point{}) reached = now;
        if (kind != LimitKind::None && (kind != LimitKind::Time || !work_keeps_time_)) {
            LimitKind none = LimitKind::None;
            end_.compare_exchange_strong(none, kind);
        }
        if (reached != Clock::time_point{} && !reported && options_.overrun) {
            const double late = std::chrono::duration<double>(now - reached).count();
            if (beyond || late > grace_) {
                reported = true;
                const LimitKind why = kind == LimitKind::None ? end_.load() : kind;
                lock.unlock();
                options_.overrun(why);
                lock.lock();
            }
        }
        done_.wait_for(lock, std::max<std::chrono::duration<double>>(pause, shortest_look));
    }
}

void Budget::require_bytes(std::uint64_t more, std::string_view doing) const {
    require(doing);
    if (options_.bytes == 0) return;
    if (more <= options_.bytes + slack && growth() + more <= options_.bytes + slack) return;
    throw LimitReached(LimitKind::Memory, limit_text(LimitKind::Memory, options_, std::string(doing)));
}

void Budget::fail(std::string_view doing) const {
    const LimitKind kind = over();
    throw LimitReached(kind, limit_text(kind, options_, std::string(doing)));
}

std::string limit_text(LimitKind kind, const RunLimitOptions& options, const std::string& doing) {
    const std::string where = doing.empty() ? std::string() : " while " + doing;
    switch (kind) {
    case LimitKind::Time:
        return fmt::format("error: the time limit of {:g} s is over{}; raise --time-limit, or ask for less",
                           options.seconds, where);
    case LimitKind::Memory:
        return fmt::format("error: the memory limit of {} is reached{}; raise --memory-limit, or ask for less",
                           format_bytes(options.bytes), where);
    default:
        return fmt::format("error: stopped{}", where);
    }
}

std::uint64_t default_memory_limit() { return available_memory_bytes() / 5 * 4; }

LimitedRun::LimitedRun(RunLimitOptions options)
    : budget_(std::make_unique<Budget>(std::move(options))), before_(Budget::exchange(budget_.get())) {}

LimitedRun::~LimitedRun() { Budget::exchange(before_); }

void LimitedRun::leave_time_to_work(double grace) { budget_->leave_time_to_work(grace); }

LimitKind LimitedRun::reached() const { return budget_->over(); }

}  // namespace neumann
