#include "folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace neumann::app {

FolderLock::FolderLock(const std::filesystem::path& folder) {
    const std::string file = folder.string() + ".lock";
    descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw FileError(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    const int why = errno;
    close(descriptor_);
    if (why == EWOULDBLOCK)
        throw FileError(fmt::format(
            "another run is at work in {}; wait for it, or choose another folder with --results", folder.string()));
    throw FileError(fmt::format("cannot lock {}: {}", file, std::strerror(why)));
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace neumann::app
