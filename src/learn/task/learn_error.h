// Why learning cannot begin or go on: told to the user as it is.
#pragma once

#include <stdexcept>

namespace neumann {

class LearnError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Somebody asked to stop (Ctrl-C, a time limit): unwinds to where the best program so far is at hand.
struct LearningInterrupted {};

}  // namespace neumann
