// Errors in what a person wrote or a file holds.
#pragma once

#include <stdexcept>

namespace neumann {

// Something is wrong with what a person wrote or a file holds: a program, a query, the text of an atom, a saved graph.
// what() is what the neumann command prints about it, without the last line break: place, source line, carets, advice,
// for every mistake there is. A wrong call (an index out of range, a probability outside [0,1]) throws
// std::invalid_argument instead, with the offending numbers. Either way nothing has changed.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace neumann
