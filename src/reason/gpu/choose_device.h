// Choice between GPU and processor: forecasts of both times, from measurements of bench/gpu.py.
#pragma once

#include <cstdint>

namespace neumann {

struct ReasoningWork {
    std::uint64_t edges = 0;     // conjunctions and the literals of their bodies
    std::uint64_t examples = 0;  // of all batches together
    std::uint32_t steps = 0;
    bool gradients = false;
    unsigned threads = 1;      // of the processor
    bool gpu_started = false;  // it has been used before: starting it takes longer than most reasoning
};

double processor_seconds(const ReasoningWork& work);
double gpu_seconds(const ReasoningWork& work);

// False where there is little to do, as starting a GPU costs the most.
bool gpu_pays(const ReasoningWork& work);

}  // namespace neumann
