// Input files of this process, by device and inode: no output may replace one of them.
#pragma once

#include <filesystem>

namespace neumann {

// A file that a reader has opened. Noted only after protect_inputs().
void note_input(const std::filesystem::path& path) noexcept;

// Whether a file with this name has been noted, perhaps under another name: links count as their files.
bool is_input(const std::filesystem::path& path) noexcept;

}  // namespace neumann
