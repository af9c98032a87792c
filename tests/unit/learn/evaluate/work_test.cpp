#include <atomic>

#include <gtest/gtest.h>

#include "learn/evaluate/work.h"

namespace neumann::search {
namespace {

TEST(Work, EndsWhereTheNarrowestLimitSays) {
    Work work;
    EXPECT_FALSE(work.over());
    Limits limits;
    limits.work = 100;
    const WorkLimits outer(work, limits);
    work.add(60);
    {
        const WorkLimits part(work, limits.part(30));
        EXPECT_EQ(work.left(), 30U);
        work.add(30);
        EXPECT_EQ(work.over(), Ended::WorkLimit);
    }
    EXPECT_FALSE(work.over());
    const WorkLimits wider(work, limits.part(1000));
    EXPECT_EQ(work.left(), 10U);
    work.add(10);
    EXPECT_EQ(work.over(), Ended::WorkLimit);
}

TEST(Work, TimeAndSomebodyEndIt) {
    Work work;
    Limits limits;
    limits.seconds = 0;
    {
        const WorkLimits timed(work, limits);
        while (!work.over()) {
        }
        EXPECT_EQ(work.over(), Ended::TimeLimit);
        EXPECT_TRUE(work.is_cut_off());
    }
    const std::atomic<bool> stop = true;
    limits = {};
    limits.stop = &stop;
    const WorkLimits stopped(work, limits);
    EXPECT_EQ(work.over(), Ended::Stopped);
}

TEST(Work, SlicesEndBeforeTheRest) {
    Work work;
    work.begin_slice(10);
    work.add(9);
    EXPECT_FALSE(work.slice_is_over());
    work.add(1);
    EXPECT_TRUE(work.slice_is_over());
    EXPECT_FALSE(work.is_over());
}

}  // namespace
}  // namespace neumann::search
