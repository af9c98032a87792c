// Settings of the object networks: names, sizes of inputs and cells, distances.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "valuation/object_vectors.h"

namespace neumann {

struct NetworkSettings {
    std::string name;  // figures, solids, slots
    const ObjectLayout* layout = nullptr;
    std::int64_t width = 0;  // of the image
    std::int64_t height = 0;
    std::int64_t cell = 4;      // pixels per cell of the feature map
    std::int64_t features = 0;  // channels of the feature map
    double merge = 0;           // cells that point to places nearer than this, in pixels, mean the same object
    double sure = 0;            // cells nearer than this to an object's centre, in pixels, learn to see it
    double unsure = 0;          // cells between `sure` and this are left alone

    std::int64_t cells_across() const { return width / cell; }
    std::int64_t cells_down() const { return height / cell; }
    std::int64_t hidden() const { return layout->flat() ? 0 : 96; }  // channels of the dense head's hidden layer
};
NetworkSettings figures_settings();
NetworkSettings solids_settings();
const std::vector<std::string>& object_networks();        // their names
NetworkSettings settings_of(const std::string& network);  // throws PerceptionError for an unknown name

// Raw outputs of the networks are of the order of 1; these are the sizes of the quantities they encode.
inline constexpr double box_scale = 0.2;
inline constexpr double ground_scale = 3;

// Slot attention.
struct SlotSettings {
    static constexpr std::int64_t slots = 11;  // ten objects, and one for the ground
    static constexpr std::int64_t dim = 64;
    static constexpr int rounds = 3;
    static constexpr int waves = 24;             // numbers of a cell's position encoding
    static constexpr double centre_scale = 0.1;  // of a slot's correction to the centre of its attention
    static constexpr double near_by = 0.1;       // distances of a slot's cells are counted in this
    static constexpr double least_share = 1e-8;  // added to attention, so that its shares can be divided by their sum
    static constexpr double ground_presence = -20;  // of the slot for the ground, before the logistic function
};

}  // namespace neumann
