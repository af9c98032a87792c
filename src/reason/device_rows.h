// Rows of numbers in the memory of a GPU: one row for each example of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neumann {

struct DeviceRows {
    float* data = nullptr;               // of inputs and seeds, only read
    std::uint32_t width = 0;             // numbers of a row
    std::vector<std::uint32_t> columns;  // of a row: where the numbers of the atoms are that it is about
    void* stream = nullptr;              // a CUDA stream: its earlier work is waited for; null: the default stream
};

}  // namespace neumann
