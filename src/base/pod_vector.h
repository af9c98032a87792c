// A growing array of plain values. Unlike std::vector it grows large arrays by remapping pages instead of copying them,
// so peak memory stays at the memory in use: the grounder fills hundreds of megabytes this way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/large_block.h"

namespace neumann {

template <class T>
class PodVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    PodVector() = default;
    explicit PodVector(std::size_t size, T value = T()) { resize(size, value); }
    PodVector(PodVector&& other) noexcept { swap(other); }
    PodVector& operator=(PodVector&& other) noexcept {
        PodVector(std::move(other)).swap(*this);
        return *this;
    }
    PodVector(const PodVector& other) { append(other.span()); }
    PodVector& operator=(const PodVector& other) {
        if (this != &other) PodVector(other).swap(*this);
        return *this;
    }
    ~PodVector() { free_block(data_, capacity_); }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t capacity_bytes() const { return capacity_ * sizeof(T); }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T& back() { return data_[size_ - 1]; }
    const T& back() const { return data_[size_ - 1]; }
    std::span<const T> span() const { return {data_, size_}; }

    void push_back(T value) {
        if (size_ == capacity_) reserve(capacity_ == 0 ? 16 : capacity_ * 2);
        data_[size_++] = value;
    }
    void append(std::span<const T> values) {
        T* to = extend(values.size());
        if (!values.empty()) std::memcpy(static_cast<void*>(to), values.data(), values.size_bytes());
    }
    // Room for `count` more values, which the caller fills.
    T* extend(std::size_t count) {
        if (size_ + count > capacity_) reserve(std::max(size_ + count, capacity_ * 2));
        size_ += count;
        return data_ + size_ - count;
    }
    void resize(std::size_t size, T value = T()) {
        const std::size_t old = size_;
        resize_uninitialized(size);
        for (std::size_t i = old; i < size; ++i) data_[i] = value;
    }
    void resize_uninitialized(std::size_t size) {
        if (size > capacity_) reserve(size);
        size_ = size;
    }
    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        if (capacity > static_cast<std::size_t>(-1) / 4 / sizeof(T)) throw std::bad_alloc();
        if (!is_large(capacity)) {
            void* grown = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
            if (grown == nullptr) throw std::bad_alloc();
            data_ = static_cast<T*>(grown);
            capacity_ = capacity;
            return;
        }
        // Rounded up to whole huge pages, so that the block's size follows from its capacity.
        const std::size_t bytes = large_bytes(capacity);
        if (is_large(capacity_)) {
            data_ = static_cast<T*>(grow_large_block(data_, large_bytes(capacity_), bytes));
        } else {
            T* grown = static_cast<T*>(grow_large_block(nullptr, 0, bytes));
            if (size_ > 0) std::memcpy(static_cast<void*>(grown), data_, size_ * sizeof(T));
            std::free(data_);
            data_ = grown;
        }
        capacity_ = bytes / sizeof(T);
    }
    void clear() { size_ = 0; }
    void release() { PodVector().swap(*this); }
    void swap(PodVector& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    // Follows from the capacity alone: a large block's capacity is rounded down by less than one value.
    static bool is_large(std::size_t capacity) { return capacity * sizeof(T) + sizeof(T) > huge_page_bytes; }
    static std::size_t large_bytes(std::size_t capacity) {
        return (capacity * sizeof(T) + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
    }
    static void free_block(T* data, std::size_t capacity) noexcept {
        if (is_large(capacity)) {
            free_large_block(data, large_bytes(capacity));
        } else {
            std::free(data);
        }
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace neumann
