// The examples that restate the paper's tasks, at the sizes that examples/README.md promises.
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "unit/read_program.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

Program load_example(const std::string& name) {
    Diagnostics diagnostics;
    Program program = load_program(fs::path(NEUMANN_SOURCE_DIR) / "examples" / (name + ".nm"), {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, *program.sources);
    return program;
}

struct FullSize {
    const char* example;
    std::uint32_t atoms;
    std::uint32_t clauses;
};
struct RelevantSize {
    const char* example;
    std::uint32_t gringo;            // ground rules of gringo on the same program, facts kept as atoms …
    std::uint32_t gringo_evaluated;  // … and evaluated
};
void PrintTo(const FullSize& size, std::ostream* out) { *out << size.example; }
void PrintTo(const RelevantSize& size, std::ostream* out) { *out << size.example; }

template <class Size>
std::string test_name(const ::testing::TestParamInfo<Size>& info) {
    std::string name = info.param.example;
    for (char& c : name) c = c == '/' ? '_' : c;
    return name;
}

class ExampleFullGrounding : public ::testing::TestWithParam<FullSize> {};

TEST_P(ExampleFullGrounding, HasThePapersSize) {
    const GroundedText grounded = ground_program(load_example(GetParam().example), {.mode = GroundMode::Full});
    EXPECT_EQ(grounded.ground.graph.atom_count(), GetParam().atoms);
    EXPECT_EQ(grounded.ground.graph.conjunction_count(), GetParam().clauses);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ExampleFullGrounding,
    ::testing::Values(
        FullSize{"01_even", 11, 9}, FullSize{"02_graph", 42, 222}, FullSize{"kandinsky/twopairs", 104, 360},
        FullSize{"kandinsky/closeby", 101, 228}, FullSize{"kandinsky/red_triangle", 925, 570},
        FullSize{"kandinsky/online_pair", 268, 480}, FullSize{"clevr_hans/class0", 161, 100},
        FullSize{"clevr_hans/class1", 161, 100}, FullSize{"clevr_hans/class2", 161, 100},
        FullSize{"lists/member", 254, 518}, FullSize{"lists/delete", 6895, 8544},
        FullSize{"lists/append", 69'142, 85'580}, FullSize{"behind_the_scenes/delete", 7900, 83'798},
        FullSize{"behind_the_scenes/append", 70'097, 98'599}, FullSize{"behind_the_scenes/reverse", 70'097, 844'963},
        FullSize{"behind_the_scenes/sort", 11'319, 92'243}, FullSize{"behind_the_scenes/all", 149'161, 1'113'553}),
    test_name<FullSize>);

class ExampleRelevantGrounding : public ::testing::TestWithParam<RelevantSize> {};

TEST_P(ExampleRelevantGrounding, IsNoLargerThanGringos) {
    const GroundedText grounded = ground_program(load_example(GetParam().example));
    EXPECT_GT(grounded.ground.graph.conjunction_count(), 0U);
    EXPECT_LE(grounded.ground.graph.conjunction_count(), GetParam().gringo);
}

TEST_P(ExampleRelevantGrounding, WithFactsEvaluatedIsNoLargerThanGringos) {
    Program program = load_example(GetParam().example);
    program.queries.clear();  // gringo was asked for everything
    const GroundedText grounded = ground_program(std::move(program), {.facts = FactMode::Evaluate});
    EXPECT_GT(grounded.ground.graph.conjunction_count(), 0U);
    EXPECT_LE(grounded.ground.graph.conjunction_count(), GetParam().gringo_evaluated);
}

INSTANTIATE_TEST_SUITE_P(Programs, ExampleRelevantGrounding,
                         ::testing::Values(RelevantSize{"behind_the_scenes/delete", 1138, 366},
                                           RelevantSize{"behind_the_scenes/append", 963, 294},
                                           RelevantSize{"behind_the_scenes/reverse", 963, 294},
                                           RelevantSize{"behind_the_scenes/sort", 2387, 1035}),
                         test_name<RelevantSize>);

// The stories say what comes out; here only that it is there to be answered.
TEST(ExampleStories, QueriesHaveAnswers) {
    for (const char* name : {"01_even", "02_graph", "03_family", "04_arithmetic", "05_lists", "06_colouring"}) {
        const GroundedText grounded = ground_program(load_example(name));
        for (const Query& query : grounded.program.queries) {
            EXPECT_FALSE(matching_atoms(grounded.program, grounded.ground.atoms, query).empty()) << name;
        }
    }
}

TEST(ExampleStories, ListsAreCutInEveryWay) {
    const GroundedText grounded = ground_program(load_example("05_lists"));
    const Query& append = grounded.program.queries.at(2);
    EXPECT_EQ(matching_atoms(grounded.program, grounded.ground.atoms, append).size(), 4U);
}

// Threads divide the work, never the result.
TEST(ExampleThreads, ChangeNothing) {
    for (const char* name : {"behind_the_scenes/append", "kandinsky/online_pair", "02_graph"}) {
        const GroundedText one = ground_program(load_example(name), {.mode = GroundMode::Full, .threads = 1});
        const GroundedText four = ground_program(load_example(name), {.mode = GroundMode::Full, .threads = 4});
        EXPECT_TRUE(std::ranges::equal(one.ground.graph.head, four.ground.graph.head)) << name;
        EXPECT_TRUE(std::ranges::equal(one.ground.graph.clause, four.ground.graph.clause)) << name;
        EXPECT_TRUE(std::ranges::equal(one.ground.graph.body, four.ground.graph.body)) << name;
        EXPECT_TRUE(std::ranges::equal(one.ground.graph.use, four.ground.graph.use)) << name;
    }
}

}  // namespace
}  // namespace neumann
