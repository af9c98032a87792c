// A read-only array that owns its values or borrows them from something it keeps alive (a mapped file).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/pod_vector.h"

namespace neumann {

template <class T>
class SharedArray {
public:
    SharedArray() = default;
    explicit SharedArray(PodVector<T> values) {
        auto kept = std::make_shared<const PodVector<T>>(std::move(values));
        view_ = kept->span();
        owner_ = std::move(kept);
    }
    SharedArray(std::span<const T> values, std::shared_ptr<const void> owner)
        : view_(values), owner_(std::move(owner)) {}

    std::size_t size() const { return view_.size(); }
    bool empty() const { return view_.empty(); }
    const T& operator[](std::size_t i) const { return view_[i]; }
    const T* data() const { return view_.data(); }
    const T* begin() const { return view_.data(); }
    const T* end() const { return view_.data() + view_.size(); }
    std::span<const T> span() const { return view_; }
    std::size_t bytes() const { return view_.size_bytes(); }

private:
    std::span<const T> view_;
    std::shared_ptr<const void> owner_;
};

}  // namespace neumann
