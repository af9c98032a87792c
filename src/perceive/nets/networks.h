// The perception networks. All take an image as three channels around 0 and return rows of object vectors
// (valuation/object_vectors.h): channel k of their output is column k before activated() maps it into its range.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "infer/network_settings.h"

namespace neumann {

// During training, layers are normalised over the batch; afterwards the normalisation is folded into the weights
// (tensors.h), which is faster and makes an image's result independent of its neighbours.
enum class Form { Learning, Folded };

// Convolution, batch normalisation, ReLU.
struct ConvBlockImpl : torch::nn::Module {
    ConvBlockImpl(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                  Form form, bool rectified = true);
    torch::Tensor forward(const torch::Tensor& x);

    torch::nn::Conv2d conv{nullptr};
    torch::nn::BatchNorm2d norm{nullptr};  // null once folded
    bool relu;
};
TORCH_MODULE(ConvBlock);

// Two convolutions around which the input goes as well.
struct ResidualImpl : torch::nn::Module {
    ResidualImpl(std::int64_t channels, std::int64_t dilation, Form form);
    torch::Tensor forward(const torch::Tensor& x);

    ConvBlock first{nullptr};
    ConvBlock second{nullptr};
};
TORCH_MODULE(Residual);

// From the image to features for every cell.
struct TrunkImpl : torch::nn::Module {
    virtual torch::Tensor forward(const torch::Tensor& pictures) = 0;
};
struct FigureTrunkImpl : TrunkImpl {
    explicit FigureTrunkImpl(Form form);
    torch::Tensor forward(const torch::Tensor& pictures) override;
    torch::nn::ModuleList layers;
};
// A small hourglass: details at four pixels, surroundings at eight.
struct SolidTrunkImpl : TrunkImpl {
    explicit SolidTrunkImpl(Form form);
    torch::Tensor forward(const torch::Tensor& pictures) override;
    ConvBlock stem{nullptr}, stem2{nullptr}, down{nullptr}, coarse{nullptr}, join{nullptr};
    Residual fine1{nullptr}, fine2{nullptr}, wide1{nullptr}, wide2{nullptr}, last{nullptr};
};

// Every cell predicts whether an object's centre is near, and the object's attributes.
struct DenseHeadImpl : torch::nn::Module {
    DenseHeadImpl(const NetworkSettings& settings, std::int64_t hidden, Form form);
    torch::Tensor forward(const torch::Tensor& features);  // batch × columns × cells down × cells across

    ConvBlock hidden{nullptr};  // null where features go straight into the rows
    torch::nn::Conv2d rows{nullptr};
};
TORCH_MODULE(DenseHead);

// Slot attention: slots compete for cells in three iterations; each predicts its object. Slots begin at the most
// probable centres that a dense head of one layer proposes, one at the ground: not at random, so the same image always
// gives the same objects. A slot attends less to cells that are far from its predicted centre: two objects of equal
// look stay apart.
struct SlotHeadImpl : torch::nn::Module {
    explicit SlotHeadImpl(const NetworkSettings& settings);
    struct Round {
        torch::Tensor rows;       // batch × slots × columns
        torch::Tensor attention;  // batch × cells × slots: for each cell, how much each slot takes of it
    };
    struct Result : Round {
        std::vector<Round> earlier;  // rounds before the last, which learn as well
        torch::Tensor proposals;     // batch × columns × cells down × cells across: a dense map; undefined: none
    };
    Result forward(const torch::Tensor& features);

    static constexpr std::int64_t slots = SlotSettings::slots;
    static constexpr std::int64_t dim = SlotSettings::dim;
    static constexpr int rounds = SlotSettings::rounds;

    torch::Tensor start;      // of slots for objects, and of the one for the ground
    torch::Tensor grid;       // cells × (x, y)
    torch::Tensor places;     // cells × waves of the grid
    torch::Tensor cell_size;  // shares of the image
    DenseHead proposals{nullptr};
    torch::nn::Linear place{nullptr}, key{nullptr}, value{nullptr}, query{nullptr}, narrowness{nullptr}, begin{nullptr};
    torch::nn::LayerNorm input_norm{nullptr}, slot_norm{nullptr}, output_norm{nullptr};
    torch::nn::Sequential input_mlp{nullptr}, slot_mlp{nullptr}, rows{nullptr};
    torch::nn::GRUCell update{nullptr};

private:
    struct Start {
        torch::Tensor held;      // batch × slots × dim
        torch::Tensor centre;    // batch × slots × 2
        torch::Tensor presence;  // batch × slots, before the logistic function
    };
    Start begun(const torch::Tensor& map, const torch::Tensor& inputs);
    torch::Tensor far_off(const torch::Tensor& held, const torch::Tensor& centre);
    torch::Tensor rows_of(const torch::Tensor& held, const Start& begun);
};
TORCH_MODULE(SlotHead);

// A trunk with one head or both.
struct ObjectNetworkImpl : torch::nn::Module {
    ObjectNetworkImpl(const NetworkSettings& settings, bool dense, bool slots, Form form);

    NetworkSettings settings;
    std::shared_ptr<TrunkImpl> trunk;
    DenseHead dense{nullptr};
    SlotHead slots{nullptr};
};
TORCH_MODULE(ObjectNetwork);

// Rows in their ranges: batch × objects × columns. `at` holds the middle of the cell each raw row comes from, in cells
// (objects × 2 or batch × objects × 2); undefined for slots, whose centres are absolute.
torch::Tensor activated(const torch::Tensor& raw, const NetworkSettings& settings, const torch::Tensor& at);

// Bytes (batch × height × width × 3) as the networks take them: batch × 3 × height × width around 0.
torch::Tensor network_input(const torch::Tensor& bytes);

}  // namespace neumann
