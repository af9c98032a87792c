// What learning probabilities leaves behind.
#pragma once

#include <string>

#include <neumann/learn_parameters.h>

#include "print/learn_output.h"

namespace neumann::app {

// As of clauses: a table for people, and the program with a word on where it comes from.
std::string result_text(const ParameterResult& result, const LearnOrigin& origin);
std::string program_text(const ParameterResult& result, const LearnOrigin& origin);

}  // namespace neumann::app
