// Argument checks of the reasoners.
#pragma once

#include <fmt/format.h>

#include "reason/reason_error.h"

namespace neumann {

template <class... Args>
void require_that(bool condition, fmt::format_string<const Args&...> message, const Args&... args) {
    if (!condition) throw ReasonError(fmt::format(message, args...));
}

}  // namespace neumann
