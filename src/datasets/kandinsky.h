// Kandinsky pattern generator: flat figures (circles, squares and triangles on a grey ground) that follow a pattern or
// just miss it. Patterns by name, single figures, and sets of figures that are the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/kandinsky_patterns.h"
#include "datasets/kandinsky_rules.h"
#include "datasets/split.h"
#include "scene/scene.h"

namespace neumann {

struct FigurePattern {
    std::string_view name;
    unsigned objects_least = 0;
    unsigned objects_most = 0;
    FigureGenerator generate = nullptr;
    Follows (*rule)(const Scene&, const FigureLimits&) = nullptr;  // null: there is no rule, nothing has a label
    std::span<const std::string_view> conditions;                  // broken by the negatives, in turn
    bool has_borderline = false;                                   // whether the rule is about a distance
};

std::span<const FigurePattern> figure_patterns();
// Null if there is no such pattern.
const FigurePattern* find_figure_pattern(std::string_view name);

struct Figure {
    Scene scene;
    bool positive = true;
    std::string_view broken;  // the condition that a negative breaks; empty for positives
    bool borderline = false;  // inside the gap that other figures leave free
};

struct FigureSet {
    const FigurePattern* pattern = nullptr;
    std::uint64_t seed = 0;
    Split split = Split::Train;  // sets that differ in it share no figure
    FigureLimits limits;
    double borderline = 0;  // the share of figures that keep to borderline_limits() instead
};

// Each figure has a seed of its own, made from pattern, seed, split and index: Scene::seed.
std::uint64_t figure_seed(const FigureSet& set, std::uint64_t index);
// Even indices follow the rule, odd ones break its conditions in turn.
Figure make_figure(const FigureSet& set, std::uint64_t index);
// The figures from `first` on.
std::vector<Figure> make_figures(const FigureSet& set, std::uint64_t first, std::size_t count, unsigned threads);

}  // namespace neumann
