// "did you mean …?": the known name nearest to a mistyped one; base/text.h puts it into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"  // IWYU pragma: export

namespace neumann {

// The candidate with the smallest edit distance (insert, delete, replace, swap neighbours), if that is small for a word
// of this length; otherwise empty. Ties go to the earlier candidate.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace neumann
