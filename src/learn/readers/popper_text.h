// Conversion of a task for Popper to text for the reader of Prolog clauses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neumann::search {

// Where statements begin and end, in bytes, their full stops included.
struct StatementPlace {
    std::size_t begin = 0;
    std::size_t end = 0;
};
std::vector<StatementPlace> statement_places(std::string_view text);

// Without comments, each up to its full stop, which is left out.
std::vector<std::string> statements(std::string_view text);
std::string without_blanks(std::string_view text);

// Blanks the statement; the rest of its line stays.
void blank_out(std::string& text, const StatementPlace& place);

// Tuples of one, (list,), as Clingo writes them, become (list ).
std::string without_last_commas(std::string_view text);

// Background with blanks in the place of directives: places stay as they are.
std::string without_directives(std::string_view text);

// Background: constraints over whole numbers become comparisons and `is`, directives are left out.
std::string plain_background(std::string_view text);

// Examples: lines that begin with # are left out.
std::string plain_examples(std::string_view text);

}  // namespace neumann::search
