// Array of rows of floats, aligned for vector loads. Growing discards the contents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/large_block.h"
#include "reason/kernels/kernel.h"

namespace neumann {

class RowArray {
public:
    RowArray() = default;
    RowArray(RowArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
    RowArray& operator=(RowArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~RowArray() { release(); }

    // Room for so many rows, with undefined values.
    void reserve(std::size_t rows) {
        if (rows <= capacity_) return;
        release();
        const std::size_t bytes = rounded(rows * row_bytes);
        data_ = static_cast<float*>(bytes >= huge_page_bytes ? grow_large_block(nullptr, 0, bytes)
                                                             : ::operator new(bytes, std::align_val_t(row_bytes)));
        capacity_ = bytes / row_bytes;
    }
    void assign_zero(std::size_t rows) {
        reserve(rows);
        if (rows > 0) std::memset(data_, 0, rows * row_bytes);
    }

    float* data() { return data_; }
    const float* data() const { return data_; }
    float* row(std::size_t i) { return data_ + i * tile_width; }
    const float* row(std::size_t i) const { return data_ + i * tile_width; }
    std::size_t bytes() const { return capacity_ * row_bytes; }

    static constexpr std::size_t row_bytes = tile_width * sizeof(float);

private:
    static std::size_t rounded(std::size_t bytes) {
        return bytes < huge_page_bytes ? bytes : (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
    }
    void release() {
        if (capacity_ * row_bytes >= huge_page_bytes) {
            free_large_block(data_, capacity_ * row_bytes);
        } else if (data_ != nullptr) {
            ::operator delete(data_, std::align_val_t(row_bytes));
        }
        data_ = nullptr;
        capacity_ = 0;
    }

    float* data_ = nullptr;
    std::size_t capacity_ = 0;  // rows
};

inline void copy_rows(float* to, const float* from, std::size_t rows) {
    if (rows > 0) std::memcpy(to, from, rows * RowArray::row_bytes);
}

// Between the rows of some atoms, scattered, and a block of them, in order.
inline void gather_rows(float* to, const float* rows, std::span<const std::uint32_t> atoms) {
    for (std::size_t i = 0; i < atoms.size(); ++i)
        copy_rows(to + i * tile_width, rows + std::size_t{atoms[i]} * tile_width, 1);
}
inline void scatter_rows(float* rows, const float* from, std::span<const std::uint32_t> atoms) {
    for (std::size_t i = 0; i < atoms.size(); ++i)
        copy_rows(rows + std::size_t{atoms[i]} * tile_width, from + i * tile_width, 1);
}

}  // namespace neumann
