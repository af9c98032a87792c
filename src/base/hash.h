// Hashing of short sequences of 32-bit words: one multiply per word, mixed at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace neumann {

class WordHash {
public:
    explicit constexpr WordHash(std::uint32_t seed) : state_(0x9e3779b97f4a7c15ULL ^ seed) {}
    constexpr void add(std::uint32_t word) {
        state_ = (state_ ^ word) * 0xff51afd7ed558ccdULL;
        state_ ^= state_ >> 32;
    }
    constexpr std::uint32_t finish() const {
        return static_cast<std::uint32_t>((state_ * 0xc4ceb9fe1a85ec53ULL) >> 32);
    }

private:
    std::uint64_t state_;
};

// Of a row of ids.
template <class IdType>
std::uint32_t hash_ids(std::uint32_t seed, std::span<const IdType> ids) {
    WordHash hash(seed);
    for (IdType id : ids) hash.add(id.value());
    return hash.finish();
}

}  // namespace neumann
