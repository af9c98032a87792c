#include "perceive/nets/flat_parameters.h"

namespace neumann {

using torch::Tensor;

FlatParameters::FlatParameters(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {
    std::int64_t count = 0;
    for (const Tensor& parameter : parameters_) count += parameter.numel();
    all_ = torch::zeros({count}, parameters_.front().options().requires_grad(false));
    all_.set_requires_grad(true);
    all_.mutable_grad() = torch::zeros_like(all_);
    gather();
}

void FlatParameters::gather() {
    const torch::NoGradGuard no_grad;
    std::int64_t first = 0;
    const auto part = [&](const Tensor& whole, const Tensor& like) {
        return whole.narrow(0, first, like.numel()).view_as(like);
    };
    for (Tensor& parameter : parameters_) {
        const Tensor mine = part(all_.detach(), parameter);
        mine.copy_(parameter.detach());
        parameter.set_data(mine);
        parameter.mutable_grad() = part(all_.mutable_grad(), parameter);
        first += parameter.numel();
    }
}

void clip_gradients(std::vector<FlatParameters>& parts, double most) {
    const torch::NoGradGuard no_grad;
    Tensor squares;
    for (FlatParameters& part : parts) {
        const Tensor square = part.all().grad().square().sum();
        squares = squares.defined() ? squares + square : square;
    }
    const Tensor scale = (most / (squares.sqrt() + 1e-6)).clamp_max(1);
    for (FlatParameters& part : parts) part.all().mutable_grad().mul_(scale);
}

}  // namespace neumann
