// Command line of this process, quoted for a shell.
#pragma once

#include <string>

namespace neumann::app {

// "neumann explain family.nm --atom 'ancestor(ann,dan)'": the program by its plain name, words quoted where they need
// it. Empty if the system does not provide it.
std::string own_command_line();

}  // namespace neumann::app
