// Temporary files that must not outlive their process: those being written, and those left by killed processes.
#pragma once

#include <filesystem>

namespace neumann {

// Of a file that is being written: before it is created, when that is done or has failed, and at its end. The text must
// stay where it is until it is forgotten. While the process is ending, note_unfinished does not return.
void note_unfinished(const char* path) noexcept;
void unfinished_is_created() noexcept;
void forget_unfinished(const char* path) noexcept;

// Removes NAME.PROCESS.tmp in a folder and below it where no such process is alive.
void remove_abandoned_files(const std::filesystem::path& folder);
// The same for FILE.PROCESS.tmp beside one file.
void remove_abandoned_copies(const std::filesystem::path& file);

}  // namespace neumann
