// One generator per pattern of flat figures: a figure that follows the rule, or a near miss with one condition broken.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "datasets/kandinsky_rules.h"
#include "scene/scene.h"

namespace neumann {

// A figure that follows the rule (`positive`) or one that breaks the condition number `turn`, counted modulo the
// pattern's number of conditions.
using FigureGenerator = Scene (*)(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);

Scene two_pairs_figure(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);
Scene close_by_figure(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);
Scene red_triangle_figure(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);
Scene online_pair_figure(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);
Scene long_line_figure(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);
Scene pattern_free_figure(bool positive, std::uint32_t turn, const FigureLimits& limits, Rng& rng);

}  // namespace neumann
