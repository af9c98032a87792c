// Objects of dense maps: cells that point to one place are one object.
#include <gtest/gtest.h>

#include "infer/decode.h"

namespace neumann {
namespace {

TEST(InferDecode, CellsThatPointToOnePlaceAreOneObject) {
    const NetworkSettings settings = figures_settings();
    const auto across = static_cast<std::size_t>(settings.cells_across());
    const auto columns = static_cast<std::size_t>(settings.layout->columns);
    const std::size_t cells = across * static_cast<std::size_t>(settings.cells_down());
    std::vector<float> map(cells * columns);
    for (std::size_t cell = 0; cell < cells; ++cell) map[cell * columns + column::presence] = -9;
    const auto see = [&](std::size_t x, std::size_t y, float presence, float off_x) {
        map[(y * across + x) * columns + column::presence] = presence;
        map[(y * across + x) * columns + column::x] = off_x;
    };
    see(10, 10, 3, 0.5F);
    see(11, 10, 4, -0.5F);  // the same place, and surer
    see(20, 20, 2, 0);
    see(23, 20, 1, 0);    // three cells further: another object
    see(5, 5, -4.5F, 0);  // hardly there
    const RawRows raw{map.data(), cells, columns};
    EXPECT_EQ(pick_cells(raw, settings),
              (std::vector<std::size_t>{10 * across + 11, 20 * across + 20, 20 * across + 23}));
    const SeenObjects seen = objects_of_map(raw, settings);
    ASSERT_EQ(seen.count(), 3U);
    EXPECT_NEAR(seen.row(0)[column::x], 11.0 / 32, 1e-6);
}

}  // namespace
}  // namespace neumann
