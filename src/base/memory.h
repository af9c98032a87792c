// How much memory the machine has and the process used, and byte sizes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace neumann {

std::uint64_t peak_rss_bytes();          // the largest resident size this process has had
std::uint64_t available_memory_bytes();  // what could be allocated now without swapping

std::string format_bytes(std::uint64_t bytes);                    // "1.5 GiB"
std::optional<std::uint64_t> parse_bytes(std::string_view text);  // "512M", "2GiB", "1000"

}  // namespace neumann
