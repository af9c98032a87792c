#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "base/input_files.h"
#include "base/unfinished_files.h"

namespace neumann {

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored)) {
        throw FileError(fmt::format("{}: this is a folder; name a file to write", path_.string()));
    }
    const bool replaceable =
        !std::filesystem::exists(path_, ignored) || std::filesystem::is_regular_file(path_, ignored);
    if (replaceable && is_input(path_))
        throw FileError(fmt::format("cannot write {}: it is an input of this run, and would be overwritten; name "
                                    "another file",
                                    path_.string()));
    if (replaceable) {
        // A link to a pipe resolves to a path that does not exist; of other links the target is replaced.
        if (std::filesystem::is_symlink(path_, ignored)) path_ = std::filesystem::weakly_canonical(path_, ignored);
        remove_abandoned_copies(path_);
        temporary_ = path_;
        temporary_ += fmt::format(".{}.tmp", getpid());
        // Left by a killed process with the same process id: no other process can be writing it.
        std::remove(temporary_.c_str());
    }
    if (replaceable) note_unfinished(temporary_.c_str());
    file_ = replaceable ? std::fopen(temporary_.c_str(), "wbx") : std::fopen(path_.c_str(), "wb");
    const int reason = errno;
    if (replaceable) unfinished_is_created();
    if (file_ != nullptr) return;
    if (replaceable) forget_unfinished(temporary_.c_str());
    errno = reason;
    fail("create");
}

AtomicFile::~AtomicFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    if (temporary_.empty()) return;
    std::remove(temporary_.c_str());
    forget_unfinished(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
    if (bytes != 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("write");
}

void AtomicFile::commit(bool sync) {
    // A device may not know how to sync; a regular file must.
    if (std::fflush(file_) != 0 || (sync && fsync(fileno(file_)) != 0 && !temporary_.empty())) fail("write");
    std::fclose(std::exchange(file_, nullptr));
    if (temporary_.empty()) return;
    const bool renamed = std::rename(temporary_.c_str(), path_.c_str()) == 0;
    const int reason = errno;
    if (!renamed) std::remove(temporary_.c_str());
    forget_unfinished(temporary_.c_str());
    errno = reason;
    if (!renamed) fail("rename the finished file to");
}

void AtomicFile::fail(const std::string& doing) const {
    throw FileError(fmt::format("cannot {} {}: {}", doing, path_.string(), std::strerror(errno)));
}

}  // namespace neumann
