#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/thread_pool.h"

namespace neumann {
namespace {

TEST(ThreadPool, EveryChunkRunsOnce) {
    for (unsigned threads : {0U, 1U, 2U, 8U}) {
        std::vector<std::atomic<int>> runs(100);
        parallel_chunks(threads, runs.size(), [&](std::size_t chunk) { ++runs[chunk]; });
        for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i], 1) << threads << " threads, chunk " << i;
    }
}

TEST(ThreadPool, NoChunksIsNoWork) {
    parallel_chunks(4, 0, [](std::size_t) { FAIL(); });
}

// Whichever thread is faster, the mistake that is told is the same.
TEST(ThreadPool, TheFirstMistakeByNumberIsRethrown) {
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

TEST(ThreadPool, ThereIsAtLeastOneThread) { EXPECT_GE(hardware_threads(), 1U); }

}  // namespace
}  // namespace neumann
