// Input files of this process: no output may replace one of them, and folders may be the only ones to read from.
#pragma once

#include <filesystem>
#include <vector>

namespace neumann {

// A file that a reader has opened. Noted only after protect_inputs().
void note_input(const std::filesystem::path& path) noexcept;

// Whether a file with this name has been noted, perhaps under another name: links count as their files.
bool is_input(const std::filesystem::path& path) noexcept;

// From now on programs, tables and other texts are read from files below these folders alone. For processes that run
// programs of strangers.
void restrict_inputs(std::vector<std::filesystem::path> folders);

// Whether a text may be read from this file; links count as the files that they lead to.
bool may_read(const std::filesystem::path& path);

}  // namespace neumann
