// Writing a file so that it is either complete or not there: to a temporary name beside it, then renamed. Links are
// followed; devices and pipes cannot be replaced and are written to directly.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace neumann {

class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);  // throws FileError
    ~AtomicFile();                                    // removes the temporary file unless committed
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(const void* data, std::size_t bytes);  // throws FileError
    void write(std::string_view text) { write(text.data(), text.size()); }
    // Flush, close, rename; throws FileError. Without `sync` the file survives the end of the process, but perhaps not
    // a loss of power: for thousands of small files that can be made again.
    void commit(bool sync = true);

private:
    [[noreturn]] void fail(const std::string& doing) const;

    std::filesystem::path path_;
    std::filesystem::path temporary_;
    std::FILE* file_ = nullptr;
};

}  // namespace neumann
