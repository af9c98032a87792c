#include "scene/training_scenes.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scene/kandinsky_rules.h"
#include "scene/place_objects.h"
#include "scene/visible.h"

namespace neumann {
namespace {

constexpr std::array<std::string_view, 3> figure_shapes{"circle", "square", "triangle"};
constexpr std::array<std::string_view, 3> figure_colors{"red", "yellow", "blue"};
constexpr double least_side = .05;
constexpr double most_side = .24;
constexpr unsigned most_figure_objects = 9;

template <std::size_t N>
std::string any_of(const std::array<std::string_view, N>& words, Rng& rng) {
    return std::string(words[rng.below(N)]);
}

// Small sides are preferred: there is room for many, and they are harder to see.
double draw_side(Rng& rng) {
    const double share = rng.uniform();
    return least_side + (most_side - least_side) * share * share;
}

// A place for one more object; near an earlier one if `near`.
FigurePlace draw_place(const std::vector<FigurePlace>& places, double side, bool near, Rng& rng) {
    if (!near || places.empty()) return {rng.uniform(), rng.uniform(), side};
    const FigurePlace& other = places[rng.below(static_cast<std::uint32_t>(places.size()))];
    const double reach = (radius_around(other.side) + radius_around(side)) * 1.2;
    return {other.x + reach * (2 * rng.uniform() - 1), other.y + reach * (2 * rng.uniform() - 1), side};
}

Scene row(Rng& rng) {
    std::vector<std::string> colors(solid_colors.begin(), solid_colors.end());
    shuffle_in_place(colors, rng);
    colors.resize(1 + rng.below(3));
    return make_row(colors, rng.next());
}

}  // namespace

Scene training_figure(std::uint64_t seed, Split split, std::uint64_t index) {
    Rng rng(item_seed(seed, "training figures", {static_cast<std::uint64_t>(split), index}));
    Scene scene;
    scene.seed = rng.next();
    const FigureLimits limits;
    const unsigned wanted = 1 + rng.below(most_figure_objects);
    const bool one_size = rng.chance(.5);
    const double common_side = draw_side(rng);
    std::vector<FigurePlace> places;
    for (unsigned tried = 0; places.size() < wanted && tried < 200; ++tried) {
        const double side = one_size ? common_side : draw_side(rng);
        const FigurePlace place = draw_place(places, side, rng.chance(.3), rng);
        bool fits = inside_unit_square(place);
        for (const FigurePlace& other : places) fits = fits && clear_of_each_other(place, other, limits);
        if (fits) places.push_back(place);
    }
    for (const FigurePlace& place : places) {
        SceneObject object;
        object.shape = any_of(figure_shapes, rng);
        object.color = any_of(figure_colors, rng);
        object.position = {place.x, place.y, 0};
        object.extent = place.side;
        scene.objects.push_back(object);
    }
    return scene;
}

Scene training_solids(std::uint64_t seed, Split split, std::uint64_t index, const SolidSceneOptions& options) {
    Rng rng(item_seed(seed, "training solids", {static_cast<std::uint64_t>(split), index}));
    if (rng.chance(options.rows)) return row(rng);
    const unsigned wanted = options.least_objects + rng.below(options.most_objects - options.least_objects + 1);
    Scene scene;
    for (unsigned k = 0; k < wanted; ++k) scene.objects.push_back(random_solid(rng));
    do {
        scene.seed = rng.next();
        PlacementRules placement;
        placement.directions = ground_directions(camera_of(scene));
        place_objects(scene.objects, placement, rng);
    } while (!all_visible(scene));
    return scene;
}

}  // namespace neumann
