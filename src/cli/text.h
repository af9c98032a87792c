// Texts and tables for people, of the base library.
#pragma once

#include "base/text.h"  // IWYU pragma: export
