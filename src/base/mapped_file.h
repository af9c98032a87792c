// A file as read-only memory. Pages are read when touched, so opening a large file costs nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace neumann {

class MappedFile {
public:
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);  // throws FileError
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
    MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

    const std::byte* data_;
    std::size_t size_;
};

}  // namespace neumann
