// The original's own program folders against what the original computed from them. The folders are shared material
// beside the repository, not part of it: without them the tests are skipped, and published_sizes_test.cpp remains.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unit/read_program.h"
#include "unit/reference_figures.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

const fs::path shared = fs::path(NEUMANN_SOURCE_DIR) / ".." / "shared";

class ReferenceFolder : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        folder_ = shared / "data" / "lang" / GetParam();
        if (!fs::exists(folder_)) GTEST_SKIP() << "no shared data beside the repository";
        const nlohmann::json all = reference_figures("sizes.json");
        for (const auto& program : all.at("programs")) {
            if (program.at("program") == GetParam()) reference_ = program;
        }
        ASSERT_FALSE(reference_.is_null()) << "no reference for " << GetParam();
    }
    Program load() const {
        LoadOptions options;
        if (reference_.at("learned_clauses").get<bool>()) options.clauses_file = "learned_clauses.txt";
        options.term_depth = reference_.at("term_depth").get<std::uint32_t>();
        // The original drops atoms with repeated arguments from these programs.
        if (std::string(GetParam()).starts_with("kandinsky")) options.distinct = "all";
        Diagnostics diagnostics;
        Program program = load_program(folder_, options, diagnostics);
        EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, *program.sources);
        return program;
    }
    fs::path folder_;
    nlohmann::json reference_;
};

TEST_P(ReferenceFolder, FullGroundingHasTheOriginalsSizes) {
    expect_published_size(ground_program(load(), {.mode = GroundMode::Full}), reference_);
}

TEST_P(ReferenceFolder, RelevantGroundingIsNoLarger) {
    const GroundedText grounded = ground_program(load());
    EXPECT_LE(grounded.ground.graph.atom_count(), reference_.at("atoms_with_true").get<std::uint64_t>() - 1);
    EXPECT_LE(grounded.ground.graph.conjunction_count(), reference_.at("ground_clauses").get<std::uint64_t>());
}

TEST_P(ReferenceFolder, PrintsAsAProgramThatGroundsTheSame) {
    const GroundedText folder = ground_program(load());
    ReadProgram printed = read(print_program(folder.program));
    ASSERT_FALSE(printed.diagnostics.has_errors()) << rendered(printed);
    const GroundedText file = ground_program(std::move(printed.program));
    EXPECT_EQ(folder.ground.graph.atom_count(), file.ground.graph.atom_count());
    EXPECT_TRUE(std::ranges::equal(folder.ground.graph.head, file.ground.graph.head));
    EXPECT_TRUE(std::ranges::equal(folder.ground.graph.body, file.ground.graph.body));
}

std::string test_name(const ::testing::TestParamInfo<const char*>& tested) {
    std::string name = tested.param;
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, ReferenceFolder,
                         ::testing::Values("behind-the-scenes/append", "behind-the-scenes/delete",
                                           "behind-the-scenes/reverse", "behind-the-scenes/sort",
                                           "clevr-hans/clevr-hans0", "clevr-hans/clevr-hans1", "clevr-hans/clevr-hans2",
                                           "kandinsky/closeby", "kandinsky/online-pair", "kandinsky/red-triangle",
                                           "kandinsky/twopairs", "synthetic/even", "synthetic/graph", "vilp/append",
                                           "vilp/delete", "vilp/member"),
                         test_name);

}  // namespace
}  // namespace neumann
