#include "perceive/nets/baselines.h"

#include <cmath>

#include <fmt/format.h>

#include "perceive/perceiver.h"

namespace neumann {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

constexpr double least_spread = 1e-3;  // a constant column carries no information, however small its measured spread

// Two convolutions and a way around them, which is a convolution of its own where the shape changes.
struct StageBlockImpl : nn::Module {
    StageBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride) {
        first = register_module("first", ConvBlock(in, out, 3, stride, 1, Form::Learning));
        second = register_module("second", ConvBlock(out, out, 3, 1, 1, Form::Learning, false));
        if (in != out || stride != 1)
            around = register_module("around", ConvBlock(in, out, 1, stride, 1, Form::Learning, false));
    }
    Tensor forward(const Tensor& x) { return torch::relu((around ? around(x) : x) + second(first(x))); }

    ConvBlock first{nullptr}, second{nullptr}, around{nullptr};
};
TORCH_MODULE(StageBlock);

struct PictureBaselineImpl : BaselineImpl {
    PictureBaselineImpl(std::int64_t width, std::int64_t classes) {
        register_scale(3);
        stem = register_module("stem", ConvBlock(3, width, 7, 2, 1, Form::Learning));
        blocks = register_module("blocks", nn::Sequential());
        std::int64_t in = width;
        for (int stage = 0; stage < 4; ++stage) {
            const std::int64_t out = width << stage;
            blocks->push_back(StageBlock(in, out, stage == 0 ? 1 : 2));
            blocks->push_back(StageBlock(out, out, 1));
            in = out;
        }
        last = register_module("last", nn::Linear(in, classes));
        for (const auto& parameter : named_parameters())
            if (parameter.value().dim() == 4)
                nn::init::kaiming_normal_(parameter.value(), 0, torch::kFanOut, torch::kReLU);
    }
    void standardise(const Tensor& inputs) override {
        mean.copy_(inputs.mean({0, 2, 3}));
        spread.copy_(inputs.std({0, 2, 3}, false).clamp_min(least_spread));
    }
    Tensor forward(const Tensor& inputs) override {
        const Tensor scaled = (inputs - mean.view({1, -1, 1, 1})) / spread.view({1, -1, 1, 1});
        const Tensor features =
            nn::functional::max_pool2d(stem(scaled), nn::functional::MaxPool2dFuncOptions(3).stride(2).padding(1));
        return last(blocks->forward(features).mean({2, 3}));
    }

    ConvBlock stem{nullptr};
    nn::Sequential blocks{nullptr};
    nn::Linear last{nullptr};
};

// batch × objects: where there is one.
Tensor there(const Tensor& rows) { return rows.select(2, column::presence) > 0; }

struct RowBaselineImpl : BaselineImpl {
    explicit RowBaselineImpl(std::int64_t columns) { register_scale(columns); }
    void standardise(const Tensor& inputs) override {
        const Tensor rows = inputs.index({there(inputs)});  // of all images
        if (rows.size(0) == 0) return;
        mean.copy_(rows.mean(0));
        spread.copy_(rows.std(0, false).clamp_min(least_spread));
    }

protected:
    // Rows without an object get 0 in all columns, the mean of the others.
    Tensor scaled(const Tensor& rows) const { return (rows - mean) / spread * there(rows).unsqueeze(2); }
};

struct MlpBaselineImpl : RowBaselineImpl {
    static constexpr std::int64_t hidden = 256;
    explicit MlpBaselineImpl(const BaselineShape& shape) : RowBaselineImpl(shape.columns) {
        layers = register_module("layers", nn::Sequential(nn::Linear(shape.objects * (shape.columns + 1), hidden),
                                                          nn::ReLU(), nn::Linear(hidden, hidden), nn::ReLU(),
                                                          nn::Linear(hidden, shape.classes)));
    }
    Tensor forward(const Tensor& inputs) override {
        const Tensor present = there(inputs).unsqueeze(2).to(torch::kFloat32);
        return layers->forward(torch::cat({present, scaled(inputs)}, 2).flatten(1));
    }

    nn::Sequential layers{nullptr};
};

// Multi-head self-attention over rows with a residual connection, followed by a feed-forward layer.
struct AttentionBlockImpl : nn::Module {
    AttentionBlockImpl(std::int64_t dim, std::int64_t ways) : heads(ways) {
        asking_norm = register_module("asking_norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
        asked_norm = register_module("asked_norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
        query = register_module("query", nn::Linear(dim, dim));
        key = register_module("key", nn::Linear(dim, dim));
        value = register_module("value", nn::Linear(dim, dim));
        join = register_module("join", nn::Linear(dim, dim));
        norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
        mlp = register_module("mlp", nn::Sequential(nn::Linear(dim, 2 * dim), nn::ReLU(), nn::Linear(2 * dim, dim)));
    }
    // batch × asking × dim, batch × asked × dim, batch × asked: which of them are there.
    Tensor forward(const Tensor& asking, const Tensor& asked, const Tensor& present) {
        const Tensor normed = asked_norm(asked);
        const Tensor q = split(query(asking_norm(asking)));
        const Tensor k = split(key(normed));
        const Tensor v = split(value(normed));
        // The few rows of an image are too small a matrix for bmm to pay off: thousands of calls took most of the time.
        const Tensor match = (q.unsqueeze(3) * k.unsqueeze(2)).sum(4) / std::sqrt(static_cast<double>(q.size(3)));
        // Not infinite, or where there is nothing at all the shares would be 0 / 0.
        const Tensor shares = torch::softmax(match.masked_fill(~present.unsqueeze(1).unsqueeze(1), -1e9), 3);
        const Tensor heard = (shares.unsqueeze(4) * v.unsqueeze(2)).sum(3).transpose(1, 2).flatten(2);
        const Tensor known = asking + join(heard);
        return known + mlp->forward(norm(known));
    }

private:
    Tensor split(const Tensor& rows) const {  // batch × heads × rows × part
        return rows.view({rows.size(0), rows.size(1), heads, rows.size(2) / heads}).transpose(1, 2);
    }

    std::int64_t heads;
    nn::LayerNorm asking_norm{nullptr}, asked_norm{nullptr}, norm{nullptr};
    nn::Linear query{nullptr}, key{nullptr}, value{nullptr}, join{nullptr};
    nn::Sequential mlp{nullptr};
};
TORCH_MODULE(AttentionBlock);

struct SetBaselineImpl : RowBaselineImpl {
    static constexpr std::int64_t dim = 64;
    static constexpr std::int64_t heads = 4;
    static constexpr int rounds = 3;
    explicit SetBaselineImpl(const BaselineShape& shape) : RowBaselineImpl(shape.columns) {
        embed = register_module("embed", nn::Linear(shape.columns, dim));
        for (int round = 0; round < rounds; ++round)
            blocks.push_back(register_module(fmt::format("block{}", round), AttentionBlock(dim, heads)));
        question = register_parameter("question", torch::randn({1, 1, dim}));
        pool = register_module("pool", AttentionBlock(dim, heads));
        norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
        last = register_module("last", nn::Linear(dim, shape.classes));
    }
    Tensor forward(const Tensor& inputs) override {
        const Tensor present = there(inputs);
        Tensor rows = embed(scaled(inputs));
        for (AttentionBlock& block : blocks) rows = block(rows, rows, present);
        const Tensor pooled = pool(question.expand({rows.size(0), 1, dim}), rows, present);
        return last(norm(pooled.squeeze(1)));
    }

    nn::Linear embed{nullptr}, last{nullptr};
    std::vector<AttentionBlock> blocks;
    Tensor question;
    AttentionBlock pool{nullptr};
    nn::LayerNorm norm{nullptr};
};

}  // namespace

void BaselineImpl::register_scale(std::int64_t columns) {
    mean = register_parameter("mean", torch::zeros({columns}), false);
    spread = register_parameter("spread", torch::ones({columns}), false);
}

Tensor BaselineImpl::faded_rows(const Tensor& rows, const Tensor& share) const {
    return rows + (1 - share) * (mean - rows) * there(rows).unsqueeze(2);
}

std::uint64_t BaselineImpl::learned_numbers() const {
    std::uint64_t count = 0;
    for (const Tensor& parameter : parameters())
        if (parameter.requires_grad()) count += static_cast<std::uint64_t>(parameter.numel());
    return count;
}

std::shared_ptr<BaselineImpl> make_baseline(const BaselineShape& shape) {
    const bool small = shape.size == "small";
    if (shape.model == "cnn" && (small || shape.size == "resnet18"))
        return std::make_shared<PictureBaselineImpl>(small ? 16 : 64, shape.classes);
    if (shape.model == "mlp" && small) return std::make_shared<MlpBaselineImpl>(shape);
    if (shape.model == "set" && small) return std::make_shared<SetBaselineImpl>(shape);
    if (shape.model == "cnn" || shape.model == "mlp" || shape.model == "set")
        throw PerceptionError(fmt::format("the baseline {} comes in no size '{}'; there is small{}", shape.model,
                                          shape.size, shape.model == "cnn" ? " and resnet18" : ""));
    throw PerceptionError(fmt::format("there is no baseline '{}'; there are cnn, mlp, set", shape.model));
}

}  // namespace neumann
