// Argument checks of the public functions.
#pragma once

#include <stdexcept>

#include <fmt/format.h>

namespace neumann {

template <class... Args>
void require(bool condition, fmt::format_string<const Args&...> message, const Args&... args) {
    if (!condition) throw std::invalid_argument(fmt::format(message, args...));
}

}  // namespace neumann
