#include <string>

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "base/text_file.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

class DiagnosticsTest : public ::testing::Test {
protected:
    std::uint32_t add(std::string text) { return sources_.add("graph.nm", std::move(text)); }
    std::string text(const RenderOptions& options = {}) const { return render(diagnostics_, sources_, options); }

    SourceSet sources_;
    Diagnostics diagnostics_;
};

TEST_F(DiagnosticsTest, RendersPlaceLineCaretsAndAdvice) {
    const std::uint32_t file = add("p.\npath(X, Y) :- egde(X, Y).\n");
    diagnostics_.report(codes::unknown_predicate, {file, 17, 21}, "unknown predicate 'egde/2'",
                        "did you mean 'edge/2'?", {{{file, 0, 1}, "p is here"}});
    EXPECT_EQ(text(), "graph.nm:2:15-18: error: unknown predicate 'egde/2' [unknown-predicate]\n"
                      "  2 | path(X, Y) :- egde(X, Y).\n"
                      "    |               ^^^^\n"
                      "    = did you mean 'edge/2'?\n"
                      "graph.nm:1:1: note: p is here\n"
                      "  1 | p.\n"
                      "    | ^\n");
}

TEST_F(DiagnosticsTest, PlacesAreAFileALineOrARange) {
    const std::uint32_t file = add("ab\ncd\n");
    EXPECT_EQ(describe_place(sources_, {}), "");
    EXPECT_EQ(describe_place(sources_, sources_.whole_file(file)), "graph.nm");
    EXPECT_EQ(describe_place(sources_, {file, 3, 4}), "graph.nm:2:1");
    EXPECT_EQ(describe_place(sources_, {file, 3, 5}), "graph.nm:2:1-2");
    EXPECT_EQ(describe_place(sources_, {file, 1, 5}), "graph.nm:1:2-2:2");
}

TEST_F(DiagnosticsTest, CaretsStandUnderCharactersAndBehindTabs) {
    const std::uint32_t file = add("\té 'x' bad");
    diagnostics_.report(codes::syntax, {file, 8, 11}, "wrong");
    EXPECT_EQ(text(), "graph.nm:1:8-10: error: wrong [syntax]\n"
                      "  1 | \té 'x' bad\n"
                      "    | \t      ^^^\n");
}

TEST_F(DiagnosticsTest, ComeInOrderOfPlaceAndOnce) {
    const std::uint32_t file = add("abcdef");
    diagnostics_.report(codes::syntax, {file, 4, 5}, "second");
    diagnostics_.report(codes::syntax, {file, 1, 2}, "first");
    diagnostics_.report(codes::syntax, {file, 4, 5}, "second");
    diagnostics_.report(codes::memory_limit, {}, "without a place");
    const std::vector<Diagnostic> sorted = diagnostics_.sorted();
    ASSERT_EQ(sorted.size(), 3U);
    EXPECT_EQ(sorted[0].message, "first");
    EXPECT_EQ(sorted[1].message, "second");
    EXPECT_EQ(sorted[2].message, "without a place");
}

TEST_F(DiagnosticsTest, KnowWhatWasReportedByCodeAndMessage) {
    const std::uint32_t file = add("abcdef");
    EXPECT_FALSE(diagnostics_.has(codes::syntax, "this"));
    diagnostics_.report(codes::syntax, {file, 4, 5}, "this");
    EXPECT_TRUE(diagnostics_.has(codes::syntax, "this"));
    EXPECT_FALSE(diagnostics_.has(codes::syntax, "that"));
    EXPECT_FALSE(diagnostics_.has(codes::unclosed, "this"));
}

TEST_F(DiagnosticsTest, OnlyErrorsAreErrors) {
    const std::uint32_t file = add("p");
    diagnostics_.report(codes::singleton_variable, {file, 0, 1}, "a warning");
    EXPECT_FALSE(diagnostics_.has_errors());
    diagnostics_.report(codes::syntax, {file, 0, 1}, "an error");
    EXPECT_TRUE(diagnostics_.has_errors());
}

TEST_F(DiagnosticsTest, WarningsAreSwitchedOffByNameErrorsAreNot) {
    const std::uint32_t file = add("p");
    diagnostics_.switch_off("singleton-variable");
    diagnostics_.switch_off("syntax");
    diagnostics_.report(codes::singleton_variable, {file, 0, 1}, "off");
    diagnostics_.report(codes::empty_type, {file, 0, 1}, "on");
    diagnostics_.report(codes::syntax, {file, 0, 1}, "an error stays");
    EXPECT_EQ(diagnostics_.sorted().size(), 2U);
    diagnostics_.switch_off("all");
    diagnostics_.report(codes::empty_type, {file, 0, 1}, "all are off");
    EXPECT_EQ(diagnostics_.sorted().size(), 2U);
}

TEST_F(DiagnosticsTest, ErrorsBeyondTheLimitAreCounted) {
    const std::uint32_t file = add("abcdef");
    for (std::uint32_t i = 0; i < 5; ++i) diagnostics_.report(codes::syntax, {file, i, i + 1}, "wrong");
    diagnostics_.report(codes::empty_type, {file, 5, 6}, "a warning does not count");
    const std::string limited = text({.max_errors = 2});
    EXPECT_NE(limited.find("… and 3 more errors"), std::string::npos) << limited;
    EXPECT_NE(limited.find("a warning does not count"), std::string::npos) << limited;
    EXPECT_EQ(text({.max_errors = 0}).find("more error"), std::string::npos);
}

TEST_F(DiagnosticsTest, LongLinesAreCutAroundThePlace) {
    const std::uint32_t file = add(std::string(5000, 'a') + "!" + std::string(5000, 'b'));
    diagnostics_.report(codes::syntax, {file, 5000, 5001}, "wrong");
    const std::string shown = text();
    EXPECT_LT(shown.size(), 500U);
    EXPECT_NE(shown.find("a!b"), std::string::npos) << shown;
    EXPECT_EQ(shown.find('!') - shown.find("…"), std::string("…").size() + 60) << shown;
}

// What a file contains must not drive the terminal.
TEST_F(DiagnosticsTest, ControlCharactersAreNotPassedOn) {
    const std::uint32_t file = add("p \x1B[31m q");
    diagnostics_.report(codes::syntax, {file, 0, 1}, "wrong");
    EXPECT_EQ(text().find('\x1B'), std::string::npos);
    EXPECT_NE(text({.color = true}).find("\x1B[1;31merror:"), std::string::npos);
}

// Wherever the cut falls, what is shown is UTF-8.
TEST_F(DiagnosticsTest, LongLinesAreCutBetweenCharacters) {
    for (std::size_t padding : {0U, 1U}) {
        Diagnostics diagnostics;
        std::string line = std::string(padding, ' ');
        for (int i = 0; i < 100; ++i) line += "é";
        const auto at = static_cast<std::uint32_t>(line.size());
        const std::uint32_t file = add(line + "!" + line);
        diagnostics.report(codes::syntax, {file, at, at + 1}, "wrong");
        const TemporaryFolder folder;  // loading it back checks that it is UTF-8
        SourceSet shown;
        Diagnostics problems;
        load_text(folder.write("shown.txt", render(diagnostics, sources_)), shown, problems);
        EXPECT_FALSE(problems.has_errors()) << "padding " << padding;
    }
}

}  // namespace
}  // namespace neumann
