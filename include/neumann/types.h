// Small types that several headers share: numbers of atoms, values of atoms, functions of progress.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace neumann {

// The number of a ground atom in a model, from 0 to atom_count() - 1. The same program, compiled with the same options,
// has the same numbers.
enum class AtomIndex : std::uint32_t {};

// An atom and its value. The atom's number is defined by the context.
struct AtomValue {
    std::uint32_t atom;  // its number
    float value;         // its probability
};

// Called with the progress of long work, from several threads, often; a total of 0 is not known.
using ProgressFunction = std::function<void(std::string_view doing, std::uint64_t done, std::uint64_t total)>;

}  // namespace neumann
