// A number of an atom: its probability, or a gradient by it.
#pragma once

#include <cstdint>

namespace neumann {

// The atom by whatever number it has where this is used.
struct AtomValue {
    std::uint32_t atom;
    float value;
};

}  // namespace neumann
