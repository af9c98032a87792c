// The vocabulary of a program as neumann check --types prints it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <neumann/check.h>

namespace neumann::app {

std::string types_text(const ProgramCheck& check);

// Adds "predicates" and "types".
void add_types(const ProgramCheck& check, nlohmann::json& report);

}  // namespace neumann::app
