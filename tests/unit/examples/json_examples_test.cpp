#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "examples/json_examples.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

TEST(JsonExamples, ALineSaysAllThereIs) {
    const TemporaryFolder folder;
    JsonExamples source(folder
                            .write("x.jsonl",
                                   R"json({"id": "x", "atoms": {"p(a)": 0.5, "label": 1}, "label": 3,)json"
                                   R"json( "targets": {"q": 1, "r": false}, "query": "w(x)", "answer": 7,)json"
                                   R"json( "images": ["a.png", "b.png"], "other": {"label": 9}})json")
                            .string());
    const std::vector<Example> examples = source.next(10);
    ASSERT_EQ(examples.size(), 1U);
    const Example& one = examples.front();
    EXPECT_EQ(one.id, "\"x\"");
    EXPECT_EQ(one.line, 1U);
    ASSERT_EQ(one.atoms.size(), 2U);
    EXPECT_EQ(source.texts().text(one.atoms[0].atom), "p(a)");
    EXPECT_EQ(one.atoms[0].value, 0.5F);
    EXPECT_EQ(one.label->number, 3);
    ASSERT_EQ(one.targets.size(), 2U);
    EXPECT_EQ(source.texts().text(one.targets[1].atom), "r");
    EXPECT_FALSE(one.targets[1].positive);
    EXPECT_EQ(one.query, "w(x)");
    EXPECT_EQ(one.answer, "7");
    EXPECT_EQ(one.images.size(), 2U);
    EXPECT_TRUE(one.not_understood.empty());
    EXPECT_TRUE(source.next(10).empty());
}

TEST(JsonExamples, WhatPrecedesAMistakeIsGivenFirst) {
    const TemporaryFolder folder;
    JsonExamples source(folder.write("x.jsonl", "{\"atoms\": {}}\n\n{\"atoms\": {}}\n{\"atoms\": 3}\n").string());
    EXPECT_EQ(source.next(10).size(), 2U);
    for (int again = 0; again < 2; ++again) {
        try {
            source.next(10);
            FAIL() << "accepted";
        } catch (const ExampleError& error) {
            EXPECT_TRUE(std::string(error.what())
                            .ends_with("x.jsonl:4:3: error: \"atoms\" must be an object from atoms to probabilities"))
                << error.what();
        }
    }
}

TEST(JsonExamples, TextsHaveOneNumberUntilTheyAreForgotten) {
    AtomTexts texts;
    EXPECT_EQ(texts.add("p"), texts.add("p"));
    EXPECT_NE(texts.add("p"), texts.add("q"));
    EXPECT_EQ(texts.text(texts.add("q")), "q");
    const std::uint64_t before = texts.generation();
    texts.clear();
    EXPECT_NE(texts.generation(), before);
    EXPECT_EQ(texts.size(), 0U);
}

}  // namespace
}  // namespace neumann
