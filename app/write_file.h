// Whole files of text, complete or not there.
#pragma once

#include <filesystem>
#include <string>

namespace neumann::app {

void write_file(const std::filesystem::path& path, const std::string& text);  // throws FileError

}  // namespace neumann::app
