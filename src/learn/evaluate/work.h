// Work counter: the work of a search, in units of about equal time everywhere, and its
// limits. Searches decide by it and never by the clock, so a task gives the same program on any machine.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "base/budget.h"

namespace neumann::search {

// About the work of one core in a second; amounts of work are written as multiples of it.
inline constexpr std::uint64_t work_of_second = 100'000'000;
inline constexpr std::uint64_t unlimited_work = std::numeric_limits<std::uint64_t>::max();

enum class Ended : std::uint8_t {
    Proven,     // it is right, and no shorter program is
    Exhausted,  // nothing is left to try
    Settled,    // it is right, and some more work has not made it shorter
    WorkLimit,
    TimeLimit,
    Memory,
    Stopped,  // by the caller
};

constexpr std::string_view name_of(Ended ended) {
    constexpr std::array<std::string_view, 7> names = {"proven",     "exhausted", "settled", "work limit",
                                                       "time limit", "memory",    "stopped"};
    return names[static_cast<std::size_t>(ended)];
}

// The budget of the whole run is used up.
constexpr Ended ended_by(LimitKind kind) {
    return kind == LimitKind::Time ? Ended::TimeLimit : kind == LimitKind::Memory ? Ended::Memory : Ended::Stopped;
}

// By time or by the caller, so that another run may have a different result.
constexpr bool is_cut_off(Ended ended) { return ended == Ended::TimeLimit || ended == Ended::Stopped; }

struct SearchResult;

// Time and `stop` only end a search, wherever it is; all else is divided by counted work.
struct Limits {
    std::uint64_t work = 50 * work_of_second;
    std::size_t bytes = std::size_t{3} << 29;  // of the search's tables
    double seconds = std::numeric_limits<double>::infinity();
    const std::atomic<bool>* stop = nullptr;
    std::uint64_t patience = 15 * work_of_second;  // before undeclared goals and constants are tried
    // Called about each second with the best program so far, the candidates and the work. May be empty.
    std::function<void(const SearchResult& so_far)> watch = {};

    // For a search that gets so much of the work: undeclared goals get their turn, too.
    Limits part(std::uint64_t units) const {
        Limits limits = *this;
        limits.work = units;
        limits.patience = units * 3 / 10;
        return limits;
    }
};

class Work {
public:
    void add(std::uint64_t units) { done_ += units; }
    std::uint64_t done() const { return done_; }

    // Why everything has to end now, if it has to.
    std::optional<Ended> over() const {
        if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return Ended::Stopped;
        if (const LimitKind end = Budget::current().over(); end != LimitKind::None) return ended_by(end);
        if (deadline_ != Clock::time_point::max() && Clock::now() > deadline_) return Ended::TimeLimit;
        return done_ >= limit_ ? std::optional(Ended::WorkLimit) : std::nullopt;
    }
    bool is_over() const { return over().has_value(); }
    bool is_cut_off() const { return search::is_cut_off(over().value_or(Ended::WorkLimit)); }
    std::uint64_t left() const { return limit_ - std::min(limit_, done_); }

    // Searches that take turns have a slice of the work each.
    void begin_slice(std::uint64_t units) { slice_end_ = done_ + units; }
    bool slice_is_over() const { return done_ >= slice_end_ || is_over(); }

private:
    friend class WorkLimits;
    using Clock = std::chrono::steady_clock;

    std::uint64_t done_ = 0;
    std::uint64_t limit_ = unlimited_work;
    std::uint64_t slice_end_ = unlimited_work;
    Clock::time_point deadline_ = Clock::time_point::max();
    const std::atomic<bool>* stop_ = nullptr;
};

// Limits that hold from its construction to its destruction, in addition to earlier ones.
class WorkLimits {
public:
    WorkLimits(Work& work, const Limits& limits) : work_(work), before_(work) {
        if (limits.work < work.left()) work.limit_ = work.done_ + limits.work;
        work.slice_end_ = unlimited_work;
        if (limits.stop != nullptr) work.stop_ = limits.stop;
        constexpr double longest = 1e9;
        if (limits.seconds >= longest) return;
        const auto length =
            std::chrono::duration_cast<Work::Clock::duration>(std::chrono::duration<double>(limits.seconds));
        work.deadline_ = std::min(work.deadline_, Work::Clock::now() + length);
    }
    ~WorkLimits() {
        before_.done_ = work_.done_;
        work_ = before_;
    }
    WorkLimits(const WorkLimits&) = delete;
    WorkLimits& operator=(const WorkLimits&) = delete;

private:
    Work& work_;
    Work before_;
};

}  // namespace neumann::search
