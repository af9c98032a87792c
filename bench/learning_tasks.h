// Tasks to learn clause weights on: a program in which the right clauses hide among candidates that a search would
// propose, and examples of it, half of them positive, half near misses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace neumann {

// What a network sees of a scene, and whether the scene is a positive example.
struct LearningExample {
    std::vector<std::pair<std::string, double>> atoms;
    bool positive = false;
};

struct LearningTask {
    std::string name;
    const char* example;  // its text comes first; empty: none
    const char* program;  // of the candidates in both the right ones come first
    std::uint32_t steps;
    LearningExample (*make)(Rng& rng, double noise, bool positive);
};

void shuffle(auto& items, Rng& rng) {
    for (std::size_t i = items.size(); i > 1; --i)
        std::swap(items[i - 1], items[rng.below(static_cast<std::uint32_t>(i))]);
}

std::span<const LearningTask> learning_tasks();

// With the example program it builds on, from the folder of examples.
std::string program_text(const LearningTask& task, const std::string& examples);

}  // namespace neumann
