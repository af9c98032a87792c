#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"

namespace neumann {
namespace {

using namespace std::chrono_literals;

LimitKind reached_within(std::chrono::seconds most) {
    const auto until = std::chrono::steady_clock::now() + most;
    while (!Budget::current().is_over() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
    return Budget::current().over();
}

TEST(Budget, HasNoLimitsWhereNoneAreSet) {
    EXPECT_EQ(Budget::current().over(), LimitKind::None);
    EXPECT_FALSE(Budget::current().should_finish());
    EXPECT_NO_THROW(require_budget("nothing"));
    EXPECT_NO_THROW(Budget::current().require_bytes(UINT64_MAX, "nothing"));
}

TEST(Budget, TimeIsOver) {
    const LimitedRun limits({.seconds = 0.05});
    EXPECT_EQ(reached_within(60s), LimitKind::Time);
    EXPECT_TRUE(Budget::current().should_finish());
    EXPECT_EQ(limits.reached(), LimitKind::Time);
    try {
        require_budget("counting sheep");
        FAIL();
    } catch (const LimitReached& limit) {
        EXPECT_EQ(limit.kind(), LimitKind::Time);
        EXPECT_EQ(std::string(limit.what()),
                  "error: the time limit of 0.05 s is over while counting sheep; raise --time-limit, or ask for less");
    }
}

TEST(Budget, StopIsAskedFor) {
    std::atomic<bool> stop{false};
    const LimitedRun limits({.stop = &stop});
    EXPECT_NO_THROW(require_budget("waiting"));
    stop = true;
    EXPECT_THROW(require_budget("waiting"), LimitReached);
}

TEST(Budget, MemoryIsMeasured) {
    constexpr std::size_t megabyte = 1 << 20;
    const LimitedRun limits({.bytes = 16 * megabyte});
    EXPECT_NO_THROW(require_budget("nothing"));
    const std::vector<char> much(64 * megabyte, 1);
    EXPECT_EQ(reached_within(60s), LimitKind::Memory);
    EXPECT_GT(private_bytes(), 64 * megabyte);
    EXPECT_EQ(much.back(), 1);
}

TEST(Budget, LargeAllocationsAreRefusedBefore) {
    const LimitedRun limits({.bytes = std::uint64_t{1} << 30});
    EXPECT_NO_THROW(Budget::current().require_bytes(1U << 20, "reading"));
    EXPECT_THROW(Budget::current().require_bytes(std::uint64_t{1} << 31, "reading"), LimitReached);
}

TEST(Budget, EndsWithItsScope) {
    {
        const LimitedRun outer({.seconds = 1e6});
        {
            std::atomic<bool> stop{true};
            const LimitedRun inner({.stop = &stop});
            EXPECT_TRUE(Budget::current().is_over());
        }
        EXPECT_FALSE(Budget::current().is_over());
    }
    EXPECT_EQ(Budget::of_thread(), nullptr);
}

TEST(Budget, ThreadsOfALoopHaveItToo) {
    std::atomic<bool> stop{true};
    const LimitedRun limits({.stop = &stop});
    EXPECT_THROW(parallel_chunks(4, 64, [](std::size_t) { require_budget("working"); }), LimitReached);
    std::atomic<bool> elsewhere{true};
    std::thread([&] { elsewhere = Budget::current().is_over(); }).join();
    EXPECT_FALSE(elsewhere);
}

TEST(Budget, WorkMayKeepTheTimeItself) {
    LimitedRun limits({.seconds = 0.02});
    limits.leave_time_to_work(1e6);
    std::this_thread::sleep_for(100ms);
    EXPECT_FALSE(Budget::current().is_over());
    EXPECT_TRUE(Budget::current().should_finish());
}

TEST(Budget, ARunThatGoesOnIsReported) {
    std::atomic<LimitKind> reported{LimitKind::None};
    const LimitedRun limits({.seconds = 0.02, .overrun = [&](LimitKind kind) { reported = kind; }});
    const auto until = std::chrono::steady_clock::now() + 60s;
    while (reported == LimitKind::None && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(reported, LimitKind::Time);
}

}  // namespace
}  // namespace neumann
