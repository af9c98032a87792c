// Atomic files, of the base library.
#pragma once

#include "base/files.h"  // IWYU pragma: export
