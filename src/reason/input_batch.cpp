#include "reason/input_batch.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "reason/reason_error.h"

namespace neumann {
namespace {

void require_rows(std::size_t examples, std::size_t atoms, std::size_t numbers) {
    if (numbers != examples * atoms)
        throw ReasonError(fmt::format("{} numbers given for {} examples of {} atoms", numbers, examples, atoms));
}

}  // namespace

InputBatch InputBatch::on_device(std::size_t examples, std::span<const std::uint32_t> atoms, DeviceRows rows) {
    InputBatch batch;
    batch.examples_ = examples;
    batch.is_dense_ = true;
    batch.atoms_.assign(atoms.begin(), atoms.end());
    batch.rows_ = std::make_shared<DeviceRows>(std::move(rows));
    return batch;
}

InputBatch InputBatch::dense(std::size_t examples, std::span<const std::uint32_t> atoms,
                             std::span<const float> values) {
    require_rows(examples, atoms.size(), values.size());
    InputBatch batch;
    batch.examples_ = examples;
    batch.is_dense_ = true;
    batch.atoms_.assign(atoms.begin(), atoms.end());
    batch.values_.assign(values.begin(), values.end());
    return batch;
}

InputBatch InputBatch::dense(std::size_t examples, std::span<const std::uint32_t> atoms,
                             std::span<const double> values) {
    std::vector<float> rounded(values.size());
    std::ranges::transform(values, rounded.begin(), [](double value) { return static_cast<float>(value); });
    InputBatch batch = dense(examples, atoms, rounded);
    batch.doubles_.assign(values.begin(), values.end());
    return batch;
}

void InputBatch::Builder::reset(std::size_t examples) {
    batch_.examples_ = examples;
    batch_.atoms_.clear();
    batch_.values_.clear();
    batch_.doubles_.clear();
    is_precise_ = false;
    example_.clear();
    in_order_ = true;
}

const InputBatch& InputBatch::Builder::build() {
    if (!in_order_) sort_by_example();
    batch_.begin_.assign(batch_.examples_ + 1, 0);
    for (const std::uint32_t example : example_) ++batch_.begin_[example + 1];
    std::partial_sum(batch_.begin_.begin(), batch_.begin_.end(), batch_.begin_.begin());
    return batch_;
}

void InputBatch::Builder::sort_by_example() {
    std::vector<std::uint32_t> order(example_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return example_[i]; });
    const auto reorder = [&](auto& numbers) {
        auto sorted = numbers;
        for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = numbers[order[i]];
        numbers = std::move(sorted);
    };
    reorder(batch_.atoms_);
    reorder(batch_.values_);
    if (is_precise_) reorder(batch_.doubles_);
    reorder(example_);
    in_order_ = true;
}

}  // namespace neumann
