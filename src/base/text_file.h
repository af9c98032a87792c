// Text files of users: reading, with a distinct message for every kind of failure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace neumann {

struct TextLimits {
    std::uint64_t max_bytes = 256ULL << 20;     // larger program texts are refused before they are read
    std::uint64_t max_line_bytes = 1ULL << 20;  // a longer line is not something a person wrote
};

// The first byte of a text that is not UTF-8, or npos.
std::size_t first_bad_utf8(std::string_view text);

// Loads a UTF-8 text file into `sources` and returns its number there. Reports and returns nothing for a file that is
// missing, not readable, not a file, too large, binary or not UTF-8. "-" is standard input. A file that gzip made is
// decompressed. If a file that another one names cannot be read at all, the error is at the place of that name,
// `named_at`.
std::optional<std::uint32_t> load_text(const std::filesystem::path& path, SourceSet& sources, Diagnostics& diagnostics,
                                       const TextLimits& limits = {}, std::optional<Span> named_at = {});

}  // namespace neumann
