#include "perceive/weights_folder.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/own_place.h"
#include "base/suggest.h"
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

fs::path weights_of(const std::string& name_or_file) {
    static const std::vector<std::string> bundled{"auto", "figures", "solids", "slots"};
    if (name_or_file != bundled.front() && std::ranges::find(bundled, name_or_file) != bundled.end())
        return find_weights(name_or_file);
    std::error_code ignored;
    if (fs::exists(name_or_file, ignored)) return name_or_file;
    throw PerceptionError(fmt::format("--network: there is no network and no file '{}'; {}", name_or_file,
                                      did_you_mean_or_list(name_or_file, bundled)));
}

}  // namespace neumann
