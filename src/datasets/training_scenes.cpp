#include "datasets/training_scenes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/random_draws.h"
#include "datasets/kandinsky_rules.h"
#include "render/draw_figure.h"
#include "render/visible.h"
#include "scene/place_objects.h"

namespace neumann {
namespace {

constexpr double least_side = .04;
constexpr double most_side = .26;
constexpr unsigned most_figure_objects = 9;
// For each of flat_shapes half the room that an object of side 1 takes at least: circles touch, squares may meet at
// their corners.
constexpr std::array<double, 3> half_room{.62, .52, .48};

// Small sides are preferred: there is room for many, and they are harder to see.
double draw_small_side(Rng& rng) {
    const double share = rng.uniform();
    return least_side + (most_side - least_side) * share * share;
}

struct Placed {
    std::uint32_t shape;
    FigurePlace place;
    double room() const { return half_room[shape] * place.side; }
};

// One more object; near an earlier one if `near`.
Placed draw_object(const std::vector<Placed>& placed, double side, bool near, Rng& rng) {
    Placed one{rng.below(flat_shapes.size()), {rng.uniform(), rng.uniform(), side}};
    if (!near || placed.empty()) return one;
    const Placed& other = placed[rng.below(static_cast<std::uint32_t>(placed.size()))];
    const double reach = (other.room() + one.room()) * 1.3;
    one.place.x = other.place.x + reach * (2 * rng.uniform() - 1);
    one.place.y = other.place.y + reach * (2 * rng.uniform() - 1);
    return one;
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
    const unsigned wanted = 1 + rng.below(most_figure_objects);
    const bool one_size = rng.chance(.5);
    const double common_side = draw_small_side(rng);
    std::vector<Placed> placed;
    for (unsigned tried = 0; placed.size() < wanted && tried < 200; ++tried) {
        const double side = one_size ? common_side : draw_small_side(rng);
        const Placed one = draw_object(placed, side, rng.chance(.5), rng);
        const bool fits = inside_unit_square(one.place) && std::ranges::all_of(placed, [&](const Placed& other) {
                              return centre_distance(one.place, other.place) >= one.room() + other.room();
                          });
        if (fits) placed.push_back(one);
    }
    for (const Placed& one : placed) {
        SceneObject object;
        object.shape = flat_shapes[one.shape];
        object.color = flat_colors[rng.below(flat_colors.size())];
        object.position = {one.place.x, one.place.y, 0};
        object.extent = one.place.side;
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
