#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/files.h"
#include "image/png.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

Image pattern(unsigned width, unsigned height, unsigned channels) {
    Image image = Image::blank(width, height, channels);
    for (std::size_t k = 0; k < image.data.size(); ++k) image.data[k] = static_cast<std::uint8_t>(k * 37 + k / 7);
    return image;
}
std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
std::string refusal(const fs::path& path) {
    try {
        read_png(path);
    } catch (const FileError& error) {
        return error.what();
    }
    return "";
}

TEST(Png, WhatIsWrittenIsRead) {
    const TemporaryFolder folder;
    for (const unsigned channels : {1U, 3U}) {
        const Image image = pattern(13, 7, channels);
        write_png(folder.path() / "picture.png", image);
        EXPECT_EQ(read_png(folder.path() / "picture.png"), image);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Png, TransparencyAndDepthAreConverted) {
    const TemporaryFolder folder;
    // 1×1, RGBA with 16 bits per channel: (0x1234, 0x8000, 0xffff, 0x0000).
    const unsigned char bytes[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
                                   0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x10, 0x06,
                                   0x00, 0x00, 0x00, 0x4f, 0x85, 0x18, 0xca, 0x00, 0x00, 0x00, 0x14, 0x49, 0x44,
                                   0x41, 0x54, 0x78, 0x01, 0x01, 0x09, 0x00, 0xf6, 0xff, 0x00, 0x12, 0x34, 0x80,
                                   0x00, 0xff, 0xff, 0x00, 0x00, 0x0b, 0xfe, 0x02, 0xc5, 0x66, 0x04, 0x67, 0x18,
                                   0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    const fs::path path = folder.write("deep.png", std::string(bytes, bytes + sizeof bytes));
    const Image image = read_png(path);
    EXPECT_EQ(image.channels, 3U);
    EXPECT_EQ(image.data, (std::vector<std::uint8_t>{0x12, 0x80, 0xff}));
}

TEST(Png, EveryTruncationIsRefused) {
    const TemporaryFolder folder;
    write_png(folder.path() / "whole.png", pattern(9, 5, 3));
    const std::string whole = content(folder.path() / "whole.png");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const fs::path path = folder.write("cut.png", whole.substr(0, size));
        EXPECT_NE(refusal(path).find("cut.png"), std::string::npos) << size << " of " << whole.size() << " bytes";
    }
}

TEST(Png, EveryDamagedByteOfThePictureIsRefused) {
    const TemporaryFolder folder;
    write_png(folder.path() / "whole.png", pattern(9, 5, 3));
    const std::string whole = content(folder.path() / "whole.png");
    for (std::size_t at = 0; at < whole.size() - 12; ++at) {  // the end mark carries nothing
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        EXPECT_NE(refusal(folder.write("damaged.png", damaged)), "") << "byte " << at;
    }
}

TEST(Png, OtherFilesAreRefused) {
    const TemporaryFolder folder;
    EXPECT_NE(refusal(folder.path() / "missing.png").find("missing.png"), std::string::npos);
    EXPECT_NE(refusal(folder.write("text.png", "not a picture at all")).find("text.png"), std::string::npos);
    EXPECT_NE(refusal(folder.path()), "");
}

TEST(Png, NothingIsLeftOfWhatCannotBeWritten) {
    const TemporaryFolder folder;
    Image image = pattern(4, 4, 3);
    EXPECT_THROW(write_png(folder.path() / "nowhere" / "picture.png", image), FileError);
    image.data.pop_back();
    EXPECT_THROW(write_png(folder.path() / "picture.png", image), std::invalid_argument);
    EXPECT_THROW(write_png(folder.path() / "picture.png", pattern(4, 4, 2)), std::invalid_argument);
    EXPECT_THROW(write_png(folder.path() / "picture.png", Image{}), std::invalid_argument);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace neumann
