// "did you mean …?": the known name nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neumann {

// The candidate with the smallest edit distance (insert, delete, replace, swap neighbours), if that is small for a word
// of this length; otherwise empty. Ties go to the earlier candidate.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates);

// "did you mean 'color/2'?", or `otherwise` if nothing is near. Of candidates such as color/2 only the name counts.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& candidates,
                         std::string otherwise = {});

// The same, or all candidates if nothing is near: "known are color/2, shape/2".
std::string did_you_mean_or_list(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace neumann
