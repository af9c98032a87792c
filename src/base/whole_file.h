// Files that are read or written at one go.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace neumann {

std::optional<std::string> read_file(const std::filesystem::path& path);  // nothing: it cannot be read

// Complete or not there. Throws FileError.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace neumann
