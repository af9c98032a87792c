// The registry of front ends: its laws, detection of languages by name and content, and their row in the documentation.
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "front_ends/front_end.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

TEST(FrontEnds, LawsGoTogether) {
    std::set<std::string_view> names;
    std::set<std::string_view> endings;
    for (const FrontEnd* one : all_front_ends()) {
        SCOPED_TRACE(one->name);
        EXPECT_TRUE(names.insert(one->name).second);
        EXPECT_EQ(find_front_end(one->name), one);
        EXPECT_FALSE(one->summary.empty());
        EXPECT_FALSE(one->refuses.empty());
        for (const std::string_view ending : one->endings) EXPECT_TRUE(endings.insert(ending).second) << ending;
        EXPECT_TRUE(!one->endings.empty() || one->detects != nullptr) << "nothing would be read by it";
        EXPECT_EQ(one->task_of.empty(), !one->roads.empty()) << "a program has a road, a learning task none";
        if (one->roads.empty()) continue;
        EXPECT_TRUE(one->roads.front().is_typed()) << "inputs and tables need types";
        for (const Road& road : one->roads) EXPECT_NE(road.read, nullptr);
    }
    EXPECT_EQ(find_front_end("cobol"), nullptr);
}

TEST(FrontEnds, LanguagesByEndingAndContent) {
    const TemporaryFolder folder;
    const auto name_of = [](const fs::path& path) { return front_end_of(path).name; };
    for (const FrontEnd* one : all_front_ends()) {
        for (const std::string_view ending : one->endings) EXPECT_EQ(name_of(fmt::format("a.b{}", ending)), one->name);
    }
    EXPECT_EQ(name_of("program"), "neumann");
    EXPECT_EQ(name_of("program.txt"), "neumann");
    EXPECT_EQ(name_of("-"), "neumann");
    EXPECT_EQ(name_of(folder.path()), "folder");
    fs::create_directory(folder.path() / "named.pl");
    EXPECT_EQ(name_of(folder.path() / "named.pl"), "folder") << "a folder may have any name";
    folder.write("bias.pl", "");
    EXPECT_EQ(name_of(folder.path()), "folder") << "a task has a background as well";
    folder.write("bk.pl", "");
    EXPECT_EQ(name_of(folder.path()), "popper");
}

TEST(FrontEnds, RoadsByRequest) {
    const LoadOptions load;
    const ReadRequest any{.path = "a.pl", .load = load};
    const ReadRequest typed{.path = "a.pl", .load = load, .needs_types = true};
    for (const FrontEnd* one : all_front_ends()) {
        EXPECT_EQ(roads_for(*one, any).size(), one->roads.size());
        for (const Road* road : roads_for(*one, typed)) EXPECT_TRUE(road->is_typed());
        EXPECT_EQ(roads_for(*one, typed).empty(), one->roads.empty());
    }
}

// Every program that a front end writes, it reads as well.
TEST(FrontEnds, ReadWhatTheyWrite) {
    const TemporaryFolder folder;
    const LoadOptions load;
    for (const FrontEnd* one : all_front_ends()) {
        if (one->write == nullptr) continue;
        SCOPED_TRACE(one->name);
        Diagnostics diagnostics;
        Program program = parse_program(
            "p", ":- type(t, [a,b]). :- pred(p(t)). :- pred(q(t)). p(a). p(b). q(X) :- p(X).", load, diagnostics);
        std::vector<std::string> notes;
        const WrittenProgram written = one->write(program, {.notes = notes}, diagnostics);
        ASSERT_FALSE(diagnostics.has_errors());
        EXPECT_EQ(written.files.empty(), !one->is_folder);
        fs::path path = folder.path() / fmt::format("{}{}", one->name, one->endings.empty() ? "" : one->endings[0]);
        if (one->is_folder) fs::create_directory(path);
        for (const auto& [name, text] : written.files) std::ofstream(path / name) << text;
        if (!one->is_folder) std::ofstream(path) << written.text;
        EXPECT_EQ(&front_end_of(path), one);
        const ReadRequest request{.path = path, .load = load};
        const Program again = one->roads.front().read(request, diagnostics, notes);
        EXPECT_FALSE(diagnostics.has_errors());
        EXPECT_EQ(again.facts.size(), 2U);
        EXPECT_EQ(again.clauses.size(), 1U);
    }
}

TEST(FrontEnds, HaveARowInTheDocumentation) {
    std::ifstream file(NEUMANN_SOURCE_DIR "/docs/interchange.md");
    std::ostringstream text;
    text << file.rdbuf();
    for (const FrontEnd* one : all_front_ends()) {
        std::vector<std::string> endings;
        for (const std::string_view ending : one->endings) endings.push_back(fmt::format("`{}`", ending));
        const std::string row =
            fmt::format("| `{}` | {} | {} | {} | {} | {} |", one->name, one->summary,
                        endings.empty() ? "by its files" : fmt::format("{}", fmt::join(endings, " ")),
                        one->task_of.empty() ? "a program" : fmt::format("a task, `neumann learn {}`", one->task_of),
                        one->write == nullptr && !one->writes_ground ? "–" : "yes", one->refuses);
        EXPECT_NE(text.str().find(row), std::string::npos) << row;
    }
}

}  // namespace
}  // namespace neumann
