// How a negated literal is shown; everything else is in the golden cases.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "graph/build.h"
#include "graph/export.h"

namespace neumann {
namespace {

// 2 ← 0, \+ 1 and 2 ← 0.
ReasoningGraph small_graph() {
    GraphInput input;
    InstanceBlock block;
    block.width = 2;
    block.negated = {false, true};
    block.may_collapse = true;
    for (const std::uint32_t number : {2U, 0U, 1U, 2U, 0U, InstanceBlock::missing}) block.rows.push_back(number);
    input.blocks.push_back(std::move(block));
    input.initial = PodVector<float>(3, 0.0F);
    input.weight = PodVector<double>(1, 1.0);
    return build_graph(std::move(input), 1);
}

const GraphLabels labels = {[](std::uint32_t atom) { return "p" + std::to_string(atom); },
                            [](std::uint32_t) { return "a clause"; }};

TEST(Export, ANegatedLiteralIsADashedEdge) {
    std::string text;
    export_dot(small_graph(), labels, [&](const std::string& piece) { text += piece; });
    EXPECT_NE(text.find("a1 -> n1 [style=dashed];"), std::string::npos) << text;
    EXPECT_NE(text.find("a0 -> n0;"), std::string::npos) << text;
    EXPECT_NE(text.find("a0 -> n1;"), std::string::npos) << text;
}

TEST(Export, JsonNamesNegatedAtomsApart) {
    std::string text;
    export_json(small_graph(), labels, [&](const std::string& piece) { text += piece; });
    EXPECT_NE(text.find(R"({"clause": 0, "head": 2, "body": [0]},)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"({"clause": 0, "head": 2, "body": [0], "negated": [1]})"), std::string::npos) << text;
}

}  // namespace
}  // namespace neumann
