#include <gtest/gtest.h>

#include "reason/gpu/choose_device.h"

namespace neumann {
namespace {

TEST(ChooseDevice, LittleStaysOnTheProcessorAndMuchGoesToTheGpu) {
    ReasoningWork work{.edges = 400'000, .examples = 16, .steps = 6};
    EXPECT_FALSE(gpu_pays(work));
    work.examples = 40'000;
    EXPECT_TRUE(gpu_pays(work));
    work.edges = 300;
    EXPECT_FALSE(gpu_pays(work));
}

TEST(ChooseDevice, ACardThatRunsPaysSooner) {
    ReasoningWork work{.edges = 400'000, .examples = 64, .steps = 6};
    EXPECT_FALSE(gpu_pays(work));
    work.gpu_started = true;
    EXPECT_TRUE(gpu_pays(work));
    EXPECT_FALSE(gpu_pays({.edges = 10, .examples = 1, .steps = 6, .gpu_started = true}));
}

TEST(ChooseDevice, ThreadsHelpTheProcessor) {
    const ReasoningWork one{.edges = 400'000, .examples = 1'000, .steps = 6};
    ReasoningWork many = one;
    many.threads = 16;
    EXPECT_GT(processor_seconds(one), 10 * processor_seconds(many));
    EXPECT_EQ(gpu_seconds(one), gpu_seconds(many));
}

}  // namespace
}  // namespace neumann
