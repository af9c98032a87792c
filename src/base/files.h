// Atomic files: either complete or absent.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <neumann/error.h>

namespace neumann {

// Written to a temporary name beside it, then renamed. Temporary files of killed processes are removed first. Links are
// followed; devices and pipes cannot be replaced and are written to directly.
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

std::optional<std::string> read_file(const std::filesystem::path& path);  // all of it; nothing: it cannot be read

// Throws FileError.
void write_file(const std::filesystem::path& path, const std::string& text);

// From now on the files that this process reads as inputs (programs, tables, examples, images, weights) are protected:
// an AtomicFile refuses to replace one of them, under any name. For commands, which run once; a library that is used
// for long may read a file and write it later.
void protect_inputs();

// Whether two names mean one file, which need not exist; and whether a file lies somewhere under a folder, which must.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

// Removes all unfinished files: for the handler of a signal that ends the process.
void remove_unfinished_files() noexcept;

}  // namespace neumann
