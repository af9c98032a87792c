#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"

namespace neumann {
namespace {

TEST(ParallelThreads, EveryChunkRunsOnce) {
    for (unsigned threads : {0U, 1U, 2U, 8U}) {
        std::vector<std::atomic<int>> runs(100);
        parallel_chunks(threads, runs.size(), [&](std::size_t chunk) { ++runs[chunk]; });
        for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i], 1) << threads << " threads, chunk " << i;
    }
}

TEST(ParallelThreads, NoChunksIsNoWork) {
    parallel_chunks(4, 0, [](std::size_t) { FAIL(); });
}

// Whichever thread is faster, the mistake that is told is the same.
TEST(ParallelThreads, TheFirstMistakeByNumberIsRethrown) {
    for (int round = 0; round < 50; ++round) {
        try {
            parallel_chunks(4, 16, [](std::size_t chunk) {
                if (chunk >= 3) throw std::runtime_error(std::to_string(chunk));
            });
            FAIL();
        } catch (const std::runtime_error& error) {
            ASSERT_STREQ(error.what(), "3");
        }
    }
}

// Threads that all wait for each other: with fewer than were asked for, none would go on.
TEST(ParallelThreads, AsManyThreadsRunAtATimeAsAreAskedFor) {
    std::barrier together(3);
    std::atomic<int> passed = 0;
    parallel_chunks(3, 3, [&](std::size_t) {
        together.arrive_and_wait();
        ++passed;
    });
    EXPECT_EQ(passed, 3);
}

// Chunks that call it themselves, and several callers at a time: each takes part in its own work.
TEST(ParallelThreads, CallsMayBeNestedAndBesideEachOther) {
    std::vector<std::atomic<int>> runs(3 * 8 * 16);
    std::vector<std::jthread> callers;
    for (std::size_t caller = 0; caller < 3; ++caller) {
        callers.emplace_back([&, caller] {
            parallel_chunks(4, 8, [&](std::size_t outer) {
                parallel_chunks(4, 16, [&](std::size_t inner) { ++runs[(caller * 8 + outer) * 16 + inner]; });
            });
        });
    }
    callers.clear();
    for (const std::atomic<int>& one : runs) ASSERT_EQ(one, 1);
}

// A process that fork() made has none of the threads.
TEST(Parallel, WorksInAForkedProcess) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer ends forked processes that start threads";
#endif
    const auto sum = [] {
        std::atomic<int> total = 0;
        parallel_chunks(4, 100, [&](std::size_t chunk) { total += static_cast<int>(chunk); });
        return total.load();
    };
    EXPECT_EQ(sum(), 4950);
    const pid_t process = ::fork();
    if (process == 0) ::_exit(sum() == 4950 && sum() == 4950 ? 0 : 1);
    int status = -1;
    ASSERT_EQ(::waitpid(process, &status, 0), process);
    EXPECT_EQ(status, 0);
}

TEST(ParallelThreads, TheMachineHasAsManyThreadsAsThisProcessMayUse) {
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    EXPECT_EQ(hardware_threads(), static_cast<unsigned>(CPU_COUNT(&allowed)));
}

}  // namespace
}  // namespace neumann
