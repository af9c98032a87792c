// A file may carry a right checksum and still not be a graph: then it says what is wrong, and nothing reads beyond an
// array.
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/mapped_file.h"
#include "graph/graph_file.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Atoms 0 to 2; conjunctions 1 ← 0 and 2 ← 0, 1.
struct Arrays {
    Numbers in_begin = {0, 0, 1, 2};
    Numbers head = {1, 2};
    Numbers clause = {0, 0};
    Numbers body_begin = {0, 1, 3};
    Numbers body = {0, 0, 2};  // 2·atom + sign
    Numbers use_begin = {0, 2, 3, 3};
    Numbers use = {0, 1, 1};
    std::vector<float> initial = {1, 0, 0};
    std::vector<double> weight = {0.5};
    Numbers component = {0, 1, 2};
    Numbers level = {0, 1, 2};
    Numbers level_begin = {0, 1, 2, 3};
    Numbers level_atoms = {0, 1, 2};
    std::vector<std::uint8_t> cyclic = {0, 0, 0};
};

std::string read_back(const std::function<void(Arrays&)>& change, bool* monotone = nullptr) {
    Arrays arrays;
    change(arrays);
    SectionWriter writer;
    const TemporaryFolder folder;
    const auto numbers = [&](const char* name, const Numbers& values) {
        writer.add(name, std::span<const std::uint32_t>(values));
    };
    numbers("graph.in_begin", arrays.in_begin);
    numbers("graph.head", arrays.head);
    numbers("graph.clause", arrays.clause);
    numbers("graph.body_begin", arrays.body_begin);
    numbers("graph.body", arrays.body);
    numbers("graph.use_begin", arrays.use_begin);
    numbers("graph.use", arrays.use);
    writer.add("graph.initial", std::span<const float>(arrays.initial));
    writer.add("graph.weight", std::span<const double>(arrays.weight));
    numbers("levels.component", arrays.component);
    numbers("levels.level", arrays.level);
    numbers("levels.level_begin", arrays.level_begin);
    numbers("levels.level_atoms", arrays.level_atoms);
    writer.add("levels.cyclic", std::span<const std::uint8_t>(arrays.cyclic));
    writer.write(folder.path() / "graph.nmg");
    try {
        const auto file = MappedFile::open(folder.path() / "graph.nmg");
        const SectionReader reader(file->bytes(), file);
        const ReasoningGraph graph = read_graph_sections(reader);
        read_level_sections(reader, graph);
        if (monotone != nullptr) *monotone = graph.monotone;
    } catch (const DamagedFile& damaged) {
        return damaged.what();
    }
    return "accepted";
}

TEST(GraphFile, AGraphIsAccepted) {
    EXPECT_EQ(read_back([](Arrays&) {}), "accepted");
    EXPECT_EQ(read_back([](Arrays& a) {
                  a = {};
                  a.in_begin = a.use_begin = a.body_begin = a.level_begin = {0};
                  a.head = a.clause = a.body = a.use = a.component = a.level = a.level_atoms = {};
                  a.initial = {};
                  a.cyclic = {};
              }),
              "accepted")
        << "one without atoms, too";
}

TEST(GraphFile, SignsAreKept) {
    bool monotone = false;
    EXPECT_EQ(read_back([](Arrays&) {}, &monotone), "accepted");
    EXPECT_TRUE(monotone);
    const auto negate = [](Arrays& a) { a.body[2] = 3; };
    EXPECT_EQ(read_back(negate, &monotone), "accepted");
    EXPECT_FALSE(monotone);
    const auto negate_itself = [](Arrays& a) {
        a.body = {0, 0, 5};
        a.use_begin = {0, 2, 2, 3};
        a.cyclic = {0, 0, 1};
    };
    EXPECT_EQ(read_back(negate_itself), "an atom that depends on its own negation in the saved graph");
}

TEST(GraphFile, WhatIsNoGraphIsRefused) {
    constexpr std::uint32_t huge = 0xfffffff0U;
    const std::pair<const char*, std::function<void(Arrays&)>> cases[] = {
        {"in_begin too short", [](Arrays& a) { a.in_begin.pop_back(); }},
        {"in_begin going back",
         [](Arrays& a) {
             a.in_begin = {0, 2, 1, 2};
         }},
        {"in_begin not from 0",
         [](Arrays& a) {
             a.in_begin = {1, 1, 1, 2};
         }},
        {"in_begin beyond the end", [](Arrays& a) { a.in_begin[3] = huge; }},
        {"in_begin empty", [](Arrays& a) { a.in_begin.clear(); }},
        {"a wrong head", [](Arrays& a) { a.head[0] = 2; }},
        {"a head that is no atom", [](Arrays& a) { a.head[0] = huge; }},
        {"heads too many", [](Arrays& a) { a.head.push_back(0); }},
        {"an unknown clause", [](Arrays& a) { a.clause[1] = 1; }},
        {"clauses too few", [](Arrays& a) { a.clause.pop_back(); }},
        {"body_begin going back",
         [](Arrays& a) {
             a.body_begin = {0, 3, 1};
         }},
        {"body_begin beyond the end", [](Arrays& a) { a.body_begin[1] = huge; }},
        {"an unknown atom", [](Arrays& a) { a.body[2] = 6; }},
        {"a body out of order", [](Arrays& a) { std::swap(a.body[1], a.body[2]); }},
        {"a repeated atom", [](Arrays& a) { a.body[2] = 0; }},
        {"use_begin beyond the end", [](Arrays& a) { a.use_begin[1] = huge; }},
        {"an unknown conjunction", [](Arrays& a) { a.use[0] = 2; }},
        {"uses too few", [](Arrays& a) { a.use.pop_back(); }},
        {"uses out of order", [](Arrays& a) { std::swap(a.use[0], a.use[1]); }},
        {"a value beyond 1", [](Arrays& a) { a.initial[0] = 1.5F; }},
        {"a value that is none", [](Arrays& a) { a.initial[0] = std::numeric_limits<float>::quiet_NaN(); }},
        {"a weight below 0", [](Arrays& a) { a.weight[0] = -1; }},
        {"an unknown component", [](Arrays& a) { a.component[0] = 3; }},
        {"an unknown level", [](Arrays& a) { a.level[0] = 3; }},
        {"levels of another graph", [](Arrays& a) { a.level.pop_back(); }},
        {"level_begin going back",
         [](Arrays& a) {
             a.level_begin = {0, 2, 1, 3};
         }},
        {"level_begin empty", [](Arrays& a) { a.level_begin.clear(); }},
        {"an unknown atom of a level", [](Arrays& a) { a.level_atoms[0] = 3; }},
    };
    for (const auto& [name, change] : cases) EXPECT_NE(read_back(change), "accepted") << name;
}

TEST(GraphFile, ArraysThatContradictEachOtherAreRefused) {
    EXPECT_NE(read_back([](Arrays& a) { a.use = {1, 1, 1}; }), "accepted") << "uses are not the bodies turned around";
    EXPECT_NE(read_back([](Arrays& a) { a.level_atoms = {0, 0, 0}; }), "accepted") << "an atom stands on no level";
    EXPECT_NE(read_back([](Arrays& a) { a.level = {2, 1, 0}; }), "accepted") << "levels are not those of level_begin";
    EXPECT_NE(read_back([](Arrays& a) {
                  a.component = {2, 1, 0};
              }),
              "accepted")
        << "a component before what it depends on";
}

}  // namespace
}  // namespace neumann
