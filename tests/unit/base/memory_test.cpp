#include <cstdint>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "base/memory.h"

namespace neumann {
namespace {

TEST(Memory, SizesAsPeopleWriteThem) {
    struct Case {
        std::string_view text;
        std::uint64_t bytes;
    };
    constexpr Case cases[] = {
        {"0", 0},
        {"1000", 1000},
        {"1b", 1},
        {"1 bytes", 1},
        {"1k", 1024},
        {"512M", 512ULL << 20},
        {"2GiB", 2ULL << 30},
        {"2 gib", 2ULL << 30},
        {"1.5G", 3ULL << 29},
        {"1TB", 1ULL << 40},
        {"0.5K", 512},
    };
    for (const Case& c : cases) EXPECT_EQ(parse_bytes(c.text), std::optional(c.bytes)) << c.text;
}

TEST(Memory, WhatIsNoSizeIsRefused) {
    for (std::string_view text : {"", "M", "-1", "12Q", "12 apples", "1kk", "nan", "inf", "1e30", "9999999T", "five"}) {
        EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
    }
}

TEST(Memory, SizesAsPeopleReadThem) {
    EXPECT_EQ(format_bytes(0), "0 bytes");
    EXPECT_EQ(format_bytes(1023), "1023 bytes");
    EXPECT_EQ(format_bytes(1024), "1.0 KiB");
    EXPECT_EQ(format_bytes(1536ULL << 20), "1.5 GiB");
    EXPECT_EQ(format_bytes(5ULL << 50), "5120.0 TiB");  // there is no larger unit
}

TEST(Memory, TheMachineHasSomeAndTheProcessUsesSome) {
    EXPECT_GT(available_memory_bytes(), 1ULL << 20);
    EXPECT_GT(peak_rss_bytes(), 1ULL << 20);
}

}  // namespace
}  // namespace neumann
