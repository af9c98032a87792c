// What `neumann perceive` tells about a picture: a table for people, a line of JSON for programs.
#pragma once

#include <string>

#include <neumann/perceive.h>

namespace neumann::app {

// Objects of a presence below `least` are left out of both.
std::string seen_table(const SeenPicture& picture, double least);
std::string seen_json(const SeenPicture& picture, double least);  // with its newline

}  // namespace neumann::app
