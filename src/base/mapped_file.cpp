#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/files.h"
#include "base/input_files.h"

namespace neumann {

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const auto fail = [&](const char* doing) {
        return FileError(fmt::format("cannot {} {}: {}", doing, path.string(), std::strerror(errno)));
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw fail("open");
    struct stat status {};
    if (fstat(file, &status) != 0) {
        const FileError error = fail("read");
        close(file);
        throw error;
    }
    if (!S_ISREG(status.st_mode)) {
        close(file);
        throw FileError(fmt::format("{}: not a regular file", path.string()));
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = size == 0 ? nullptr : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const FileError error = fail("map");  // errno before close changes it
    close(file);
    if (data == MAP_FAILED) throw error;
    note_input(path);
    return std::shared_ptr<const MappedFile>(new MappedFile(static_cast<const std::byte*>(data), size));
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace neumann
