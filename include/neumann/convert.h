// Conversion of programs in other languages: answer set programs for clingo, ProbLog's text, the original's folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/model.h>

namespace neumann {

// A language of programs.
enum class Language : std::uint8_t {
    Neumann,  // the single-file language (docs/language.md)
    Problog,
    Asp,     // clingo's
    Folder,  // the files of the original code
};

// "neumann", "problog", "asp", "folder": in the order of the constants.
const std::vector<std::string>& language_names();
Language language_named(const std::string& name);  // one of them

// A folder is one; .lp and .asp are answer set programs, .pl, .problog and .pro ProbLog's; anything else is a program
// of the single-file language.
Language language_of(const std::filesystem::path& path);

// What is converted, and how.
struct ConvertOptions {
    std::optional<Language> from = {};  // language_of() by default
    Language to = Language::Neumann;    // the language of the result
    // Answer set programs have no probabilities: without this they are refused, with it possible atoms hold.
    bool drop_probabilities = false;
    ModelOptions reading = {};  // of these only those count that are about reading and about messages
};

// A converted program.
struct Conversion {
    std::string text;                                        // of a file
    std::vector<std::pair<std::string, std::string>> files;  // of a folder: names and texts
    std::string warnings;                                    // as the command prints them
    std::vector<std::string> notes;                          // parts that are left out, or expressed in another way
};

// The same program in another language, as docs/interchange.md describes. Throws Error for a program that has errors,
// and for each feature that the other language lacks, by name.
Conversion convert_program(const std::filesystem::path& path, const ConvertOptions& options = {});

// Writes the files of a folder: all of them or, if FileError is thrown, nothing. The folder must be new or empty.
void save_folder(const Conversion& conversion, const std::filesystem::path& folder);

}  // namespace neumann
