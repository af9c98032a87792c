#include "graph/section_file.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files.h"

namespace neumann {
namespace {

constexpr char magic[8] = {'N', 'E', 'U', 'M', 'A', 'N', 'N', 'G'};
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::uint64_t alignment = 64;
constexpr std::uint32_t most_sections = 1024;

struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t byte_order;
    std::uint64_t file_size;
    std::uint64_t checksum;  // of everything behind the header
    std::uint32_t section_count;
    std::uint32_t reserved[7];
};
static_assert(sizeof(Header) == 64);

struct Entry {
    char name[32];  // zero-terminated
    std::uint32_t element_size;
    std::uint32_t reserved;
    std::uint64_t offset;
    std::uint64_t count;
    std::uint64_t unused;
};
static_assert(sizeof(Entry) == 64);

constexpr std::uint64_t align(std::uint64_t offset) { return (offset + alignment - 1) / alignment * alignment; }

}  // namespace

void throw_damaged(const char* found) { throw DamagedFile(fmt::format("{} in the saved graph", found)); }

void SectionWriter::add_bytes(std::string_view name, std::uint32_t element_size, std::span<const std::byte> bytes) {
    if (name.size() >= sizeof(Entry::name)) throw std::invalid_argument("section name too long: " + std::string(name));
    sections_.push_back({std::string(name), element_size, bytes});
}

void SectionWriter::write(const std::filesystem::path& path) const {
    std::vector<Entry> table(sections_.size());
    std::uint64_t offset = sizeof(Header) + table.size() * sizeof(Entry);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const Section& section = sections_[i];
        std::copy(section.name.begin(), section.name.end(), table[i].name);
        table[i].element_size = section.element_size;
        table[i].offset = offset = align(offset);
        table[i].count = section.bytes.size() / section.element_size;
        offset += section.bytes.size();
    }
    Header header{};
    std::copy(std::begin(magic), std::end(magic), header.magic);
    header.version = graph_file_version;
    header.byte_order = byte_order_mark;
    header.file_size = offset;
    header.section_count = static_cast<std::uint32_t>(sections_.size());

    // Twice over the same pieces: once for the checksum, once to the file.
    static constexpr std::byte padding[alignment] = {};
    const auto for_each_piece = [&](auto&& piece) {
        piece(reinterpret_cast<const std::byte*>(table.data()), table.size() * sizeof(Entry));
        std::uint64_t at = sizeof(Header) + table.size() * sizeof(Entry);
        for (std::size_t i = 0; i < sections_.size(); ++i) {
            piece(padding, table[i].offset - at);
            piece(sections_[i].bytes.data(), sections_[i].bytes.size());
            at = table[i].offset + sections_[i].bytes.size();
        }
    };
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for_each_piece([&](const std::byte* data, std::uint64_t size) {
        if (size != 0) XXH3_64bits_update(&state, data, size);
    });
    header.checksum = XXH3_64bits_digest(&state);

    AtomicFile file(path);
    file.write(&header, sizeof header);
    for_each_piece([&](const std::byte* data, std::uint64_t size) { file.write(data, size); });
    file.commit();
}

bool looks_like_section_file(std::span<const std::byte> file) {
    return file.size() >= sizeof magic && std::memcmp(file.data(), magic, sizeof magic) == 0;
}

SectionReader::SectionReader(std::span<const std::byte> file, std::shared_ptr<const void> owner)
    : file_(file), owner_(std::move(owner)) {
    if (!looks_like_section_file(file)) throw DamagedFile("not a saved graph");
    if (file.size() < sizeof(Header)) throw DamagedFile("cut off within its header");
    Header header;
    std::memcpy(&header, file.data(), sizeof header);
    if (header.byte_order != byte_order_mark) throw DamagedFile("written on a machine with another byte order");
    if (header.version != graph_file_version) {
        throw DamagedFile(fmt::format("format version {}, but this program reads version {}; save the graph again: "
                                      "neumann graph PROGRAM -o FILE.nmg",
                                      header.version, graph_file_version));
    }
    if (header.file_size != file.size()) {
        throw DamagedFile(fmt::format("{} bytes long, but its header says {}; it was cut off or appended to",
                                      file.size(), header.file_size));
    }
    if (header.section_count > most_sections || sizeof(Header) + header.section_count * sizeof(Entry) > file.size()) {
        throw DamagedFile("the table of sections does not fit into the file");
    }
    if (XXH3_64bits(file.data() + sizeof(Header), file.size() - sizeof(Header)) != header.checksum) {
        throw DamagedFile("the checksum does not match: the content was changed");
    }
    for (std::uint32_t word : header.reserved) {
        if (word != 0) throw DamagedFile("its header holds something that this version does not know");
    }
    section_count_ = header.section_count;
}

// The entry of a section in the table of a file.
static std::optional<Entry> find_entry(std::span<const std::byte> file, std::uint32_t sections, std::string_view name) {
    for (std::uint32_t i = 0; i < sections; ++i) {
        Entry entry;
        std::memcpy(&entry, file.data() + sizeof(Header) + i * sizeof(Entry), sizeof entry);
        const char* end = std::find(std::begin(entry.name), std::end(entry.name), '\0');
        if (std::string_view(entry.name, static_cast<std::size_t>(end - entry.name)) == name) return entry;
    }
    return std::nullopt;
}

bool SectionReader::has(std::string_view name) const { return find_entry(file_, section_count_, name).has_value(); }

std::span<const std::byte> SectionReader::section(std::string_view name, std::uint32_t element_size) const {
    const std::optional<Entry> entry = find_entry(file_, section_count_, name);
    if (!entry) throw DamagedFile(fmt::format("section '{}' is missing", name));
    const bool fits = entry->element_size == element_size && entry->offset % alignment == 0 &&
                      entry->offset <= file_.size() && entry->count <= (file_.size() - entry->offset) / element_size;
    if (!fits) throw DamagedFile(fmt::format("section '{}' does not fit into the file", name));
    return file_.subspan(entry->offset, entry->count * element_size);
}

}  // namespace neumann
