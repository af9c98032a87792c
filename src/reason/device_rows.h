// Numbers of a batch in the memory of a GPU: a row for each example.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neumann {

struct DeviceRows {
    float* data = nullptr;               // of inputs and seeds, only read
    std::uint32_t width = 0;             // numbers of a row
    std::vector<std::uint32_t> columns;  // of a row: where the numbers of the atoms are that it is about
    void* stream = nullptr;              // of CUDA: what it was asked for before is waited for; null: its default one
};

}  // namespace neumann
