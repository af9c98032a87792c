// Output of explanations with their images, beside the formats of report/explanation_output.h.
#pragma once

#include <filesystem>
#include <vector>

#include <neumann/examples.h>
#include <neumann/explanation.h>

#include "report/explanation_output.h"  // IWYU pragma: export

namespace neumann {

// Where in the images of an example the explained value comes from, as ImageExampleOptions::keep_seen kept it: each
// image beside its heat map, as PNG, the first to `output`, that of the second to NAME_img2.png beside it, and so on.
// Returns the files. Throws Error.
std::vector<std::filesystem::path> write_heat_maps(const Example& example, const Explanation& explanation,
                                                   const std::filesystem::path& output);

// The same for a page: none for an example of which nothing was kept.
std::vector<ReportPicture> report_pictures(const Example& example, const Explanation& explanation);

}  // namespace neumann
