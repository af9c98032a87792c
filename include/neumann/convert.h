// Conversion of programs in other languages: answer set programs for clingo, ProbLog's text, the original's folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <neumann/model.h>
#include <neumann/reasoner.h>

namespace neumann {

// A language that programs or learning tasks are read from.
struct LanguageInfo {
    std::string name;                  // "problog"
    std::string summary;               // "ProbLog's programs"
    std::vector<std::string> endings;  // of files
    std::string refuses;               // constructs that are errors
    std::string task_of;               // of a learning task: the option of `neumann learn` that reads it
    std::string default_semantics;     // of its programs; empty: default_semantics_name
    bool is_folder = false;            // of files, each with a part
    bool has_probabilities = true;     // false: writing a program with probabilities is an error
    bool is_read = true;               // as a program: false for learning tasks
    bool is_written = true;            // by convert_program()
    bool several_groundings = false;   // ModelSizes::grounding depends on the program
};

// Every language, in the order of help texts.
const std::vector<LanguageInfo>& known_languages();
// The names of those that programs are converted from and to: "neumann", "problog", "asp", "cnf", "folder".
const std::vector<std::string>& language_names();
const LanguageInfo& language_named(const std::string& name);  // one of these names

// The language of a file or folder: by its ending, or by what is in a folder; else that of this project.
const LanguageInfo& language_of(const std::filesystem::path& path);

// What is converted, and how.
struct ConvertOptions {
    std::optional<std::string> from = {};  // one of language_names(); by default that of language_of()
    std::string to = "neumann";            // the language of the result
    // For languages without probabilities: without this they are refused, with it possible atoms hold.
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

// The models of a CNF file, counted or weighed.
struct ModelCount {
    std::string kind;                // "mc", "wmc", "pmc" or "pwmc", of the Model Counting Competition
    std::uint32_t variables = 0;     // of the file
    std::size_t clauses = 0;         // of the file
    double count = 0;                // of models, or their weight; infinite if it is too large for a double
    double log10 = 0;                // its logarithm; −infinity if there is no model
    std::string digits;              // a count without weights, exactly; empty: weighed, or too long
    std::size_t nodes = 0;           // of the circuit that was evaluated
    std::vector<std::string> notes;  // what is not sure to be meant
};

// Counts the models of a file in the format of the Model Counting Competition: clauses in DIMACS CNF, weights,
// variables that are shown. The number has the relative precision of a double. Of `reading` those options count that
// are about messages, of `limits` those about memory, time and progress. Throws Error.
ModelCount count_models(const std::filesystem::path& path, const ModelOptions& reading = {},
                        const ReasonerOptions& limits = {});

// Writes the files of a folder: all of them or, if FileError is thrown, nothing. The folder must be new or empty.
void save_folder(const Conversion& conversion, const std::filesystem::path& folder);

}  // namespace neumann
