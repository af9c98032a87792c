// How this process was started, as a line that a shell would take.
#pragma once

#include <string>

namespace neumann::app {

// "neumann explain family.nm --atom 'ancestor(ann,dan)'": the program by its plain name, words quoted where they need
// it. Empty where the system does not say.
std::string own_command_line();

}  // namespace neumann::app
