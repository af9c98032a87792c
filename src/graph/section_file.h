// A versioned, checksummed file of named arrays that can be used where it lies (memory-mapped).
//
//   header     magic, format version, byte order, file size, checksum of all that follows it, number of sections
//   table      per section: name, size of an element, offset, number of elements
//   sections   each aligned to 64 bytes
//
// A reader trusts nothing: sizes, offsets, alignment and the checksum are checked before any array is handed out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/shared_array.h"

namespace neumann {

inline constexpr std::uint32_t graph_file_version = 2;

// The file is damaged, of another kind, or of another version; the text gives the reason.
class DamagedFile : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Throws DamagedFile with the description `found`.
[[noreturn]] void throw_damaged(const char* found);
// Called for every number of a file: the good case must cost nothing.
inline void require_sound(bool condition, const char* found) {
    if (!condition) [[unlikely]]
        throw_damaged(found);
}

class SectionWriter {
public:
    // Borrows the values until write().
    template <class T>
    void add(std::string_view name, std::span<const T> values) {
        add_bytes(name, sizeof(T), {reinterpret_cast<const std::byte*>(values.data()), values.size_bytes()});
    }
    void write(const std::filesystem::path& path) const;  // atomically; throws FileError

private:
    struct Section {
        std::string name;
        std::uint32_t element_size;
        std::span<const std::byte> bytes;
    };
    void add_bytes(std::string_view name, std::uint32_t element_size, std::span<const std::byte> bytes);
    std::vector<Section> sections_;
};

class SectionReader {
public:
    // Keeps `owner` alive through every array it hands out. Throws DamagedFile.
    SectionReader(std::span<const std::byte> file, std::shared_ptr<const void> owner);

    bool has(std::string_view name) const;
    // Throws DamagedFile if there is no such section or its elements have another size.
    template <class T>
    SharedArray<T> array(std::string_view name) const {
        const std::span<const std::byte> bytes = section(name, sizeof(T));
        return {{reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)}, owner_};
    }

private:
    std::span<const std::byte> section(std::string_view name, std::uint32_t element_size) const;

    std::span<const std::byte> file_;
    std::shared_ptr<const void> owner_;
    std::uint32_t section_count_ = 0;
};

bool looks_like_section_file(std::span<const std::byte> file);

}  // namespace neumann
