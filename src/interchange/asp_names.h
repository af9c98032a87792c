// Names in answer set programs. Constants go there and back unchanged: a name that clingo would read as something else
// is a string there, and a string that reads as a name or a number is a name in quotes of its own here.
//
//   here          there
//   red           red
//   'New York'    "New York"
//   '"red"'       "red"
//   -3            -3
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace neumann::interchange {

bool is_asp_identifier(std::string_view name);

std::string asp_constant(std::string_view name);     // as it is written there; not for numbers
std::string name_of_asp_string(std::string_view s);  // the name that it is here, without our own quotes

// "% lists: cons/2 and nil" means that cons(H,T) is [H|T] and nil is []. The two names; empty without such a comment.
std::pair<std::string, std::string> find_list_comment(std::string_view text);
std::string list_comment(std::string_view cell, std::string_view empty);

}  // namespace neumann::interchange
