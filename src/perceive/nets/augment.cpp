#include "perceive/nets/augment.h"

namespace neumann {

using torch::Tensor;

Tensor augmented(Tensor pictures, const AugmentOptions& options, torch::Generator& chance) {
    const std::int64_t batch = pictures.size(0);
    const auto drawn = [&](std::vector<std::int64_t> shape) {
        return torch::rand(shape, chance, torch::TensorOptions().device(pictures.device()));
    };
    const auto around = [&](std::vector<std::int64_t> shape, double most) {
        return (drawn(std::move(shape)) * 2 - 1) * most;
    };
    const Tensor mean = pictures.mean({2, 3}, true);
    pictures = (pictures - mean) * (1 + around({batch, 1, 1, 1}, options.contrast)) + mean;
    pictures = pictures + 2 * around({batch, 1, 1, 1}, options.brightness) + 2 * around({batch, 3, 1, 1}, options.cast);
    if (options.mixed > 0) {
        const Tensor mix = around({batch, 3, 3}, options.mixed);
        pictures = pictures + torch::bmm(mix, pictures.flatten(2)).view_as(pictures);
    }
    // A blur of random strength: between the image and its 3×3 average, weighted towards the middle.
    const Tensor side = (2 - (torch::arange(3, pictures.options()) - 1).abs()) / 4;  // ¼ ½ ¼
    const Tensor kernel = torch::outer(side, side).expand({3, 1, 3, 3}).contiguous();
    const Tensor padded = torch::replication_pad2d(pictures, {1, 1, 1, 1});
    const Tensor blurred =
        torch::conv2d(padded, kernel, torch::Tensor(), at::IntArrayRef{1}, at::IntArrayRef{0}, at::IntArrayRef{1}, 3);
    const Tensor strength = drawn({batch, 1, 1, 1}) * (drawn({batch, 1, 1, 1}) < options.blurred);
    pictures = pictures + strength * (blurred - pictures);
    const Tensor noise = torch::randn(pictures.sizes().vec(), chance, pictures.options());
    pictures = pictures + noise * (2 * options.noise * drawn({batch, 1, 1, 1}));
    return pictures.clamp_(-1, 1);
}

}  // namespace neumann
