// Array of floats, aligned for vectors of every size, zero at first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace neumann::infer {

class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t size) : size_(size), values_(make(size)) {}
    AlignedFloats(const AlignedFloats& other) : AlignedFloats(other.size_) { std::copy_n(other.data(), size_, data()); }
    AlignedFloats(AlignedFloats&&) noexcept = default;
    AlignedFloats& operator=(AlignedFloats other) noexcept {
        std::swap(size_, other.size_);
        values_.swap(other.values_);
        return *this;
    }
    ~AlignedFloats() = default;

    std::size_t size() const { return size_; }
    float* data() { return values_.get(); }
    const float* data() const { return values_.get(); }
    float& operator[](std::size_t at) { return values_[at]; }
    float operator[](std::size_t at) const { return values_[at]; }

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(float* values) const { operator delete[](values, alignment); }
    };
    static std::unique_ptr<float[], Free> make(std::size_t size) {
        return std::unique_ptr<float[], Free>(new (alignment) float[size]());
    }

    std::size_t size_ = 0;
    std::unique_ptr<float[], Free> values_;
};

}  // namespace neumann::infer
