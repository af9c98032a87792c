#include "perceive/weights_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "perceive/own_place.h"
#include "perceive/perceiver.h"

namespace neumann {

namespace fs = std::filesystem;

std::vector<fs::path> weights_folders() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("NEUMANN_WEIGHTS"); given != nullptr && *given != '\0')
        folders.emplace_back(given);
    folders.push_back(folder_of_command().parent_path() / "share" / "neumann" / "weights");
    folders.emplace_back(NEUMANN_SOURCE_WEIGHTS);
    return folders;
}

fs::path find_weights(std::string_view name) {
    const std::string file = fmt::format("{}.safetensors", name);
    std::string looked;
    for (const fs::path& folder : weights_folders()) {
        std::error_code ignored;
        if (fs::is_regular_file(folder / file, ignored)) return folder / file;
        looked += fmt::format("\n  looked for {}", (folder / file).string());
    }
    throw PerceptionError(
        fmt::format("there are no weights for '{}'; NEUMANN_WEIGHTS may name their folder{}", name, looked));
}

}  // namespace neumann
