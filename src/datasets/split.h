// Training, validation and test splits of a generated data set, and the random seed of each item.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/rng.h"

namespace neumann {

enum class Split : std::uint8_t { Train, Val, Test };

inline std::string_view split_name(Split split) {
    return split == Split::Train ? "train" : split == Split::Val ? "val" : "test";
}

// The seed of one item: a hash of everything that names it, so that items can be made in any order, on any thread, and
// items of different data sets, splits and numbers have nothing in common.
inline std::uint64_t item_seed(std::uint64_t seed, std::string_view data_set,
                               std::initializer_list<std::uint64_t> name) {
    std::uint64_t hash = Rng(seed).next();
    for (const char c : data_set) hash = Rng(hash ^ static_cast<unsigned char>(c)).next();
    for (const std::uint64_t part : name) hash = Rng(hash ^ part).next();
    return hash;
}

}  // namespace neumann
