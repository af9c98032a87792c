#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json_fields.h"
#include "perceive/picture_examples.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

struct Data {
    TemporaryFolder folder;

    void add(const std::string& name, const std::string& text = "x") const {
        fs::create_directories((folder.path() / name).parent_path());
        folder.write(name, text);
    }
    PictureList find(const std::string& name) const {
        const std::vector<std::string> arguments{(folder.path() / name).string()};
        return find_pictures(arguments);
    }
};

TEST(PictureExamples, FoldersAreSearchedInOrder) {
    const Data data;
    for (const char* name : {"d/b.png", "d/a.JPG", "d/true/2.png", "d/true/deep/1.jpeg", "d/false/1.png",
                             "d/masks/m.png", "d/.hidden/h.png", "d/readme.txt", "d/true/scene.json"})
        data.add(name);
    const PictureList list = data.find("d");
    std::vector<std::string> names;
    std::vector<int> labels;
    for (const PictureExample& example : list.examples) {
        names.push_back(example.images.at(0).lexically_relative(data.folder.path() / "d").string());
        labels.push_back(static_cast<int>(example.label.value_or(-1)));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"a.JPG", "b.png", "false/1.png", "true/2.png", "true/deep/1.jpeg"}));
    EXPECT_EQ(labels, (std::vector<int>{-1, -1, 0, 1, 1}));
    EXPECT_EQ(list.other_files, 2U);
    EXPECT_EQ(list.folder, data.folder.path() / "d");
    EXPECT_EQ(data.find("d/true").examples.at(0).label, 1);
    EXPECT_TRUE(data.find("d/true").examples.at(0).label_is_truth);
    EXPECT_TRUE(data.find("d/b.png").folder.empty());
}

TEST(PictureExamples, FoldersOfClassesAreNoTruth) {
    const Data data;
    for (const char* name : {"d/class0/a.png", "d/class2/b.png", "d/negative/c.png"}) data.add(name);
    const PictureList list = data.find("d");
    std::string labels;
    for (const PictureExample& example : list.examples)
        labels += std::to_string(example.label.value_or(-1)) + (example.label_is_truth ? " truth " : " class ");
    EXPECT_EQ(labels, "0 class 2 class 0 truth ");
}

TEST(PictureExamples, ListsAndSplits) {
    const Data data;
    data.add("s/images/a.png");
    data.add("s/b.png");
    data.add("s/examples.jsonl",
             "{\"id\": \"e\", \"atoms\": {\"p\": 1}, \"label\": 2, \"query\": \"q(a)\", \"answer\": "
             "\"red\", \"images\": [\"a.png\", \"b.png\"]}\n{\"images\": [\"gone.png\"]}\n");
    for (const char* name : {"s", "s/examples.jsonl"}) {
        const PictureList list = data.find(name);
        ASSERT_EQ(list.examples.size(), 2U);
        const PictureExample& first = list.examples[0];
        EXPECT_EQ(first.images,
                  (std::vector<fs::path>{data.folder.path() / "s/images/a.png", data.folder.path() / "s/b.png"}));
        EXPECT_EQ(first.id, "e");
        EXPECT_EQ(first.label, 2);
        EXPECT_EQ(first.query, "q(a)");
        EXPECT_EQ(first.answer, "red");
        EXPECT_FALSE(list.examples[1].label);
        EXPECT_EQ(list.folder, data.folder.path() / "s");
    }
    EXPECT_FALSE(is_picture_list(data.folder.path() / "s/examples.jsonl"));
    data.add("targets.jsonl", "{\"images\": [\"s/b.png\"], \"targets\": {\"p(a)\": 1, \"p(b)\": 0.25}}\n");
    EXPECT_EQ(data.find("targets.jsonl").examples.at(0).targets,
              (std::vector<std::pair<std::string, double>>{{"p(a)", 1}, {"p(b)", 0.25}}));
    data.add("wrong.jsonl", "{\"images\": [\"s/b.png\"], \"targets\": {\"p(a)\": 2}}\n");
    EXPECT_THROW(data.find("wrong.jsonl"), SceneError);
    data.add("list.jsonl", "\n{\"images\": [\"s/b.png\"]}\n");
    EXPECT_TRUE(is_picture_list(data.folder.path() / "list.jsonl"));
    EXPECT_FALSE(is_picture_list(data.folder.path() / "none.jsonl"));
}

TEST(PictureExamples, WhatIsRefused) {
    const Data data;
    EXPECT_THROW(data.find("nothing.png"), FileError);
    data.add("a.jsonl", "{\"images\": []}\n");
    EXPECT_THROW(data.find("a.jsonl"), SceneError);
    data.add("b.jsonl", "{\"images\": [\"x.png\"], \"label\": \"red\"}\n");
    EXPECT_THROW(data.find("b.jsonl"), SceneError);
    data.add("c.jsonl", "nonsense\n");
    EXPECT_THROW(data.find("c.jsonl"), SceneError);
    fs::create_directories(data.folder.path() / "empty");
    EXPECT_TRUE(data.find("empty").examples.empty());
}

// A link to a folder above would never end.
TEST(PictureExamples, LinksToFoldersAreNotFollowed) {
    const Data data;
    data.add("d/a.png");
    fs::create_directory_symlink(data.folder.path() / "d", data.folder.path() / "d/again");
    EXPECT_EQ(data.find("d").examples.size(), 1U);
}

}  // namespace
}  // namespace neumann
