#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/unfinished_files.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, AppearsWhenCommitted) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "result";
    AtomicFile file(path);
    file.write("one ");
    file.write("two");
    file.write(nullptr, 0);
    EXPECT_FALSE(fs::exists(path));
    file.commit();
    EXPECT_EQ(content(path), "one two");
    EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(AtomicFile, AnOldFileStaysUntilTheNewOneIsComplete) {
    const TemporaryFolder folder;
    const fs::path path = folder.write("result", "old");
    {
        AtomicFile file(path);
        file.write("half of the n");
    }
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(files_in(folder.path()), 1U) << "the temporary file is left behind";
    AtomicFile file(path);
    file.write("new");
    file.commit();
    EXPECT_EQ(content(path), "new");
}

TEST(AtomicFile, LinksAreFollowed) {
    const TemporaryFolder folder;
    const fs::path target = folder.write("target", "old");
    fs::create_symlink(target, folder.path() / "link");
    AtomicFile file(folder.path() / "link");
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
    EXPECT_EQ(content(target), "new");
}

TEST(AtomicFile, DevicesAreWrittenToNotReplaced) {
    AtomicFile file("/dev/null");
    file.write("gone");
    file.commit();
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFile, SaysWhatCannotBeWrittenAndWhy) {
    const TemporaryFolder folder;
    const auto error_for = [](const fs::path& path) -> std::string {
        try {
            AtomicFile file(path);
        } catch (const FileError& error) {
            return error.what();
        }
        return "written";
    };
    const fs::path missing = folder.path() / "no" / "such" / "folder";
    EXPECT_EQ(error_for(missing), "cannot create " + missing.string() + ": No such file or directory");
    EXPECT_EQ(error_for(folder.path()), folder.path().string() + ": this is a folder; name a file to write");
}

TEST(UnfinishedFiles, AreRemovedWhenTheProcessIsAboutToEnd) {
    const TemporaryFolder folder;
    AtomicFile file(folder.path() / "a.txt");
    file.write("half");
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
    remove_unfinished_files();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(UnfinishedFiles, ThoseOfProcessesThatAreGoneAreRemoved) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "below");
    const std::string own = fmt::format("b.png.{}.tmp", getpid());
    for (const std::string& name : {std::string("below/a.png.2147483647.tmp"), own, std::string("c.tmp"),
                                    std::string("d.x.tmp"), std::string("e.-5.tmp")})
        folder.write(name, "half");
    remove_abandoned_files(folder.path());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "below"));
    for (const std::string& name : {own, std::string("c.tmp"), std::string("d.x.tmp"), std::string("e.-5.tmp")})
        EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
    remove_abandoned_files(folder.path() / "nowhere");
}

TEST(UnfinishedFiles, OfOneFileOnlyItsOwnCopiesAreRemoved) {
    const TemporaryFolder folder;
    const std::string others[] = {"b.txt.2147483647.tmp", fmt::format("a.txt.{}.tmp", getpid()), "a.txt", "a.txt.tmp"};
    for (const std::string& name : others) folder.write(name, "half");
    folder.write("a.txt.2147483647.tmp", "half");
    remove_abandoned_copies(folder.path() / "a.txt");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.txt.2147483647.tmp"));
    for (const std::string& name : others) EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
    remove_abandoned_copies(folder.path() / "nowhere" / "a.txt");
}

}  // namespace
}  // namespace neumann
