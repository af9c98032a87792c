// Every example, printed and read again: the same program.
#include <string>

#include <gtest/gtest.h>

#include "unit/example_files.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

class ExampleRoundTrip : public ::testing::TestWithParam<std::string> {};

// Both programs were read in the same order of declarations, so equal things have equal ids.
void expect_same(const Program& first, const Program& second) {
    EXPECT_EQ(print_program(first), print_program(second));
    ASSERT_EQ(first.facts.size(), second.facts.size());
    for (std::size_t i = 0; i < first.facts.size(); ++i) {
        EXPECT_EQ(first.facts[i].predicate, second.facts[i].predicate);
        EXPECT_EQ(first.facts[i].probability, second.facts[i].probability);
    }
    ASSERT_EQ(first.clauses.size(), second.clauses.size());
    for (std::size_t i = 0; i < first.clauses.size(); ++i) {
        EXPECT_EQ(first.clauses[i].variables, second.clauses[i].variables);
        EXPECT_EQ(first.clauses[i].weight, second.clauses[i].weight);
        EXPECT_EQ(first.clauses[i].certain, second.clauses[i].certain);
        EXPECT_EQ(first.clauses[i].body.size(), second.clauses[i].body.size());
    }
    EXPECT_EQ(first.queries.size(), second.queries.size());
    EXPECT_EQ(first.modes.size(), second.modes.size());
    EXPECT_EQ(first.learn.size(), second.learn.size());
    EXPECT_EQ(first.initial.size(), second.initial.size());
    EXPECT_EQ(first.labels.size(), second.labels.size());
    ASSERT_EQ(first.sayings.size(), second.sayings.size());
    for (std::size_t i = 0; i < first.sayings.size(); ++i) EXPECT_EQ(first.sayings[i].text, second.sayings[i].text);
}

TEST_P(ExampleRoundTrip, PrintsAndReadsBackAsTheSameProgram) {
    Diagnostics diagnostics;
    Program first = load_program(example_folder() / GetParam(), {}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << render(diagnostics, *first.sources);
    ReadProgram second = read(print_program(first));
    ASSERT_FALSE(second.diagnostics.has_errors()) << rendered(second);
    expect_same(first, second.program);

    // And the same graph: the order of everything survives, too.
    const GroundedText first_graph = ground_program(std::move(first));
    const GroundedText second_graph = ground_program(std::move(second.program));
    EXPECT_EQ(atom_texts(first_graph), atom_texts(second_graph));
    EXPECT_EQ(clause_texts(first_graph), clause_texts(second_graph));
}

TEST_P(ExampleRoundTrip, HasNoWarnings) {
    Diagnostics diagnostics;
    Program program = load_program(example_folder() / GetParam(), {}, diagnostics);
    analyse(program, {}, diagnostics);
    EXPECT_EQ(render(diagnostics, *program.sources), "");
}

INSTANTIATE_TEST_SUITE_P(Files, ExampleRoundTrip, ::testing::ValuesIn(example_files()), example_test_name);

}  // namespace
}  // namespace neumann
