#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>

#include <fmt/format.h>

namespace neumann {
namespace {

constexpr std::array<const char*, 5> unit_names = {"bytes", "KiB", "MiB", "GiB", "TiB"};

// A line such as "VmHWM:   1234 kB" of one of the kernel's text files.
std::optional<std::uint64_t> read_kib(const char* path, std::string_view key) {
    std::ifstream file(path);
    for (std::string word; file >> word; file.ignore(256, '\n')) {
        std::uint64_t kib = 0;
        if (word == key && file >> kib) return kib;
    }
    return std::nullopt;
}

// The kernel kills a process that exceeds its container's limit, which is smaller than the machine's memory.
std::optional<std::uint64_t> cgroup_room() {
    std::ifstream limit_file("/sys/fs/cgroup/memory.max");
    std::ifstream used_file("/sys/fs/cgroup/memory.current");
    std::uint64_t limit = 0;
    std::uint64_t used = 0;
    if (!(limit_file >> limit) || !(used_file >> used)) return std::nullopt;
    return limit > used ? limit - used : 0;
}

}  // namespace

// Not getrusage: its maximum includes the memory of the process before exec, that is, of the parent.
std::uint64_t peak_rss_bytes() { return read_kib("/proc/self/status", "VmHWM:").value_or(0) * 1024; }

std::uint64_t private_bytes() {
    std::ifstream file("/proc/self/statm");  // in pages: size, resident, of those in files
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::uint64_t shared = 0;
    if (!(file >> size >> resident >> shared)) return 0;
    return (resident - std::min(resident, shared)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t available_memory_bytes() {
    std::uint64_t available =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (const auto kib = read_kib("/proc/meminfo", "MemAvailable:")) available = *kib * 1024;
    return std::min(available, cgroup_room().value_or(available));
}

std::string format_bytes(std::uint64_t bytes) {
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < unit_names.size()) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, unit_names[unit]);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !(value >= 0)) return std::nullopt;
    std::string unit;
    for (char c : text.substr(static_cast<std::size_t>(end - text.data()))) {
        if (c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    constexpr std::string_view letters = "kmgt";
    double scale = 1;
    if (!unit.empty() && unit != "b" && unit != "bytes") {
        const std::size_t power = letters.find(unit[0]);
        const std::string rest = unit.substr(1);
        if (power == std::string_view::npos || !(rest.empty() || rest == "b" || rest == "ib")) return std::nullopt;
        for (std::size_t i = 0; i <= power; ++i) scale *= 1024;
    }
    if (value * scale >= 9e18) return std::nullopt;
    return static_cast<std::uint64_t>(value * scale);
}

}  // namespace neumann
