// One run at a time in a folder of results.
#pragma once

#include <filesystem>

namespace neumann::app {

// Held until it goes out of scope or the process dies, in whatever way. The lock is a file beside the folder,
// FOLDER.lock, which stays.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& folder);  // throws FileError if another process has it
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

}  // namespace neumann::app
