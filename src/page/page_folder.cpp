#include "page/page_folder.h"

#include <array>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "base/own_place.h"

namespace neumann {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> types = {{
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".wasm", "application/wasm"},
}};

}  // namespace

PageFolder::PageFolder(const fs::path& folder) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (!at->is_regular_file()) continue;
        for (const auto& [ending, type] : types)
            if (at->path().extension() == ending)
                files_["/" + fs::relative(at->path(), folder).generic_string()] = {fs::absolute(at->path()), type};
    }
    if (!files_.contains("/index.html"))
        throw FileError(fmt::format("{} does not hold the page: there is no index.html; 'make page' builds it",
                                    folder.empty() ? "this installation" : folder.string()));
    files_["/"] = files_["/index.html"];
}

const PageFolder::File* PageFolder::find(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : &found->second;
}

fs::path find_page_folder() {
    const fs::path here = folder_of_command();
    std::error_code ignored;
    for (const fs::path& one : {here / "page", here.parent_path() / "share" / "neumann" / "page"})
        if (fs::exists(one / "index.html", ignored)) return one;
    return {};
}

}  // namespace neumann
