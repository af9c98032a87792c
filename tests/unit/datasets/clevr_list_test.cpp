#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "datasets/clevr_list.h"
#include "unit/scene_text.h"

namespace neumann {
namespace {

// The relations once more, on words of letters: c < g < r < y.
std::string letters(const Scene& scene) {
    std::map<double, char> by_place;
    for (const SceneObject& o : scene.objects) by_place[o.position[1]] = o.color[0];
    std::string word;
    for (const auto& [place, letter] : by_place) word += letter;
    return word;
}

bool ascending(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
        if (word[i - 1] > word[i]) return false;
    }
    return true;
}

bool holds(ListRelation relation, const std::vector<std::string>& words) {
    switch (relation) {
    case ListRelation::Member:
        return words[1].find(words[0]) != std::string::npos;
    case ListRelation::Delete: {
        const std::size_t at = words[1].find(words[0]);
        return at != std::string::npos && words[1].substr(0, at) + words[1].substr(at + 1) == words[2];
    }
    case ListRelation::Sort:
        return std::is_permutation(words[0].begin(), words[0].end(), words[1].begin(), words[1].end()) &&
               ascending(words[1]);
    case ListRelation::IsSorted:
        return ascending(words[0]);
    case ListRelation::Append:
        return words[0] + words[1] == words[2];
    case ListRelation::Reverse:
        return std::string(words[0].rbegin(), words[0].rend()) == words[1];
    }
    return false;
}

std::vector<ListExample> examples_of(ListRelation relation, Split split) {
    return make_list_examples({.seed = 3, .relation = relation, .split = split, .threads = 2});
}

class ClevrList : public ::testing::TestWithParam<ListRelation> {};

TEST_P(ClevrList, EveryLabelIsRight) {
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        std::map<bool, std::size_t> counts;
        for (const ListExample& example : examples_of(GetParam(), split)) {
            std::vector<std::string> words;
            for (const Scene& image : example.images) words.push_back(letters(image));
            EXPECT_EQ(holds(GetParam(), words), example.positive) << fmt::format("{}", words.back());
            ++counts[example.positive];
        }
        EXPECT_EQ(counts, (std::map<bool, std::size_t>{{false, 200}, {true, 200}}));
    }
}

TEST_P(ClevrList, LabelsDifferNeitherInObjectCountsNorInLooks) {
    std::map<bool, std::map<std::vector<std::size_t>, std::size_t>> counts;
    std::map<bool, std::map<std::string, double>> looks;
    std::map<bool, double> objects;
    for (const ListExample& example : examples_of(GetParam(), Split::Train)) {
        std::vector<std::size_t> sizes;
        for (const Scene& image : example.images) {
            sizes.push_back(image.objects.size());
            for (const SceneObject& o : image.objects) {
                EXPECT_EQ(o.size, "large");
                ++looks[example.positive][o.shape];
                ++looks[example.positive][o.material];
                ++looks[example.positive][o.color];
                ++objects[example.positive];
            }
        }
        ++counts[example.positive][sizes];
    }
    ASSERT_EQ(counts[true].size(), counts[false].size());
    for (const auto& [sizes, count] : counts[true]) {
        EXPECT_NEAR(static_cast<double>(count), static_cast<double>(counts[false][sizes]),
                    counts[true].size() == 1 ? 0 : 40);
    }
    for (const auto& [word, count] : looks[true]) {
        EXPECT_NEAR(count / objects[true], looks[false][word] / objects[false], 0.08) << word;
    }
}

TEST_P(ClevrList, RowsHaveNoRepeatedColorAndAreShuffled) {
    std::map<bool, std::size_t> in_order;
    for (const ListExample& example : examples_of(GetParam(), Split::Train)) {
        for (const Scene& image : example.images) {
            const std::vector<std::string> row = colors_from_left(image);
            EXPECT_EQ(std::set<std::string>(row.begin(), row.end()).size(), row.size());
            std::string by_place;
            for (const std::string& color : row) by_place += color[0];
            EXPECT_EQ(by_place, letters(image));
            if (row.size() != 3) continue;
            std::string by_number;
            for (const SceneObject& o : image.objects) by_number += o.color[0];
            ++in_order[by_number == by_place];
            for (const SceneObject& o : image.objects) {
                EXPECT_EQ(o.position[0], image.objects[0].position[0]);
                EXPECT_GE(o.position[0], 0);
                EXPECT_LE(o.position[0], 0.8);
            }
        }
    }
    EXPECT_NEAR(static_cast<double>(in_order[true]) / static_cast<double>(in_order[true] + in_order[false]), 1.0 / 6,
                0.06);
}

TEST_P(ClevrList, NoSceneOccursTwice) {
    std::set<std::string> texts;
    std::set<std::string> images;
    std::size_t count = 0;
    for (const Split split : {Split::Train, Split::Val, Split::Test}) {
        for (const ListExample& example : examples_of(GetParam(), split)) {
            for (const Scene& image : example.images) {
                texts.insert(text_of(image));
                images.insert(image.image);
                ++count;
            }
        }
    }
    EXPECT_EQ(texts.size(), count);
    EXPECT_EQ(images.size(), count);
}

TEST_P(ClevrList, IsTheSameForAnyNumberOfThreads) {
    const auto one = make_list_examples({.relation = GetParam(), .per_label = 60, .threads = 1});
    const auto two = make_list_examples({.relation = GetParam(), .per_label = 60, .threads = 2});
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].images.size(), two[i].images.size());
        EXPECT_EQ(one[i].positive, two[i].positive);
        for (std::size_t k = 0; k < one[i].images.size(); ++k) {
            EXPECT_EQ(text_of(one[i].images[k]), text_of(two[i].images[k]));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Relations, ClevrList, ::testing::ValuesIn(list_relations),
                         [](const auto& made) { return std::string(list_relation_name(made.param)); });

// Neither half of the definition of sort is enough: both kinds of negative examples occur.
TEST(ClevrListSort, NegativesAreUnsortedOrHaveOtherColors) {
    std::map<std::pair<bool, bool>, std::size_t> kinds;  // permutation, sorted
    for (const ListExample& example : examples_of(ListRelation::Sort, Split::Train)) {
        const std::string list = letters(example.images[0]);
        const std::string result = letters(example.images[1]);
        ++kinds[{std::is_permutation(list.begin(), list.end(), result.begin(), result.end()), ascending(result)}];
    }
    EXPECT_EQ((kinds[{true, true}]), 200U);
    EXPECT_GT((kinds[{true, false}]), 70U);
    EXPECT_GT((kinds[{false, true}]), 70U);
}

TEST(ClevrListRelations, RefuseOtherNumbersOfArguments) {
    EXPECT_THROW(list_relation_holds(ListRelation::Sort, {{"red"}}), std::invalid_argument);
    EXPECT_FALSE(list_relation_holds(ListRelation::Delete, {{"cyan"}, {"red", "gray"}, {"red", "gray"}}));
    EXPECT_TRUE(list_relation_holds(ListRelation::IsSorted, {{}}));
}

}  // namespace
}  // namespace neumann
