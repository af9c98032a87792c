// An explanation for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "explain/explanation.h"

namespace neumann {

struct TextOptions {
    bool words = true;        // tell the best proof in sentences too
    std::size_t top = 10;     // how many inputs and clauses are listed
    std::size_t width = 100;  // columns, where names allow it
};

// The headline, the best proof as a tree and in sentences, further proofs, what matters, and why not. Ends with a
// newline.
std::string explanation_text(const Explanation& explanation, const TextOptions& options);

}  // namespace neumann
