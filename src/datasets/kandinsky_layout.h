// Placement of the objects of flat figures: scattered, with a close pair, on a line; and the same places spoiled, such
// that the marginal distributions along x and along y do not change.
#pragma once

#include <vector>

#include "base/rng.h"
#include "datasets/kandinsky_rules.h"

namespace neumann {

struct SideRange {
    double least = 0;
    double most = 0;
    int skew = 1;  // the smallest of so many draws: 1 is even, 2 prefers small objects
};

// Two layouts of the same objects. `broken` is `whole` with the y of some objects exchanged: both have exactly the same
// sides, the same x and the same y, and hence the same means, spreads, extremes and mean squared distance. Whole
// layouts for which there is no broken one near the limit are not used either, so that the label, which picks one of
// the two, is independent of all of these.
struct LayoutPair {
    std::vector<FigurePlace> whole;
    std::vector<FigurePlace> broken;
};

// All throw std::runtime_error if the limits leave no room.
std::vector<FigurePlace> scattered_layout(unsigned objects, const SideRange& sides, const FigureLimits& limits,
                                          Rng& rng);
// Whole: the first two are close, all others are apart from these and from each other. Broken: all are apart.
LayoutPair close_pair_layout(unsigned objects, const SideRange& sides, const FigureLimits& limits, Rng& rng);
// Whole: all on a line. Broken: two are off it. A line nearly along x or y is never drawn: its objects hardly differ in
// one coordinate, and a figure with so little spread is on a line in any order.
LayoutPair line_layout(unsigned objects, const SideRange& sides, const FigureLimits& limits, Rng& rng);

}  // namespace neumann
