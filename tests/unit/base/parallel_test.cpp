#include <sched.h>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <string>
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

TEST(ParallelThreads, TheMachineHasAsManyThreadsAsThisProcessMayUse) {
    cpu_set_t allowed;
    ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    EXPECT_EQ(hardware_threads(), static_cast<unsigned>(CPU_COUNT(&allowed)));
}

}  // namespace
}  // namespace neumann
