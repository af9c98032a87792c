#include "perceive/nets/decode.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neumann {
namespace {

using torch::Tensor;

SeenObjects objects_of_rows(const Tensor& rows, const NetworkSettings& settings) {
    const Tensor plain = rows.contiguous();
    const float* data = plain.data_ptr<float>();
    return {settings.layout, std::vector<float>(data, data + plain.numel()), {}};
}

// The attention of a slot, 255 at its maximum.
Image attention_image(const float* shares, std::int64_t slots, const NetworkSettings& settings) {
    Image image =
        Image::blank(static_cast<unsigned>(settings.cells_across()), static_cast<unsigned>(settings.cells_down()), 1);
    float most = 1e-6F;
    for (std::size_t cell = 0; cell < image.data.size(); ++cell)
        most = std::max(most, shares[cell * static_cast<std::size_t>(slots)]);
    for (std::size_t cell = 0; cell < image.data.size(); ++cell)
        image.data[cell] =
            static_cast<std::uint8_t>(std::lround(255 * shares[cell * static_cast<std::size_t>(slots)] / most));
    return image;
}

}  // namespace

std::vector<std::vector<std::int64_t>> pick_cells(const Tensor& map, const NetworkSettings& settings) {
    const Tensor plain = map.contiguous();
    const std::int64_t cells = settings.cells_across() * settings.cells_down();
    const auto raw_least = static_cast<float>(std::log(least_presence / (1 - least_presence)));
    const double merge = settings.merge / static_cast<double>(settings.cell);
    std::vector<std::vector<std::int64_t>> result;
    std::vector<std::int64_t> order;
    for (std::int64_t picture = 0; picture < plain.size(0); ++picture) {
        const float* data = plain.data_ptr<float>() + picture * plain.size(1) * cells;
        const float* presence = data + column::presence * cells;
        const auto place = [&](std::int64_t cell) {
            return std::pair(data[column::x * cells + cell] + static_cast<double>(cell % settings.cells_across()),
                             data[column::y * cells + cell] + static_cast<double>(cell / settings.cells_across()));
        };
        order.clear();
        for (std::int64_t cell = 0; cell < cells; ++cell)
            if (presence[cell] >= raw_least) order.push_back(cell);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return presence[a] > presence[b]; });
        std::vector<std::int64_t>& picked = result.emplace_back();
        for (const std::int64_t cell : order) {
            const auto [x, y] = place(cell);
            const bool seen_already = std::ranges::any_of(picked, [&](std::int64_t other) {
                const auto [u, v] = place(other);
                return std::hypot(x - u, y - v) < merge;
            });
            if (!seen_already) picked.push_back(cell);
        }
    }
    return result;
}

Tensor cell_middles(const std::vector<std::int64_t>& cells, const NetworkSettings& settings) {
    const Tensor numbers = torch::tensor(cells, torch::kInt64);
    const Tensor down = torch::div(numbers, settings.cells_across(), "floor");
    return torch::stack({numbers - down * settings.cells_across(), down}, 1).to(torch::kFloat32) + 0.5;
}

std::vector<SeenObjects> objects_of_map(const Tensor& map, const NetworkSettings& settings) {
    const std::vector<std::vector<std::int64_t>> picked = pick_cells(map, settings);
    std::vector<SeenObjects> result;
    for (std::size_t k = 0; k < picked.size(); ++k) {
        if (picked[k].empty()) {
            result.push_back({settings.layout, {}, {}});
            continue;
        }
        const Tensor numbers = torch::tensor(picked[k], torch::kInt64);
        const Tensor raw =
            map.select(0, static_cast<std::int64_t>(k)).flatten(1).index_select(1, numbers).transpose(0, 1);
        result.push_back(objects_of_rows(activated(raw, settings, cell_middles(picked[k], settings)), settings));
    }
    return result;
}

std::vector<SeenObjects> objects_of_slots(const SlotHeadImpl::Result& slots, const NetworkSettings& settings) {
    const Tensor rows = activated(slots.rows, settings, {}).contiguous();
    const Tensor attention = slots.attention.contiguous();
    const std::int64_t count = rows.size(1);
    std::vector<SeenObjects> result;
    for (std::int64_t picture = 0; picture < rows.size(0); ++picture) {
        const Tensor mine = rows.select(0, picture);
        const float* data = mine.data_ptr<float>();
        const auto presence = [&](std::int64_t slot) { return data[slot * rows.size(2) + column::presence]; };
        std::vector<std::int64_t> order;
        for (std::int64_t slot = 0; slot < count; ++slot)
            if (presence(slot) >= least_presence) order.push_back(slot);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return presence(a) > presence(b); });
        SeenObjects seen = objects_of_rows(mine.index_select(0, torch::tensor(order, torch::kInt64)), settings);
        const float* shares = attention.data_ptr<float>() + picture * attention.size(1) * count;
        for (const std::int64_t slot : order) seen.attention.push_back(attention_image(shares + slot, count, settings));
        result.push_back(std::move(seen));
    }
    return result;
}

std::vector<SeenObjects> objects_seen(ObjectNetworkImpl& network, const Tensor& pictures, bool by_slots) {
    const torch::NoGradGuard no_grad;
    const Tensor features = network.trunk->forward(pictures);
    if (!by_slots) return objects_of_map(network.dense(features).to(torch::kCPU), network.settings);
    SlotHeadImpl::Result slots = network.slots(features);
    slots.rows = slots.rows.to(torch::kCPU);
    slots.attention = slots.attention.to(torch::kCPU);
    return objects_of_slots(slots, network.settings);
}

}  // namespace neumann
