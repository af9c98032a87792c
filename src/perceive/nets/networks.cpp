#include "perceive/nets/networks.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "perceive/perceiver.h"

namespace neumann {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

Tensor cell_grid(const NetworkSettings& settings) {
    const Tensor x = (torch::arange(settings.cells_across()) + 0.5) / static_cast<double>(settings.cells_across());
    const Tensor y = (torch::arange(settings.cells_down()) + 0.5) / static_cast<double>(settings.cells_down());
    const Tensor xs = x.unsqueeze(0).expand({settings.cells_down(), settings.cells_across()}).reshape({-1});
    const Tensor ys = y.unsqueeze(1).expand({settings.cells_down(), settings.cells_across()}).reshape({-1});
    return torch::stack({xs, ys}, 1);
}

// Position encoding of a cell: its coordinates, and waves from twice the image's width down to an eighth of it: a sum
// of waves can peak at one place alone, a sum of coordinates cannot.
Tensor waves_of(const Tensor& grid) {
    std::vector<Tensor> columns{grid, 1 - grid};
    for (const double halves : {1, 2, 4, 8, 16}) {
        columns.push_back(torch::sin(grid * (std::numbers::pi * halves)));
        columns.push_back(torch::cos(grid * (std::numbers::pi * halves)));
    }
    return torch::cat(columns, 1);
}

}  // namespace

ConvBlockImpl::ConvBlockImpl(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                             std::int64_t dilation, Form form, bool rectified)
    : relu(rectified) {
    const bool folded = form == Form::Folded;
    conv = register_module("conv", nn::Conv2d(nn::Conv2dOptions(in, out, kernel)
                                                  .stride(stride)
                                                  .padding(dilation * (kernel / 2))
                                                  .dilation(dilation)
                                                  .bias(folded)));
    if (!folded) norm = register_module("norm", nn::BatchNorm2d(out));
}

// If the images have a shorter format of numbers, the convolution uses it.
Tensor ConvBlockImpl::forward(const Tensor& x) {
    Tensor y;
    if (x.scalar_type() == conv->weight.scalar_type()) {
        y = conv(x);
    } else {
        const std::int64_t around = conv->options.dilation()->front() * (conv->weight.size(2) / 2);
        y = torch::conv2d(x, conv->weight.to(x.scalar_type()), {}, conv->options.stride(), {around, around},
                          conv->options.dilation());
    }
    if (norm) y = norm(y);
    return relu ? torch::relu_(y) : y;
}

ResidualImpl::ResidualImpl(std::int64_t channels, std::int64_t dilation, Form form) {
    first = register_module("first", ConvBlock(channels, channels, 3, 1, 1, form));
    second = register_module("second", ConvBlock(channels, channels, 3, 1, dilation, form, false));
}

Tensor ResidualImpl::forward(const Tensor& x) { return torch::relu(x + second(first(x))); }

FigureTrunkImpl::FigureTrunkImpl(Form form) {
    layers = register_module("layers", nn::ModuleList());
    layers->push_back(ConvBlock(3, 16, 3, 2, 1, form));
    layers->push_back(ConvBlock(16, 16, 3, 1, 1, form));
    layers->push_back(ConvBlock(16, 32, 3, 2, 1, form));
    for (const std::int64_t dilation : {1, 2, 4}) layers->push_back(ConvBlock(32, 32, 3, 1, dilation, form));
}

Tensor FigureTrunkImpl::forward(const Tensor& pictures) {
    Tensor x = pictures;
    for (const auto& layer : *layers) x = layer->as<ConvBlock>()->forward(x);
    return x;
}

SolidTrunkImpl::SolidTrunkImpl(Form form) {
    stem = register_module("stem", ConvBlock(3, 32, 3, 2, 1, form));
    stem2 = register_module("stem2", ConvBlock(32, 32, 3, 1, 1, form));
    down = register_module("down", ConvBlock(32, 64, 3, 2, 1, form));
    fine1 = register_module("fine1", Residual(64, 1, form));
    fine2 = register_module("fine2", Residual(64, 2, form));
    coarse = register_module("coarse", ConvBlock(64, 96, 3, 2, 1, form));
    wide1 = register_module("wide1", Residual(96, 1, form));
    wide2 = register_module("wide2", Residual(96, 2, form));
    join = register_module("join", ConvBlock(160, 64, 1, 1, 1, form));
    last = register_module("last", Residual(64, 1, form));
}

Tensor SolidTrunkImpl::forward(const Tensor& pictures) {
    const Tensor near = fine2(fine1(down(stem2(stem(pictures)))));
    const Tensor far = wide2(wide1(coarse(near)));
    const Tensor up = nn::functional::interpolate(
        far, nn::functional::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}).mode(torch::kNearest));
    return last(join(torch::cat({near, up}, 1)));
}

DenseHeadImpl::DenseHeadImpl(const NetworkSettings& settings, std::int64_t hidden_channels, Form form) {
    std::int64_t channels = settings.features;
    if (hidden_channels != 0) {
        hidden = register_module("hidden", ConvBlock(channels, hidden_channels, 3, 1, 1, form));
        channels = hidden_channels;
    }
    rows = register_module("rows", nn::Conv2d(nn::Conv2dOptions(channels, settings.layout->columns, 1)));
    // Most cells see nothing: to begin with, no cell claims to.
    torch::NoGradGuard no_grad;
    rows->bias.zero_();
    rows->bias[column::presence].fill_(-4);
}

Tensor DenseHeadImpl::forward(const Tensor& features) {
    return rows((hidden ? hidden(features) : features).to(rows->weight.scalar_type()));
}

SlotHeadImpl::SlotHeadImpl(const NetworkSettings& settings) {
    const std::int64_t in = settings.features;
    start = register_parameter("start", torch::randn({2, dim}));
    proposals = register_module("proposals", DenseHead(settings, 0, Form::Folded));
    begin = register_module("begin", nn::Linear(dim, dim));
    cell_size = register_buffer("cell_size", torch::tensor({1.F / static_cast<float>(settings.cells_across()),
                                                            1.F / static_cast<float>(settings.cells_down())}));
    grid = register_buffer("grid", cell_grid(settings));
    places = register_buffer("places", waves_of(grid));
    place = register_module("place", nn::Linear(places.size(1), in));
    input_norm = register_module("input_norm", nn::LayerNorm(nn::LayerNormOptions({in})));
    input_mlp =
        register_module("input_mlp", nn::Sequential(nn::Linear(in, 2 * dim), nn::ReLU(), nn::Linear(2 * dim, dim)));
    key = register_module("key", nn::Linear(nn::LinearOptions(dim, dim).bias(false)));
    value = register_module("value", nn::Linear(nn::LinearOptions(dim, dim).bias(false)));
    query = register_module("query", nn::Linear(nn::LinearOptions(dim, dim).bias(false)));
    slot_norm = register_module("slot_norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
    narrowness = register_module("narrowness", nn::Linear(dim, 2));
    update = register_module("update", nn::GRUCell(dim, dim));
    output_norm = register_module("output_norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
    slot_mlp =
        register_module("slot_mlp", nn::Sequential(nn::Linear(dim, 2 * dim), nn::ReLU(), nn::Linear(2 * dim, dim)));
    rows = register_module(
        "rows", nn::Sequential(nn::Linear(dim, 2 * dim), nn::ReLU(), nn::Linear(2 * dim, settings.layout->columns)));
    // Initially all slots attend to the whole image.
    torch::NoGradGuard no_grad;
    narrowness->weight.zero_();
    narrowness->bias.fill_(-1);
}

// Slots for objects begin at the ten most probable centres, each with the features of its cell; the last one begins
// with the ground.
SlotHeadImpl::Start SlotHeadImpl::begun(const Tensor& map, const Tensor& inputs) {
    const std::int64_t batch = map.size(0);
    const Tensor said = map.detach();
    const Tensor likely = torch::sigmoid(said.select(1, column::presence)).unsqueeze(1);
    const Tensor peak = likely == torch::max_pool2d(likely, 3, 1, 1);
    const Tensor cell = std::get<1>((likely * peak).flatten(1).topk(slots - 1, 1));  // batch × objects
    const auto at_cells = [&](const Tensor& cells) {                                 // batch × cells × anything
        return cells.gather(1, cell.unsqueeze(2).expand({batch, slots - 1, cells.size(2)}));
    };
    const Tensor proposed = at_cells(said.flatten(2).transpose(1, 2));
    const Tensor middle = grid.index_select(0, cell.flatten()).view({batch, slots - 1, 2});
    const Tensor centre = middle + proposed.narrow(2, column::x, 2) * cell_size;
    const Tensor objects = start.narrow(0, 0, 1) + begin(at_cells(inputs));
    const Tensor ground = start.narrow(0, 1, 1).unsqueeze(0).expand({batch, 1, dim});
    return {torch::cat({objects, ground}, 1), torch::cat({centre, torch::full_like(centre.narrow(1, 0, 1), 0.5)}, 1),
            torch::cat({proposed.select(2, column::presence),
                        torch::full_like(proposed.narrow(1, 0, 1).select(2, 0), SlotSettings::ground_presence)},
                       1)};
}

// The penalty of a cell for a slot by its distance from the slot's predicted centre: batch × cells × slots. No gradient
// flows from here into the centre, which has its own loss.
Tensor SlotHeadImpl::far_off(const Tensor& held, const Tensor& centre) {
    const Tensor narrow = torch::softplus(narrowness(held)) / SlotSettings::near_by;  // batch × slots × 2
    const Tensor scaled = centre.detach() * narrow;
    const auto along = [&](std::int64_t axis) {
        return torch::addcmul(-scaled.select(2, axis).unsqueeze(1), grid.select(1, axis).view({1, -1, 1}),
                              narrow.select(2, axis).unsqueeze(1))
            .square();
    };
    return along(0) + along(1);
}

// A slot's centre and presence are its initial ones, corrected by its final state.
Tensor SlotHeadImpl::rows_of(const Tensor& held, const Start& begun) {
    const Tensor raw = rows->forward(held);
    const Tensor presence = raw.narrow(2, column::presence, 1) + begun.presence.unsqueeze(2);
    const Tensor centre = raw.narrow(2, column::x, 2) * SlotSettings::centre_scale + begun.centre;
    return torch::cat({presence, centre, raw.narrow(2, column::width, raw.size(2) - column::width)}, 2);
}

SlotHeadImpl::Result SlotHeadImpl::forward(const Tensor& features) {
    const std::int64_t batch = features.size(0);
    Tensor inputs = features.flatten(2).transpose(1, 2) + place(places);  // batch × cells × features
    inputs = input_mlp->forward(input_norm(inputs));
    const Tensor keys = key(inputs);
    const Tensor values = value(inputs);
    Result result;
    result.proposals = proposals(features);
    const Start first = begun(result.proposals, inputs);
    Tensor held = first.held;
    for (int round = 0; round < rounds; ++round) {
        const Tensor known = slot_norm(held);
        const Tensor asked = query(known) / std::sqrt(static_cast<double>(dim));
        const Tensor centre = round == 0 ? first.centre : result.rows.narrow(2, column::x, 2);
        result.attention = torch::softmax(torch::bmm(keys, asked.transpose(1, 2)) - far_off(known, centre), 2);
        const Tensor taken = result.attention + SlotSettings::least_share;
        const Tensor looked_at = (taken / taken.sum(1, true)).transpose(1, 2);  // each slot's shares add up to 1
        const Tensor updates = torch::bmm(looked_at, values);
        held = update(updates.reshape({-1, dim}), held.reshape({-1, dim})).reshape({batch, slots, dim});
        held = held + slot_mlp->forward(output_norm(held));
        result.rows = rows_of(held, first);
        if (round + 1 < rounds) result.earlier.push_back(result);
    }
    return result;
}

ObjectNetworkImpl::ObjectNetworkImpl(const NetworkSettings& given, bool with_dense, bool with_slots, Form form)
    : settings(given) {
    const bool flat = settings.layout->flat();
    if (flat) {
        trunk = register_module("trunk", std::make_shared<FigureTrunkImpl>(form));
    } else {
        trunk = register_module("trunk", std::make_shared<SolidTrunkImpl>(form));
    }
    if (with_dense) dense = register_module("dense", DenseHead(settings, settings.hidden(), form));
    if (with_slots) slots = register_module("slots", SlotHead(settings));
}

Tensor activated(const Tensor& raw, const NetworkSettings& settings, const Tensor& at) {
    std::vector<Tensor> columns;
    columns.push_back(torch::sigmoid(raw.narrow(-1, column::presence, 1)));
    Tensor centre = raw.narrow(-1, column::x, 2);
    if (at.defined()) {
        const Tensor cells =
            torch::tensor({static_cast<float>(settings.cells_across()), static_cast<float>(settings.cells_down())})
                .to(raw.device());
        centre = (centre + at) / cells;
    }
    columns.push_back(centre);
    columns.push_back(raw.narrow(-1, column::width, 2) * box_scale);
    columns.push_back(raw.narrow(-1, column::ground_x, 2) * ground_scale);
    for (const AttributeColumns& attribute : settings.layout->attributes)
        columns.push_back(
            torch::softmax(raw.narrow(-1, attribute.first, static_cast<std::int64_t>(attribute.values.size())), -1));
    return torch::cat(columns, -1);
}

Tensor network_input(const Tensor& bytes) {
    return bytes.permute({0, 3, 1, 2}).to(torch::kFloat32).div_(127.5).sub_(1).contiguous();
}

}  // namespace neumann
