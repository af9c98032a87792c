// Errors that prevent learning or end it: shown to the user unchanged.
#pragma once

#include <stdexcept>

namespace neumann {

class LearnError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The caller requested a stop (Ctrl-C, a time limit): unwinds to the place with the best program so far.
struct LearningInterrupted {};

}  // namespace neumann
