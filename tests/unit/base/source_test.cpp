#include <gtest/gtest.h>

#include "base/source.h"

namespace neumann {
namespace {

TEST(Source, LinesAndColumnsCountFromOne) {
    const SourceFile file("a.nm", "ab\n\ncd");
    EXPECT_EQ(file.locate(0).line, 1U);
    EXPECT_EQ(file.locate(0).column, 1U);
    EXPECT_EQ(file.locate(1).column, 2U);
    EXPECT_EQ(file.locate(2).line, 1U);  // the line break belongs to its line
    EXPECT_EQ(file.locate(3).line, 2U);
    EXPECT_EQ(file.locate(5).line, 3U);
    EXPECT_EQ(file.locate(5).column, 2U);
    EXPECT_EQ(file.locate(1000).line, 3U) << "beyond the end is the end";
}

TEST(Source, ColumnsCountCharactersNotBytes) {
    const SourceFile file("a.nm", "é→x");
    EXPECT_EQ(file.locate(2).column, 2U);
    EXPECT_EQ(file.locate(5).column, 3U);
}

TEST(Source, LinesComeWithoutTheirBreaks) {
    const SourceFile file("a.nm", "one\r\ntwo\n\nlast");
    EXPECT_EQ(file.line_text(1), "one");
    EXPECT_EQ(file.line_text(2), "two");
    EXPECT_EQ(file.line_text(3), "");
    EXPECT_EQ(file.line_text(4), "last");
    EXPECT_EQ(SourceFile("b.nm", "").line_text(1), "");
}

TEST(Source, ASpanKnowsItsText) {
    SourceSet sources;
    sources.add("a.nm", "first");
    const std::uint32_t second = sources.add("b.nm", "edge(a,b).");
    EXPECT_EQ(sources.text({second, 0, 4}), "edge");
    EXPECT_EQ(sources.text(cover({second, 5, 6}, {second, 7, 8})), "a,b");
    EXPECT_EQ(sources.line({second, 5, 6}), 1U);
    EXPECT_TRUE(Span().is_none());
}

// Tokens and syntax nodes hold views into the texts.
TEST(Source, TextsStayWhereTheyAre) {
    SourceSet sources;
    const std::string_view text = sources.file(sources.add("a.nm", "short")).text();
    for (int i = 0; i < 1000; ++i) sources.add("more.nm", "text");
    EXPECT_EQ(sources.file(0).text().data(), text.data());
}

}  // namespace
}  // namespace neumann
