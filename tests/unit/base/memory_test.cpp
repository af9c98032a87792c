#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

TEST(Memory, WhatWasUsedCountsAfterItIsFreed) {
    constexpr std::size_t size = 96ULL << 20;
    const std::uint64_t before = peak_rss_bytes();
    { const std::vector<char> used(size, 'x'); }
    EXPECT_GE(peak_rss_bytes(), size);
    EXPECT_LT(peak_rss_bytes(), before + 2 * size);
}

TEST(Memory, WhatIsAvailableIsPartOfWhatTheMachineHas) {
    const auto machine =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    EXPECT_LT(available_memory_bytes(), machine);  // the kernel and this process have some
    EXPECT_GT(available_memory_bytes(), machine / 1000);
}

}  // namespace
}  // namespace neumann
