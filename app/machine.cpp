#include "machine.h"

#include <sched.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/memory.h"
#include "draw/table.h"

namespace neumann::app {
namespace {

// What stands behind "key :" in a file of /proc; empty without it.
std::string value_in(const std::filesystem::path& file, const std::string& key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(key)) continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        if (begin != std::string::npos) return line.substr(begin);
    }
    return {};
}

}  // namespace

Json describe_machine() {
    Json machine = Json::object();
    const std::string processor = value_in("/proc/cpuinfo", "model name");
    machine["processor"] = processor.empty() ? "unknown processor" : processor;
    cpu_set_t usable;
    CPU_ZERO(&usable);
    machine["cores"] = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
    std::uint64_t kibibytes = 0;
    std::istringstream(value_in("/proc/meminfo", "MemTotal")) >> kibibytes;
    machine["memory_bytes"] = kibibytes * 1024;
    std::error_code none;
    for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", none))
        machine["gpu"] = value_in(gpu.path() / "information", "Model");
    return machine;
}

std::string machine_text(const Json& machine) {
    if (machine.is_string()) return machine.get<std::string>();  // said by hand
    std::string out = fmt::format("{}, {}, {} of memory", machine.value("processor", "unknown processor"),
                                  counted(machine.value("cores", std::uint64_t{1}), "core"),
                                  format_bytes(machine.value("memory_bytes", std::uint64_t{0})));
    const std::string gpu = machine.value("gpu", "");
    return gpu.empty() ? out : out + ", " + gpu;
}

}  // namespace neumann::app
