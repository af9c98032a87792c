// What kind of machine this is, for pages that tell measured times. Never whose or which.
#pragma once

#include <string>

#include "checked_json.h"

namespace neumann::app {

Json describe_machine();  // processor, cores, memory_bytes, and gpu where there is one
std::string machine_text(const Json& machine);

}  // namespace neumann::app
