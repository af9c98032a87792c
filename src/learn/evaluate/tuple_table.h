// Set of tuples of one width, numbered in the order in which they came.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace neumann::search {

using Value = std::uint32_t;

class TupleTable {
public:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};

    explicit TupleTable(std::size_t width) : width_(width) {}

    std::size_t size() const { return size_; }
    std::size_t width() const { return width_; }
    const Value* tuple(std::uint32_t number) const { return values_.data() + std::size_t{number} * width_; }
    const std::vector<Value>& values() const { return values_; }  // one tuple after the other
    std::uint32_t find(const Value* tuple) const {
        if (size_ == 0) return absent;
        for (std::size_t slot = hash(tuple) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint32_t number = slots_[slot];
            if (number == absent || is_at(number, tuple)) return number;
        }
    }
    // Its number, and whether it is new.
    std::pair<std::uint32_t, bool> add(const Value* tuple) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        std::size_t slot = hash(tuple) & (slots_.size() - 1);
        while (slots_[slot] != absent) {
            if (is_at(slots_[slot], tuple)) return {slots_[slot], false};
            slot = (slot + 1) & (slots_.size() - 1);
        }
        slots_[slot] = static_cast<std::uint32_t>(size_++);
        for (std::size_t a = 0; a < width_; ++a) values_.push_back(tuple[a]);
        return {slots_[slot], true};
    }

private:
    bool is_at(std::uint32_t number, const Value* tuple) const {
        const Value* there = values_.data() + std::size_t{number} * width_;
        for (std::size_t a = 0; a < width_; ++a) {
            if (there[a] != tuple[a]) return false;
        }
        return true;
    }
    std::size_t hash(const Value* tuple) const {
        std::uint64_t all = 0x9e3779b97f4a7c15ULL;
        for (std::size_t a = 0; a < width_; ++a) {
            all = (all ^ tuple[a]) * 0xff51afd7ed558ccdULL;
            all ^= all >> 32;
        }
        return static_cast<std::size_t>(all);
    }
    void grow() {
        slots_.assign(std::max<std::size_t>(8, 2 * slots_.size()), absent);
        for (std::uint32_t number = 0; number < size_; ++number) {
            std::size_t slot = hash(tuple(number)) & (slots_.size() - 1);
            while (slots_[slot] != absent) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = number;
        }
    }

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<Value> values_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace neumann::search
