#include <gtest/gtest.h>

#include "app/accuracy.h"
#include "unit/temporary_folder.h"

namespace neumann::app {
namespace {

TEST(Accuracy, FieldsOfTheOutermostObject) {
    // Keys within other objects and in texts do not count, nor do brackets in texts.
    const std::string atoms = "{\"label\": 0.5, \"p('\\\"},{')\": 1, \"answer\": 1}";
    const std::string line =
        "{\"atoms\": " + atoms + ", \"x\": [\"label\", {\"label\": 3}], \"label\" : 1, \"answer\": \"a,b\"}";
    EXPECT_EQ(top_level_field(line, "label"), "1");
    EXPECT_EQ(top_level_field(line, "answer"), "\"a,b\"");
    EXPECT_EQ(top_level_field(line, "atoms"), atoms);
    EXPECT_EQ(top_level_field(line, "query"), "");
    EXPECT_EQ(top_level_field("{\"id\": \"label\", \"atoms\": {}}", "label"), "");
    EXPECT_EQ(top_level_field("{\"label", "label"), "");
    EXPECT_EQ(top_level_field("{\"label\":", "label"), "");
    EXPECT_EQ(top_level_field("", "label"), "");
}

TEST(Accuracy, Outcomes) {
    EXPECT_EQ(known_outcome("{\"label\": 2}").label, 2);
    EXPECT_EQ(known_outcome("{\"label\": true}").label, 1);
    EXPECT_FALSE(known_outcome("{\"label\": \"red\"}").label);
    EXPECT_EQ(known_outcome("{\"answer\": \"red\"}").answer, "red");
    EXPECT_EQ(known_outcome("{\"answer\": 3}").answer, "");
}

TEST(Accuracy, LinesByNumber) {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 1; i <= 1000; ++i) text += i % 3 == 0 ? "\n" : "{\"label\": " + std::to_string(i) + "}\n";
    OutcomeReader reader(folder.write("examples.jsonl", text).string());
    EXPECT_EQ(reader.of_line(2).label, 2);
    EXPECT_EQ(reader.of_line(4).label, 4);
    EXPECT_EQ(reader.of_line(700).label, 700);
    EXPECT_EQ(reader.of_line(1000).label, 1000);
    EXPECT_FALSE(reader.of_line(1001).label);
}

}  // namespace
}  // namespace neumann::app
