// Sets of labelled atoms, a bit each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace neumann::search {

class Bits {
public:
    Bits() = default;
    explicit Bits(std::size_t size, bool all = false) : words_((size + 63) / 64, all ? ~std::uint64_t{0} : 0) {
        if (all && size % 64 != 0) words_.back() = (std::uint64_t{1} << size % 64) - 1;
    }
    bool has(std::size_t i) const { return (words_[i / 64] >> i % 64 & 1U) != 0; }
    void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
    std::size_t count() const {
        std::size_t total = 0;
        for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }
    bool none() const { return count() == 0; }
    bool within(const Bits& other) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            if ((words_[w] & ~other.words_[w]) != 0) return false;
        }
        return true;
    }
    // How many of these `other` does not have.
    std::size_t beyond(const Bits& other) const {
        std::size_t total = 0;
        for (std::size_t w = 0; w < words_.size(); ++w)
            total += static_cast<std::size_t>(std::popcount(words_[w] & ~other.words_[w]));
        return total;
    }
    Bits& operator|=(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
        return *this;
    }
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
        }
    }
    std::size_t words() const { return words_.size(); }
    std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }
    friend bool operator==(const Bits&, const Bits&) = default;

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace neumann::search
