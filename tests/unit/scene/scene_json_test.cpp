#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.h"
#include "datasets/clevr_hans.h"
#include "scene/scene_json.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

constexpr const char* sphere =
    R"({"3d_coords": [1, -2.5, 0.7], "shape": "sphere", "size": "large", "material": "rubber", "color": "red"})";

std::vector<SceneRecord> some_scenes(bool with_camera) {
    std::vector<SceneRecord> records;
    for (HansScene& made : make_hans_scenes({.per_class = 20})) {
        SceneRecord record{std::move(made.scene), "train", records.size(), {}};
        if (with_camera) {
            const Camera camera = camera_of(record.scene);
            set_pixels(record.scene, camera, 480, 320);
            const Directions d = camera.directions();
            record.camera = camera_fields(record.scene, {{"left", d.left},
                                                         {"right", d.right},
                                                         {"front", d.front},
                                                         {"behind", d.behind},
                                                         {"above", {0, 0, 1}},
                                                         {"below", {0, 0, -1}}});
        }
        records.push_back(std::move(record));
    }
    return records;
}

void expect_same(const std::vector<SceneRecord>& a, const std::vector<SceneRecord>& b, bool relationships) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].split, b[i].split);
        EXPECT_EQ(a[i].index, b[i].index);
        EXPECT_EQ(a[i].scene.image, b[i].scene.image);
        EXPECT_EQ(a[i].scene.seed, b[i].scene.seed);
        EXPECT_EQ(a[i].camera.directions, b[i].camera.directions);
        if (relationships) {
            EXPECT_EQ(a[i].camera.relationships, b[i].camera.relationships);
        }
        ASSERT_EQ(a[i].scene.objects.size(), b[i].scene.objects.size());
        for (std::size_t k = 0; k < a[i].scene.objects.size(); ++k) {
            const SceneObject& one = a[i].scene.objects[k];
            const SceneObject& other = b[i].scene.objects[k];
            EXPECT_EQ(one.shape, other.shape);
            EXPECT_EQ(one.size, other.size);
            EXPECT_EQ(one.material, other.material);
            EXPECT_EQ(one.color, other.color);
            EXPECT_EQ(one.position, other.position);  // shortest decimal form reads back as the same double
            EXPECT_EQ(one.rotation, other.rotation);
            EXPECT_EQ(one.extent, other.extent);
            EXPECT_EQ(one.pixel, other.pixel);
        }
    }
}

std::string refused(const std::string& text) {
    const TemporaryFolder folder;
    const auto path = folder.write("s.json", text);
    try {
        read_scenes(path);
    } catch (const SceneError& error) {
        const std::string message = error.what();
        const std::string name = path.string();
        return message.starts_with(name) ? "s.json" + message.substr(name.size()) : message;
    }
    return "accepted";
}

std::string with_object(const std::string& object) { return R"({"objects": [)" + object + "]}"; }

std::string replaced(std::string text, const std::string& old, const std::string& by) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, old.size(), by);
}

TEST(SceneJson, RoundTripsInBothForms) {
    const TemporaryFolder folder;
    for (const bool camera : {false, true}) {
        const std::vector<SceneRecord> scenes = some_scenes(camera);
        expect_same(scenes, read_scenes(folder.write("a.json", scenes_json(scenes, "train"))), true);
        expect_same(scenes, read_scenes(folder.write("a.jsonl", scenes_json_lines(scenes))), false);
    }
}

TEST(SceneJson, HasThePublishedFieldNames) {
    const std::string text = scenes_json(some_scenes(true), "train");
    for (const char* key :
         {"info", "scenes", "split", "image_index", "image_filename", "objects", "3d_coords", "pixel_coords",
          "rotation", "shape", "size", "material", "color", "directions", "relationships"}) {
        EXPECT_NE(text.find('"' + std::string(key) + "\": "), std::string::npos) << key;
    }
    EXPECT_EQ(scenes_json(some_scenes(false), "train").find("pixel_coords"), std::string::npos);
}

// As a scene of the published data set looks, with keys that mean nothing here.
TEST(SceneJson, ReadsAPublishedScene) {
    const TemporaryFolder folder;
    const std::string scene = R"({
      "split": "val", "image_index": 7, "image_filename": "CLEVR_val_000007.png", "note": [1, {"a": null}],
      "objects": [
        {"color": "brown", "size": "large", "rotation": 178.92387258999463, "shape": "cylinder", "3d_coords":
         [-1.4937210083007812, -1.9936031103134155, 0.699999988079071], "material": "rubber",
         "pixel_coords": [119, 131, 10.801968574523926], "mask": "abc"},
        {"color": "gray", "size": "large", "rotation": 243.4050, "shape": "cube",
         "3d_coords": [1.5554, -2.2, 0.4949], "material": "rubber", "pixel_coords": [198, 190, 8.6]}],
      "directions": {"right": [0.6563567519187927, 0.7544506192207336, -0.0]},
      "relationships": {"right": [[1], []]}})";
    for (const std::string& text : {scene, R"({"info": {"license": "CC"}, "scenes": [)" + scene + "]}"}) {
        const std::vector<SceneRecord> read = read_scenes(folder.write("v.json", text));
        ASSERT_EQ(read.size(), 1U);
        const Scene& s = read[0].scene;
        EXPECT_EQ(read[0].index, 7U);
        EXPECT_EQ(s.image, "CLEVR_val_000007.png");
        ASSERT_EQ(s.objects.size(), 2U);
        EXPECT_EQ(s.objects[0].color, "brown");
        EXPECT_EQ(s.objects[0].position[1], -1.9936031103134155);
        EXPECT_EQ(s.objects[0].extent, 0.7);
        EXPECT_EQ(s.objects[1].extent, 0.7);
        EXPECT_EQ(s.objects[1].pixel[0], 198);
        EXPECT_EQ(read[0].camera.relationships.at("right")[0], std::vector<std::uint32_t>{1});
        // Its own relationships follow from its directions.
        EXPECT_EQ(camera_fields(s, read[0].camera.directions).relationships, read[0].camera.relationships);
    }
}

TEST(SceneJson, RefusesWhatItCannotUse) {
    EXPECT_EQ(refused(with_object(sphere)), "accepted");
    EXPECT_EQ(refused(R"({"objects": []})"), "accepted");
    EXPECT_EQ(refused("  \n"), "s.json: the file is empty");
    EXPECT_EQ(refused("[]"), "s.json: an object was expected");
    EXPECT_EQ(refused("{}"), "s.json: there is no 'objects'");
    EXPECT_EQ(refused(R"({"scenes": 1})"), "s.json: scenes: a list was expected");
    EXPECT_EQ(refused(R"({"scenes": [{"objects": [7]}]})"), "s.json: scenes[0].objects[0]: an object was expected");
    EXPECT_EQ(refused(with_object(replaced(sphere, "\"red\"", "\"rde\""))),
              "s.json: objects[0].color: unknown word 'rde'; did you mean 'red'?");
    EXPECT_EQ(refused(with_object(replaced(sphere, "sphere", "hexagon"))),
              "s.json: objects[0].shape: unknown word 'hexagon'; known are sphere, cube, cylinder");
    EXPECT_EQ(refused(with_object(replaced(sphere, "\"large\"", "3"))), "s.json: objects[0].size: a text was expected");
    EXPECT_EQ(refused(with_object(replaced(sphere, "material", "mat"))), "s.json: objects[0]: there is no 'material'");
    EXPECT_EQ(refused(with_object(replaced(sphere, "[1, ", "[\"1\", "))),
              "s.json: objects[0].3d_coords[0]: a number was expected");
    EXPECT_EQ(refused(with_object(replaced(sphere, "[1, ", "["))),
              "s.json: objects[0].3d_coords: 2 numbers; 3 are expected");
    EXPECT_EQ(refused(R"({"objects": [], "image_index": -1})"),
              "s.json: image_index: a whole number from 0 was expected");
    EXPECT_EQ(refused(R"({"objects": [], "relationships": {"left": [[]]}})"),
              "s.json: relationships.left: 1 lists for 0 objects");
    EXPECT_EQ(refused(R"({"objects": [)" + std::string(sphere) + R"(], "relationships": {"left": [[1]]}})"),
              "s.json: relationships.left[0]: object 1 of 1");
    EXPECT_TRUE(refused(with_object(replaced(sphere, "[1, ", "[1e999, "))).starts_with("s.json:1: not JSON: "));
    EXPECT_TRUE(refused(with_object(replaced(sphere, "[1, ", "[NaN, "))).starts_with("s.json:1: not JSON: "));
    EXPECT_TRUE(refused("{\n\"objects\": [\n}").starts_with("s.json:3: not JSON: "));
}

TEST(SceneJson, NamesTheLineOfJsonLines) {
    const std::string good = R"({"objects": [["cube", "small", "metal", "cyan", 0, 1, 0.35, 90]]})";
    EXPECT_EQ(refused(good + "\n\n" + good), "accepted");
    EXPECT_EQ(refused(good + "\n\n" + replaced(good, "cyan", "cyam") + "\n"),
              "s.json:3: objects[0][3]: unknown word 'cyam'; did you mean 'cyan'?");
    EXPECT_EQ(refused(good + "\n" + replaced(good, ", 90", "") + "\n"),
              "s.json:2: objects[0]: 7 entries; shape, size, material, color, x, y, z, rotation are expected");
    EXPECT_TRUE(refused(good + "\n" + good.substr(0, 30)).starts_with("s.json:2: not JSON: "));
    EXPECT_EQ(refused(good.substr(0, good.size() - 1) + R"(, "pixels": []})"),
              "s.json: pixels: 0 places for 1 objects");
}

TEST(SceneJson, EveryShortenedFileIsRefused) {
    const TemporaryFolder folder;
    std::vector<SceneRecord> scenes = some_scenes(true);
    scenes.resize(1);
    const std::string text = scenes_json(scenes, "train");
    for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
        EXPECT_NE(refused(text.substr(0, length)), "accepted") << length;
    }
}

TEST(SceneJson, AMissingFileIsAFileError) {
    const TemporaryFolder folder;
    EXPECT_THROW(read_scenes(folder.path() / "none.json"), FileError);
    EXPECT_THROW(read_scenes(folder.path()), FileError);
}

}  // namespace
}  // namespace neumann
