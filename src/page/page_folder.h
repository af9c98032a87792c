// Files of the page, by their paths in requests. No other file can be requested.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace neumann {

class PageFolder {
public:
    // Throws FileError if the folder does not hold the page.
    explicit PageFolder(const std::filesystem::path& folder);

    struct File {
        std::filesystem::path path;
        std::string_view type;  // for browsers
    };
    // Null: there is none.
    const File* find(const std::string& path) const;

private:
    std::map<std::string, File> files_;
};

// Beside the command, or where it was installed; empty: neither.
std::filesystem::path find_page_folder();

}  // namespace neumann
