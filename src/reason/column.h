// One number per atom, wherever it stands: side by side, or in a tile between those of other examples.
#pragma once

#include <cstddef>
#include <span>

namespace neumann {

class Column {
public:
    Column() = default;
    Column(const float* first, std::size_t stride) : first_(first), stride_(stride) {}
    Column(std::span<const float> numbers) : Column(numbers.data(), 1) {}  // NOLINT: a span is a column

    bool empty() const { return first_ == nullptr; }
    float operator[](std::size_t atom) const { return first_[atom * stride_]; }

private:
    const float* first_ = nullptr;
    std::size_t stride_ = 1;
};

}  // namespace neumann
