// Excerpts of long texts: the part of a name or a line that a message shows.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/utf8.h"

namespace neumann {

// The beginning of a text that is longer than a message can be, with three dots.
inline std::string shortened(std::string text) {
    constexpr std::size_t longest = 2000;
    if (text.size() <= longest) return text;
    std::size_t end = longest;
    while (end > 0 && continues_character(text[end])) --end;
    text.resize(end);
    return std::move(text) + "…";
}

}  // namespace neumann
