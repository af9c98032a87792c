// Slot attention: slots compete for the cells of a feature map, and each predicts its object.
#pragma once

#include <vector>

#include "infer/layers.h"
#include "infer/network_settings.h"

namespace neumann::infer {

// The network is described, and trained, in perceive/nets/networks.h (SlotHeadImpl).
class SlotAttention {
public:
    SlotAttention(WeightReader& weights, const NetworkSettings& settings);

    struct Result {
        Rows rows;       // slots × columns, before activation; centres are shares of the image
        Rows attention;  // cells × slots: for each cell, how much each slot takes of it
    };
    Result operator()(const FeatureMap& features) const;

private:
    struct Start {
        Rows held;                                 // slots × dim
        std::vector<std::array<float, 2>> centre;  // of each slot
        std::vector<float> presence;               // of each slot, before the logistic function
    };
    Start begin_at_proposals(const FeatureMap& map, const Rows& inputs) const;
    Rows attention_of(const Rows& keys, const Rows& known, const std::vector<std::array<float, 2>>& centre) const;
    Rows updates_of(const Rows& attention, const Rows& values) const;
    Rows rows_of(const Rows& held, const Start& start) const;

    NetworkSettings settings_;
    std::vector<std::array<float, 2>> grid_;  // the middle of each cell, as shares of the image
    std::vector<float> start_;                // of a slot for an object, then of the one for the ground
    Convolution proposals_;
    PackedWeights place_, begin_, key_, value_, query_, narrowness_;
    RowNorm input_norm_, slot_norm_, output_norm_;
    TwoLayers input_mlp_, slot_mlp_, rows_;
    GatedUpdate update_;
    Rows places_;  // cells × features: the position encoding, after its layer
};

}  // namespace neumann::infer
