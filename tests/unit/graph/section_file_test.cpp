#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/mapped_file.h"
#include "graph/section_file.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

constexpr std::array<std::uint32_t, 3> numbers = {1, 2, 3};
constexpr std::array<double, 2> values = {0.5, 0.25};

std::string file_bytes() {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "arrays.nmg";
    SectionWriter writer;
    writer.add("numbers", std::span<const std::uint32_t>(numbers));
    writer.add("nothing", std::span<const std::uint32_t>());
    writer.add("values", std::span<const double>(values));
    writer.write(path);
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Aligned like a mapped file.
SectionReader reader_of(const std::string& bytes) {
    const auto block = std::make_shared<std::vector<std::uint64_t>>(bytes.size() / 8 + 1);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(block->data()));
    return SectionReader({reinterpret_cast<const std::byte*>(block->data()), bytes.size()}, block);
}

std::string damage(const std::string& bytes) {
    try {
        reader_of(bytes);
    } catch (const DamagedFile& damaged) {
        return damaged.what();
    }
    return "accepted";
}

TEST(SectionFile, ArraysComeBack) {
    SharedArray<std::uint32_t> found;
    {
        const SectionReader reader = reader_of(file_bytes());
        found = reader.array<std::uint32_t>("numbers");
        EXPECT_EQ(reader.array<double>("values")[1], 0.25);
        EXPECT_TRUE(reader.array<std::uint32_t>("nothing").empty());
    }
    ASSERT_EQ(found.size(), 3U) << "an array keeps its file alive";
    EXPECT_EQ(found[2], 3U);
}

TEST(SectionFile, IsUsedWhereItLies) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.write("arrays.nmg", file_bytes());
    const auto file = MappedFile::open(path);
    const SectionReader reader(file->bytes(), file);
    const SharedArray<double> found = reader.array<double>("values");
    EXPECT_EQ(found[0], 0.5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.data()) % 64, 0U);
}

TEST(SectionFile, WhatIsNotThereIsDamage) {
    const SectionReader reader = reader_of(file_bytes());
    EXPECT_THROW(reader.array<std::uint32_t>("others"), DamagedFile);
    EXPECT_THROW(reader.array<double>("numbers"), DamagedFile) << "elements of another size";
}

TEST(SectionFile, NoByteChangesUnnoticed) {
    const std::string good = file_bytes();
    EXPECT_EQ(damage(good), "accepted");
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x40);
        const bool reserved = i >= 36 && i < 64;  // room in the header that means nothing yet
        if (!reserved) {
            ASSERT_NE(damage(bad), "accepted") << "byte " << i;
        }
    }
}

TEST(SectionFile, CutOffOrAppendedTo) {
    const std::string good = file_bytes();
    for (std::size_t length = 0; length < good.size(); ++length)
        ASSERT_NE(damage(good.substr(0, length)), "accepted") << length;
    EXPECT_NE(damage(good + "x").find("cut off or appended to"), std::string::npos);
}

TEST(SectionFile, SaysWhatItIsInstead) {
    EXPECT_EQ(damage(""), "not a saved graph");
    EXPECT_EQ(damage(std::string(1000, 'x')), "not a saved graph");
    std::string other_version = file_bytes();
    other_version[8] = 99;
    EXPECT_NE(damage(other_version).find("format version 99"), std::string::npos);
    std::string other_order = file_bytes();
    std::swap(other_order[12], other_order[15]);
    EXPECT_NE(damage(other_order).find("another byte order"), std::string::npos);
}

}  // namespace
}  // namespace neumann
