// Detection scores: detected objects against the true scene.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "valuation/object_vectors.h"

namespace neumann {

struct SceneScore {
    std::size_t objects = 0;       // that are there
    std::size_t found = 0;         // with a seen one near enough
    std::size_t right = 0;         // found, and right in every attribute
    std::size_t seen_in_vain = 0;  // seen where nothing is
    double distance = 0;           // summed over found ones, between centres
    bool perfect() const { return right == objects && seen_in_vain == 0; }
};

inline constexpr double near_enough = 0.03;  // between centres, in shares of the image

// For each true object the number of the matched detected one, or none. Objects with a presence of at least ½ count as
// detected. The matching minimises the sum of the distances between centres; pairs further apart than `tolerance` are
// left unmatched.
std::vector<std::optional<std::size_t>> matched(const SeenObjects& seen, const SeenObjects& truth,
                                                double tolerance = near_enough);

// Over the matched objects.
SceneScore score(const SeenObjects& seen, const SeenObjects& truth, double tolerance = near_enough);

// Over many scenes.
struct ScoreSum {
    std::size_t scenes = 0;
    std::size_t perfect = 0;
    std::size_t objects = 0;
    std::size_t found = 0;
    std::size_t right = 0;
    double distance = 0;

    void add(const SceneScore& one);
};

}  // namespace neumann
