#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/rng.h"
#include "image/pictures.h"
#include "unit/picture_bytes.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

Image parse(const std::string& bytes, std::string* note = nullptr) {
    return parse_picture(bytes_of(bytes), "picture", {}, note);
}
std::string refusal(const std::string& bytes, const PictureLimits& limits = {}) {
    try {
        parse_picture(bytes_of(bytes), "the-picture", limits);
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("the-picture"), std::string::npos) << error.what();
        return error.what();
    }
    return "";
}
bool says(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

int nearest(double value) { return static_cast<int>(std::floor(value + 0.5)); }

// What the picture shows on white paper, from the samples and the format's description alone.
int shown(const PngSamples& png, std::size_t pixel, unsigned c) {
    const unsigned channels = png.channels();
    const unsigned* samples = &png.samples[pixel * channels];
    const auto eight_bits = [&](unsigned sample) { return nearest(sample * 255.0 / ((1U << png.depth) - 1)); };
    int color = 0;
    int opacity = 255;
    if (png.color == PNG_COLOR_TYPE_PALETTE) {
        const png_color entry = png.palette[samples[0]];
        color = c == 0 ? entry.red : c == 1 ? entry.green : entry.blue;
        if (samples[0] < png.opacity.size()) opacity = png.opacity[samples[0]];
    } else {
        color = eight_bits(samples[channels >= 3 ? c : 0]);
        if (channels % 2 == 0) opacity = eight_bits(samples[channels - 1]);
        if (png.key && std::equal(samples, samples + channels, png.samples.begin())) opacity = 0;
    }
    return nearest((color * opacity + 255.0 * (255 - opacity)) / 255);
}

TEST(Pictures, EveryKindOfPng) {
    const std::uint64_t seed = 20240917;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::vector<std::pair<int, std::vector<unsigned>>> kinds{{PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16}},
                                                                   {PNG_COLOR_TYPE_RGB, {8, 16}},
                                                                   {PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8}},
                                                                   {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16}},
                                                                   {PNG_COLOR_TYPE_RGB_ALPHA, {8, 16}}};
    for (const auto& [color, depths] : kinds) {
        for (const unsigned depth : depths) {
            for (const bool interlaced : {false, true}) {
                for (const bool key : {false, true}) {
                    if (key && (color & PNG_COLOR_MASK_ALPHA) != 0) continue;
                    const PngSamples png = random_png(rng, 19, 17, color, depth, interlaced, key);
                    std::string note = "old";
                    const Image image = parse(png_bytes(png), &note);
                    EXPECT_EQ(note, "");
                    ASSERT_EQ(image.width, 19U);
                    ASSERT_EQ(image.height, 17U);
                    ASSERT_EQ(image.channels, 3U);
                    for (std::size_t pixel = 0; pixel < 19 * 17; ++pixel)
                        for (unsigned c = 0; c < 3; ++c)
                            ASSERT_EQ(image.data[pixel * 3 + c], shown(png, pixel, c))
                                << "type " << color << ", " << depth << " bits, interlaced " << interlaced << ", key "
                                << key << ", pixel " << pixel << ", channel " << c;
                }
            }
        }
    }
}

TEST(Pictures, OfAnAnimationTheFirstFrame) {
    Rng rng(3);
    PngSamples png = random_png(rng, 16, 16, PNG_COLOR_TYPE_RGB, 8, false, false);
    const Image still = parse(png_bytes(png));
    png.frames = 12;
    std::string note;
    EXPECT_EQ(parse(png_bytes(png), &note), still);
    EXPECT_EQ(note, "animated: the first of 12 frames");
    png.frames = 1;
    parse(png_bytes(png), &note);
    EXPECT_EQ(note, "");
}

void expect_near(const Image& image, const Image& expected, const std::function<int(std::size_t, unsigned)>& value) {
    ASSERT_EQ(image.width, expected.width);
    ASSERT_EQ(image.height, expected.height);
    ASSERT_EQ(image.channels, 3U);
    for (std::size_t pixel = 0; pixel < image.data.size() / 3; ++pixel)
        for (unsigned c = 0; c < 3; ++c)
            ASSERT_NEAR(image.data[pixel * 3 + c], value(pixel, c), 8) << "pixel " << pixel << ", channel " << c;
}

TEST(Pictures, EveryKindOfJpeg) {
    for (const bool progressive : {false, true}) {
        JpegOptions options;
        options.progressive = progressive;
        const Image grey = smooth_image(40, 33, 1);
        expect_near(parse(jpeg_bytes(grey, options)), grey,
                    [&](std::size_t pixel, unsigned) { return grey.data[pixel]; });
        const Image color = smooth_image(40, 33, 3);
        const auto same = [&](std::size_t pixel, unsigned c) { return color.data[pixel * 3 + c]; };
        expect_near(parse(jpeg_bytes(color, options)), color, same);
        options.stored = JCS_RGB;
        expect_near(parse(jpeg_bytes(color, options)), color, same);
        const Image inks = smooth_image(40, 33, 4);
        for (const J_COLOR_SPACE stored : {JCS_CMYK, JCS_YCCK}) {
            for (const bool light : {true, false}) {
                if (!light && stored == JCS_YCCK) continue;  // nothing else says that it is YCCK
                options.stored = stored;
                options.light = light;
                const auto left = [&](std::uint8_t ink) { return light ? ink : 255 - ink; };
                expect_near(parse(jpeg_bytes(inks, options)), inks, [&](std::size_t pixel, unsigned c) {
                    return left(inks.data[pixel * 4 + c]) * left(inks.data[pixel * 4 + 3]) / 255;
                });
            }
        }
    }
}

TEST(Pictures, AJpegWithScansWithoutEndIsRefused) {
    // Two scans, each with all bits: what may be sent once more without complaint.
    JpegOptions options;
    options.progressive = true;
    options.scans = {{1, {0}, 0, 0, 0, 0}, {1, {0}, 1, 63, 0, 0}};
    const std::string whole = jpeg_bytes(smooth_image(16, 16, 1), options);
    const std::size_t last = whole.rfind("\xff\xda");
    ASSERT_NE(last, whole.npos);
    const std::string scan = whole.substr(last, whole.size() - 2 - last);
    const auto with_scans = [&](int more) {
        std::string bytes = whole.substr(0, whole.size() - 2);
        for (int k = 0; k < more; ++k) bytes += scan;
        return bytes + "\xff\xd9";
    };
    EXPECT_EQ(parse(with_scans(20)), parse(whole));
    EXPECT_TRUE(says(refusal(with_scans(200)), "more than 100 scans"));
}

// FileError or success, never anything else; returns how many were read.
std::size_t read_damaged(const std::string& whole) {
    std::size_t read = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int flip : {0x01, 0x80, 0xff}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            read += refusal(damaged, {1U << 20, 1}).empty() ? 1 : 0;
        }
    }
    return read;
}

TEST(Pictures, DamagedFilesDoNoHarm) {
    Rng rng(5);
    const std::string png = png_bytes(random_png(rng, 9, 5, PNG_COLOR_TYPE_RGB_ALPHA, 8, true, false));
    EXPECT_EQ(refusal(png, {1U << 20, 1}), "");
    EXPECT_LE(read_damaged(png), 3U * 12);  // the checksums settle it, except that of the end mark
    for (const bool progressive : {false, true}) {
        JpegOptions options;
        options.quality = 50;
        options.progressive = progressive;
        const std::string jpeg = jpeg_bytes(smooth_image(17, 9, 3), options);
        EXPECT_EQ(refusal(jpeg, {1U << 20, 1}), "");
        read_damaged(jpeg);
    }
}

TEST(Pictures, TruncatedFilesAreRefused) {
    Rng rng(6);
    JpegOptions progressive;
    progressive.progressive = true;
    for (const std::string& whole :
         {png_bytes(random_png(rng, 16, 16, PNG_COLOR_TYPE_PALETTE, 4, false, true)),
          jpeg_bytes(smooth_image(16, 16, 3)), jpeg_bytes(smooth_image(16, 16, 3), progressive)}) {
        EXPECT_EQ(refusal(whole), "");
        for (std::size_t size = 0; size < whole.size(); ++size)
            ASSERT_NE(refusal(whole.substr(0, size)), "") << size << " of " << whole.size() << " bytes";
    }
}

TEST(Pictures, OtherKindsAreNamed) {
    using namespace std::string_literals;
    EXPECT_TRUE(says(refusal(""), "empty"));
    EXPECT_TRUE(says(refusal("\x89PNG"), "ends too early"));
    EXPECT_TRUE(says(refusal("hello there"), "PNG and JPEG"));
    EXPECT_TRUE(says(refusal("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"));
    const std::vector<std::pair<std::string, std::string>> kinds{{"GIF89a-----------", "GIF"},
                                                                 {"RIFF\x10\0\0\0WEBPVP8 "s, "WebP"},
                                                                 {"BM\x10\0\0\0"s, "BMP"},
                                                                 {"II*\0\x08\0\0\0"s, "TIFF"},
                                                                 {"MM\0*\0\0\0\x08"s, "TIFF"},
                                                                 {"\0\0\0\x18"
                                                                  "ftypheic"s,
                                                                  "HEIC"},
                                                                 {"<?xml?><svg width='4'/>", "SVG"},
                                                                 {"%PDF-1.7", "PDF"}};
    for (const auto& [bytes, name] : kinds) {
        const std::string text = refusal(bytes);
        EXPECT_TRUE(says(text, name)) << text;
        EXPECT_TRUE(says(text, "PNG and JPEG are read")) << text;
    }
}

TEST(Pictures, SizesHaveLimits) {
    Rng rng(7);
    const std::string png = png_bytes(random_png(rng, 20, 15, PNG_COLOR_TYPE_GRAY, 8, false, false));
    const std::string jpeg = jpeg_bytes(smooth_image(20, 15, 3));
    for (const std::string& bytes : {png, jpeg}) {
        EXPECT_TRUE(says(refusal(bytes), "20×15"));
        EXPECT_EQ(refusal(bytes, {300, 15}), "");
        EXPECT_TRUE(says(refusal(bytes, {299, 15}), "too many pixels"));
    }
}

TEST(Pictures, FromFiles) {
    const TemporaryFolder folder;
    const std::string jpeg = jpeg_bytes(smooth_image(20, 16, 3));
    EXPECT_EQ(read_picture(folder.write("named-wrongly.png", jpeg)), parse(jpeg));
    EXPECT_THROW(read_picture(folder.path()), FileError);
    EXPECT_THROW(read_picture(folder.path() / "missing.png"), FileError);
    for (const char* name : {"a.png", "folder/a.JPG", "a.b.jpeg", "A.Png"}) EXPECT_TRUE(is_picture_name(name)) << name;
    for (const char* name : {"", "png", ".png", "a.gif", "a.png.txt", "a.png/b"})
        EXPECT_FALSE(is_picture_name(name)) << name;
}

// Weight of entry j in result i, by geometry, in doubles.
double weight(unsigned from, unsigned to, unsigned i, unsigned j) {
    if (from >= to) {
        const double scale = double(from) / to;
        const double covered = std::min((i + 1) * scale, j + 1.0) - std::max(i * scale, double(j));
        return std::max(0.0, covered) / scale;
    }
    const double place = std::clamp((i + 0.5) * from / to - 0.5, 0.0, from - 1.0);
    return std::max(0.0, 1 - std::abs(place - j));
}

TEST(Resized, IsTheAverageOfTheArea) {
    const std::uint64_t seed = 77;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    for (int round = 0; round < 300; ++round) {
        Image image = Image::blank(1 + rng.below(40), 1 + rng.below(40), 1 + rng.below(4));
        for (std::uint8_t& value : image.data) value = static_cast<std::uint8_t>(rng.below(256));
        const unsigned width = 1 + rng.below(50);
        const unsigned height = 1 + rng.below(50);
        const Image result = resized(image, width, height);
        ASSERT_EQ(result.width, width);
        ASSERT_EQ(result.height, height);
        ASSERT_EQ(result.channels, image.channels);
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x)
                for (unsigned c = 0; c < image.channels; ++c) {
                    double sum = 0;
                    for (unsigned j = 0; j < image.height; ++j) {
                        const double down = weight(image.height, height, y, j);
                        if (down == 0) continue;
                        for (unsigned i = 0; i < image.width; ++i)
                            sum += down * weight(image.width, width, x, i) * image.at(i, j)[c];
                    }
                    ASSERT_NEAR(result.at(x, y)[c], sum, 0.5 + 1e-9)
                        << image.width << "×" << image.height << " to " << width << "×" << height << " at " << x << ","
                        << y;
                }
    }
}

TEST(Resized, LargePictures) {
    // Coprime sides: no common factor keeps the sums short. Of a constant the average is that constant.
    for (const auto& [width, height] : {std::pair{2003U, 1999U}, std::pair{3U, 100003U}, std::pair{100003U, 3U}}) {
        Image image = Image::blank(width, height, 1);
        std::ranges::fill(image.data, std::uint8_t{255});
        EXPECT_EQ(resized(image, 64, 128).data, std::vector<std::uint8_t>(64 * 128, 255));
        std::ranges::fill(image.data, std::uint8_t{1});
        EXPECT_EQ(resized(image, 64, 128).data, std::vector<std::uint8_t>(64 * 128, 1));
    }
}

TEST(Resized, HalvesGoUpwards) {
    const Image image{2, 1, 1, {0, 1}};
    EXPECT_EQ(resized(image, 1, 1).data, std::vector<std::uint8_t>{1});
    EXPECT_EQ(resized(image, 2, 1), image);
}

TEST(Resized, ImpossibleSizesAreRefused) {
    const Image image = smooth_image(4, 4, 3);
    EXPECT_THROW(resized(image, 0, 4), std::invalid_argument);
    EXPECT_THROW(resized(image, 4, 0), std::invalid_argument);
    EXPECT_THROW(resized(Image{}, 4, 4), std::invalid_argument);
    EXPECT_THROW(resized(Image{4, 4, 3, {}}, 2, 2), std::invalid_argument);
    EXPECT_THROW(resized(image, 4000000000U, 4000000000U), std::invalid_argument);
}

}  // namespace
}  // namespace neumann
