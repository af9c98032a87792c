// Atom with a number: its probability, or a gradient by it.
#pragma once

#include <cstdint>

namespace neumann {

// The atom's number is defined by the context.
struct AtomValue {
    std::uint32_t atom;
    float value;
};

}  // namespace neumann
