#include "datasets/kandinsky.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

#include "base/parallel.h"

namespace neumann {

namespace {

constexpr std::array<std::string_view, 4> two_pairs_conditions = {
    "first pair of one shape", "first pair of one color", "second pair of one shape", "second pair of two colors"};
constexpr std::array<std::string_view, 1> close_by_conditions = {"close"};
constexpr std::array<std::string_view, 5> red_triangle_conditions = {"red", "triangle", "other color", "other shape",
                                                                     "close"};
constexpr std::array<std::string_view, 6> online_pair_conditions = {"pair", "line", "pair",
                                                                    "line", "pair", "line and pair"};
constexpr std::array<std::string_view, 1> long_line_conditions = {"line"};

constexpr std::array<FigurePattern, 6> patterns = {{
    {"twopairs", 4, 4, two_pairs_figure, two_pairs_rule, two_pairs_conditions},
    {"closeby", 4, 4, close_by_figure, close_by_rule, close_by_conditions, true},
    {"red-triangle", 6, 6, red_triangle_figure, red_triangle_rule, red_triangle_conditions, true},
    {"online-pair", 5, 5, online_pair_figure, online_pair_rule, online_pair_conditions, true},
    {"long-line", 7, 7, long_line_figure, long_line_rule, long_line_conditions, true},
    {"pattern-free", 2, 10, pattern_free_figure, nullptr, {}},
}};

constexpr std::size_t figures_per_chunk = 64;

}  // namespace

std::span<const FigurePattern> figure_patterns() { return patterns; }

const FigurePattern* find_figure_pattern(std::string_view name) {
    const auto found = std::ranges::find(patterns, name, &FigurePattern::name);
    return found == patterns.end() ? nullptr : &*found;
}

std::uint64_t figure_seed(const FigureSet& set, std::uint64_t index) {
    return item_seed(set.seed, set.pattern->name, {static_cast<std::uint64_t>(set.split), index});
}

Figure make_figure(const FigureSet& set, std::uint64_t index) {
    if (set.pattern == nullptr) throw std::invalid_argument("a set of figures needs a pattern");
    const FigurePattern& pattern = *set.pattern;
    const std::uint64_t seed = figure_seed(set, index);
    Rng rng(seed);
    Figure figure;
    figure.positive = pattern.rule == nullptr || index % 2 == 0;
    const std::size_t turn = figure.positive ? 0 : index / 2 % pattern.conditions.size();
    // Drawn from a separate generator, so that the figures which are not borderline stay the same without this share.
    figure.borderline = pattern.has_borderline && Rng(item_seed(seed, "borderline", {})).chance(set.borderline);
    const FigureLimits limits = figure.borderline ? borderline_limits() : set.limits;
    figure.scene = pattern.generate(figure.positive, static_cast<std::uint32_t>(turn), limits, rng);
    figure.scene.seed = seed;
    if (!figure.positive) figure.broken = pattern.conditions[turn];
    assert(pattern.rule == nullptr ||
           pattern.rule(figure.scene, limits) == (figure.positive ? Follows::Yes : Follows::No));
    return figure;
}

std::vector<Figure> make_figures(const FigureSet& set, std::uint64_t first, std::size_t count, unsigned threads) {
    std::vector<Figure> figures(count);
    const std::size_t chunks = (count + figures_per_chunk - 1) / figures_per_chunk;
    parallel_chunks(threads, chunks, [&](std::size_t chunk) {
        const std::size_t end = std::min(count, (chunk + 1) * figures_per_chunk);
        for (std::size_t i = chunk * figures_per_chunk; i < end; ++i) figures[i] = make_figure(set, first + i);
    });
    return figures;
}

}  // namespace neumann
