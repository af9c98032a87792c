// Loading of programs: the single-file language and the original's folders, both into the same Program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/text_file.h"
#include "logic/program.h"

namespace neumann {

struct LoadOptions {
    std::string clauses_file = "clauses.txt";  // folders: which file holds the clauses
    std::filesystem::path modes_file;          // folders: directives to add; empty: none
    std::optional<std::uint32_t> term_depth;   // replaces max_depth and max_length of every type with functors
    std::uint32_t folder_term_depth = 3;       // folders: the depth unless term_depth is given
    std::optional<bool> allow_repeats;         // whether lists may hold an element twice; folders: no unless given
    std::optional<std::string> distinct;       // none | all | comma-separated predicates; replaces the program's own
    std::vector<std::string> facts;            // tables to read besides, each as in :- facts(…): edge/2, 'edges.csv'
    std::vector<std::string> questions;        // goals that will be asked: their variables tie types together
    TextLimits limits;
};

// Reads a file or a folder and reports its errors; the returned program holds the parts that could be read, and
// is meaningless if diagnostics has errors. Its sources are set in any case, so that diagnostics can be rendered.
Program load_program(const std::filesystem::path& path, const LoadOptions& options, Diagnostics& diagnostics);

// The same for a text that is already in memory.
Program parse_program(std::string name, std::string text, const LoadOptions& options, Diagnostics& diagnostics);

// Adds clauses and facts, given as text, to a program whose vocabulary they use.
void add_clauses(Program& program, std::string name, std::string text, Diagnostics& diagnostics);

// A question as given on a command line: an atom, or several goals, which become a clause of the program.
std::optional<Query> parse_question(Program& program, std::string name, std::string_view text,
                                    Diagnostics& diagnostics);

// A query of one atom, or a question that the program has; its text becomes a source of the program.
std::optional<Query> parse_query(Program& program, std::string name, std::string_view text, Diagnostics& diagnostics);

}  // namespace neumann
