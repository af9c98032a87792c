#include <gtest/gtest.h>

#include "perceive/seen_cache.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

SeenObjects two_objects() {
    SeenObjects seen;
    seen.layout = &flat_layout();
    for (unsigned i = 0; i < 2 * flat_layout().columns; ++i) seen.rows.push_back(0.1F * static_cast<float>(i));
    return seen;
}

TEST(SeenCache, GivesBackWhatItWasGiven) {
    const TemporaryFolder folder;
    const auto picture = folder.write("a.png", "picture");
    const auto empty = folder.write("b.png", "no objects");
    SeenObjects nothing;
    nothing.layout = &solid_layout();
    {
        SeenCache cache(folder.path() / "seen", folder.path(), "f");
        EXPECT_FALSE(cache.find(picture));
        cache.add(picture, two_objects());
        cache.add(empty, nothing);
    }
    SeenCache cache(folder.path() / "seen", folder.path(), "f");
    ASSERT_TRUE(cache.find(picture));
    EXPECT_EQ(cache.find(picture)->rows, two_objects().rows);
    EXPECT_EQ(cache.find(picture)->layout, &flat_layout());
    ASSERT_TRUE(cache.find(empty));
    EXPECT_EQ(cache.find(empty)->count(), 0U);
    EXPECT_EQ(cache.find(empty)->layout, &solid_layout());
    EXPECT_FALSE(cache.find(folder.path() / "c.png"));
    EXPECT_FALSE(SeenCache(folder.path() / "seen", folder.path(), "g").find(picture));
}

TEST(SeenCache, ForgetsPicturesThatChange) {
    const TemporaryFolder folder;
    const auto picture = folder.write("a.png", "picture");
    SeenCache(folder.path(), folder.path(), "f").add(picture, two_objects());
    const auto time = std::filesystem::last_write_time(picture);
    folder.write("a.png", "another picture");
    std::filesystem::last_write_time(picture, time);
    EXPECT_FALSE(SeenCache(folder.path(), folder.path(), "f").find(picture));
    folder.write("a.png", "picture");
    std::filesystem::last_write_time(picture, time + std::chrono::seconds(1));
    EXPECT_FALSE(SeenCache(folder.path(), folder.path(), "f").find(picture));
    std::filesystem::last_write_time(picture, time);
    EXPECT_TRUE(SeenCache(folder.path(), folder.path(), "f").find(picture));
}

// Whatever byte is damaged, and wherever writing was cut off: the right numbers or none.
TEST(SeenCache, DamageIsNoticed) {
    const TemporaryFolder folder;
    const auto picture = folder.write("a.png", "picture");
    const auto file = folder.path() / "f.seen";
    SeenCache(folder.path(), folder.path(), "f").add(picture, two_objects());
    std::ifstream in(file, std::ios::binary);
    const std::string line(std::istreambuf_iterator<char>(in), {});
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        std::string damaged = line;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        folder.write("f.seen", damaged);
        EXPECT_FALSE(SeenCache(folder.path(), folder.path(), "f").find(picture)) << i;
    }
    for (std::size_t length = 0; length + 1 < line.size(); length += 7) {
        folder.write("f.seen", line.substr(0, length));
        SeenCache cache(folder.path(), folder.path(), "f");
        EXPECT_FALSE(cache.find(picture)) << length;
        cache.add(picture, two_objects());
        EXPECT_TRUE(SeenCache(folder.path(), folder.path(), "f").find(picture)) << "added after " << length;
    }
}

TEST(SeenCache, AFolderThatCannotBeIsNoError) {
    const TemporaryFolder folder;
    const auto picture = folder.write("a.png", "picture");
    SeenCache cache(picture / "seen", folder.path(), "f");
    cache.add(picture, two_objects());
    EXPECT_FALSE(cache.find(picture));
}

}  // namespace
}  // namespace neumann
