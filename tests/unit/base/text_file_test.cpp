#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/text_file.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

struct Loaded {
    SourceSet sources;
    Diagnostics diagnostics;
    std::optional<std::uint32_t> file;

    std::string_view text() const { return file ? sources.file(*file).text() : "(refused)"; }
    std::string problem() const {
        const auto all = diagnostics.sorted();
        return all.empty() ? "" : std::string(all[0].code.name);
    }
    std::string place() const { return describe_place(sources, diagnostics.sorted().at(0).span); }
};

Loaded load(const std::filesystem::path& path, const TextLimits& limits = {}) {
    Loaded loaded;
    loaded.file = load_text(path, loaded.sources, loaded.diagnostics, limits);
    return loaded;
}
Loaded load_bytes(std::string_view bytes, const TextLimits& limits = {}) {
    const TemporaryFolder folder;
    return load(folder.write("text.nm", bytes), limits);
}

TEST(TextFile, TextIsReadAsItStands) {
    EXPECT_EQ(load_bytes("p(a).\r\n% é → 🙂\n").text(), "p(a).\r\n% é → 🙂\n");
    EXPECT_EQ(load_bytes("").text(), "");
    EXPECT_EQ(load_bytes("no line break at the end").text(), "no line break at the end");
}

TEST(TextFile, AByteOrderMarkIsSkipped) { EXPECT_EQ(load_bytes("\xEF\xBB\xBFp.").text(), "p."); }

TEST(TextFile, WhatIsMissingOrNoFileIsToldApart) {
    const TemporaryFolder folder;
    EXPECT_EQ(load(folder.path() / "none.nm").problem(), "cannot-read");
    EXPECT_EQ(load(folder.path()).problem(), "cannot-read");
    EXPECT_EQ(load(folder.path() / "none.nm").place(), (folder.path() / "none.nm").string());
}

TEST(TextFile, BinaryFilesAreRefusedWithTheirPlace) {
    using namespace std::string_view_literals;
    const Loaded loaded = load_bytes("p.\nq\0r"sv);
    EXPECT_EQ(loaded.problem(), "not-text");
    EXPECT_TRUE(loaded.place().ends_with("text.nm:2:2")) << loaded.place();
}

TEST(TextFile, OnlyWellFormedUtf8IsText) {
    for (std::string_view bad : {"\x80", "\xC3", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                 "\xF0\x8F\xBF\xBF", "\xFF", "a\xE2\x82", "\xC3("}) {
        EXPECT_EQ(load_bytes(bad).problem(), "not-text") << bad;
    }
    for (std::string_view good : {"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_EQ(load_bytes(good).problem(), "");
    }
}

TEST(TextFile, SizesAreLimited) {
    const TextLimits small{.max_bytes = 10, .max_line_bytes = 4};
    EXPECT_EQ(load_bytes("ab\ncd\nef\n", small).problem(), "");
    EXPECT_EQ(load_bytes("ab\ncd\nef\ngh\n", small).problem(), "too-large");
    const Loaded long_line = load_bytes("ab\nabcdef\n", small);
    EXPECT_EQ(long_line.problem(), "too-large");
    EXPECT_TRUE(long_line.place().ends_with(":2:1")) << long_line.place();
}

// A device has no size to look at beforehand; reading must end all the same.
TEST(TextFile, EndlessStreamsAreNoticed) {
    const Loaded loaded = load("/dev/zero", {.max_bytes = 1 << 20});
    EXPECT_EQ(loaded.problem(), "not-text");
}

}  // namespace
}  // namespace neumann
