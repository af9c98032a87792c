// An explanation as one line of JSON.
#pragma once

#include <string>

#include "explain/explanation.h"

namespace neumann {

// Everything the explanation knows, ended by a newline; what is not known is left out. Numbers are those of a float.
std::string explanation_json(const Explanation& explanation);

}  // namespace neumann
