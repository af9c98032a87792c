// What `neumann perceive` tells about a picture: a table for people, a line of JSON for programs.
#pragma once

#include <string>

#include "perceive/looked_examples.h"

namespace neumann::app {

// Objects of a presence below `least` are left out of both.
std::string seen_table(const std::string& picture, const LookedAt& looked, double least);
std::string seen_json(const std::string& picture, const LookedAt& looked, double least);  // with its newline

}  // namespace neumann::app
