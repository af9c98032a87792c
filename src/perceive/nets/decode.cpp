#include "perceive/nets/decode.h"

namespace neumann {
namespace {

using torch::Tensor;

// An image of batch × columns × cells…, which must live as long as the result.
RawRows raw_cells(const Tensor& maps, std::int64_t image) {
    const auto columns = static_cast<std::size_t>(maps.size(1));
    const auto cells = static_cast<std::size_t>(maps.size(2) * maps.size(3));
    return {maps.data_ptr<float>() + static_cast<std::size_t>(image) * columns * cells, cells, 1, cells};
}

// An image of batch × rows × columns.
RawRows raw_rows(const Tensor& tensor, std::int64_t image) {
    const auto rows = static_cast<std::size_t>(tensor.size(1));
    const auto columns = static_cast<std::size_t>(tensor.size(2));
    return {tensor.data_ptr<float>() + static_cast<std::size_t>(image) * rows * columns, rows, columns};
}

}  // namespace

std::vector<std::vector<std::int64_t>> pick_cells(const Tensor& map, const NetworkSettings& settings) {
    const Tensor plain = map.contiguous();
    std::vector<std::vector<std::int64_t>> result;
    for (std::int64_t image = 0; image < plain.size(0); ++image) {
        const std::vector<std::size_t> picked = pick_cells(raw_cells(plain, image), settings);
        result.emplace_back(picked.begin(), picked.end());
    }
    return result;
}

Tensor cell_middles(const std::vector<std::int64_t>& cells, const NetworkSettings& settings) {
    const Tensor numbers = torch::tensor(cells, torch::kInt64);
    const Tensor down = torch::div(numbers, settings.cells_across(), "floor");
    return torch::stack({numbers - down * settings.cells_across(), down}, 1).to(torch::kFloat32) + 0.5;
}

std::vector<SeenObjects> objects_seen(ObjectNetworkImpl& network, const Tensor& pictures, bool by_slots) {
    const torch::NoGradGuard no_grad;
    const Tensor features = network.trunk->forward(pictures);
    std::vector<SeenObjects> result;
    if (!by_slots) {
        const Tensor map = network.dense(features).to(torch::kCPU).contiguous();
        for (std::int64_t image = 0; image < map.size(0); ++image)
            result.push_back(objects_of_map(raw_cells(map, image), network.settings));
        return result;
    }
    const SlotHeadImpl::Result slots = network.slots(features);
    const Tensor rows = slots.rows.to(torch::kCPU).contiguous();
    const Tensor attention = slots.attention.to(torch::kCPU).contiguous();
    for (std::int64_t image = 0; image < rows.size(0); ++image)
        result.push_back(objects_of_slots(raw_rows(rows, image), raw_rows(attention, image), network.settings));
    return result;
}

}  // namespace neumann
