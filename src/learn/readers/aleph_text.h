// Directives of a task for Aleph: modes, determinations, settings and sections, found in a text that otherwise
// holds clauses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neumann::search {

// ':- name(arguments).', with its place in bytes. Arguments are texts, without blanks around them.
struct AlephDirective {
    std::string name;
    std::vector<std::string> arguments;
    std::size_t begin = 0;
    std::size_t end = 0;
};

// In the order of the text. One statement may hold several, with commas between them.
std::vector<AlephDirective> aleph_directives(std::string_view text);

// The text with blanks in the place of directives, except those that declare predicates, and of everything outside the
// section from ':- begin_NAME.' to ':- end_NAME.'; positions stay unchanged. An empty name: all of it.
std::string aleph_section(std::string_view text, std::string_view name);
bool has_aleph_section(std::string_view text, std::string_view name);

// The arguments of name(a, f(b,c), …) at their commas; `name` gets the functor.
std::vector<std::string> arguments_of(std::string_view term, std::string& name);

// A name without the blanks around it and without its quotes.
std::string unquoted(std::string_view name);

}  // namespace neumann::search
