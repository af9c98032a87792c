// Checks of programs without compiling them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <neumann/error.h>
#include <neumann/model.h>

namespace neumann {

// A type of a program and where it comes from.
struct CheckedType {
    std::string name;                    // as it is written
    std::string origin;                  // "declared" or "inferred"
    bool open = false;                   // its constants are those that the program uses
    std::vector<std::string> constants;  // as they are written
    std::vector<std::string> functors;   // "s(number)", "[color|colors]"
    std::vector<std::string> places;     // inferred: the reasons, "path/2 argument 1, joined by X in line 4"
};

// A predicate of a program and where it comes from.
struct CheckedPredicate {
    std::string text;    // "edge(node, node)"
    std::string origin;  // "declared", "neural" or "inferred"
};

// The result of a check.
struct ProgramCheck {
    bool good = false;              // there are no errors
    std::vector<Problem> problems;  // errors and warnings, in the order of their places
    std::string text;               // all of them as the command prints them; ends with a line break unless empty
    // Where a file of its language may be grounded in several ways (ProbLog's programs): the way, as in
    // ModelSizes::grounding.
    std::string grounding;
    std::size_t types = 0;       // how many there are
    std::size_t predicates = 0;  // how many there are
    std::size_t facts = 0;       // how many there are
    std::size_t clauses = 0;     // how many there are
    std::string
        program;  // the program in canonical form, as text of the single-file language; empty if there are errors
    // The program's vocabulary; empty if there are errors.
    std::vector<CheckedPredicate> all_predicates;
    std::vector<CheckedType> all_types;  // in the order of their declarations
};

// Reads a program file, or a folder in the format of the original code, and checks it. Of the options only those count
// that are about reading and about messages.
ProgramCheck check_program(const std::filesystem::path& path, const ModelOptions& options = {});

// The same of a program text in UTF-8; `name` stands for its file in messages.
ProgramCheck check_text(std::string text, const ModelOptions& options = {}, std::string name = "program");

// The clauses of a program as they are grounded for queries with known arguments (docs/language.md, Queries); empty if
// there is nothing to rewrite. Throws Error for a program that has errors.
std::string demanded_clauses(const std::filesystem::path& path, const ModelOptions& options = {});

// The codes of all warnings.
std::vector<std::string> warning_codes();

}  // namespace neumann
