// Whether a graphics card is worth while for some reasoning: forecasts of both times, from what bench/gpu.py measures.
#pragma once

#include <cstdint>

namespace neumann {

struct ReasoningWork {
    std::uint64_t edges = 0;     // conjunctions and the literals of their bodies
    std::uint64_t examples = 0;  // of all batches together
    std::uint32_t steps = 0;
    bool gradients = false;
    unsigned threads = 1;       // of the processor
    bool card_started = false;  // it has been used before: starting it takes longer than most reasoning
};

double processor_seconds(const ReasoningWork& work);
double card_seconds(const ReasoningWork& work);

// False where there is little to do, as starting a card costs the most.
bool card_pays(const ReasoningWork& work);

}  // namespace neumann
