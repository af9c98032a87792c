#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/learn_output.h"
#include "learn/evaluate/wrong_labels.h"

namespace neumann {
namespace {

// Each with two targets, of which the first is true and the second false.
ExampleSet examples(std::size_t count, bool pictures) {
    ExampleSet set;
    set.file = pictures ? "figures/test" : "test.jsonl";
    for (std::size_t e = 0; e < count; ++e) {
        LabelledExample example;
        example.id = pictures ? "\"figures/test/true/" + std::to_string(e) + ".png\"" : std::to_string(e + 1);
        example.line = pictures ? 0 : e + 1;
        example.targets = {{0, true}, {1, false}};
        set.examples.push_back(example);
    }
    return set;
}

std::string target_name(std::size_t target) { return target % 2 == 0 ? "good(a)" : "good(b)"; }

TEST(WrongLabels, AreListedByLineOrByPicture) {
    const std::vector<float> values = {0.9F, 0.1F, 0.2F, 0.7F};
    EXPECT_EQ(to_text(find_wrong_labels(examples(2, false), values, 0.5, target_name)),
              "test.jsonl: 2 of 4 labels wrong\n"
              "  line 2      2                    good(a) is 1 and gets 0.200\n"
              "  line 2      2                    good(b) is 0 and gets 0.700\n");
    EXPECT_EQ(to_text(find_wrong_labels(examples(2, true), values, 0.15, target_name)),
              "figures/test: 1 of 4 labels wrong\n"
              "  \"figures/test/true/1.png\" good(b) is 0 and gets 0.700\n");
    EXPECT_EQ(to_text(find_wrong_labels(examples(2, true), values, 0.75, target_name)).find("good(b)"),
              std::string::npos);
}

TEST(WrongLabels, OfManyTheFirstFew) {
    const std::vector<float> values(40, 0.9F);
    const std::string text = to_text(find_wrong_labels(examples(20, false), values, 0.5, target_name));
    EXPECT_TRUE(text.starts_with("test.jsonl: 20 of 40 labels wrong\n")) << text;
    EXPECT_TRUE(text.ends_with("  …\n")) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 7);
}

TEST(WrongLabels, AllRightIsNothingToSay) {
    const std::vector<float> values = {1, 0};
    EXPECT_EQ(to_text(find_wrong_labels(examples(1, false), values, 0.5, target_name)), "");
}

}  // namespace
}  // namespace neumann
