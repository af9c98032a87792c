// Errors in user input or in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace neumann {

// An error or a warning about a program's text, with the fields that the neumann command prints.
struct Problem {
    // Errors stop the work, warnings do not.
    enum class Severity : std::uint8_t { Error, Warning };
    // Lines and columns count from 1, columns in characters, both ends included. No line: the whole file is meant; no
    // file: the program as a whole.
    struct Place {
        std::string file;              // empty: none
        std::uint32_t line = 0;        // of the first character
        std::uint32_t column = 0;      // of the first character
        std::uint32_t end_line = 0;    // of the last character
        std::uint32_t end_column = 0;  // of the last character
    };
    // A second place that it is about.
    struct Related {
        std::string message;  // a sentence
        Place place;          // where that is
    };
    Severity severity = Severity::Error;  // how serious it is
    std::string code;                     // "unknown-predicate": by it a warning is switched off
    std::string message;                  // a sentence
    std::string advice;                   // how to fix it; may be empty
    Place place;                          // where it is
    std::vector<Related> related;         // other places, in the order in which they matter
};

// An error in user input or in a file: a program, a query, the text of an atom, a saved graph. what() is the message
// that the neumann command prints, without the last line break: place, source line, carets, advice, for every problem.
// A wrong call (an index out of range, a probability outside [0,1]) throws
// std::invalid_argument instead, with the offending numbers. Either way nothing has changed.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    // An error with the problems that it consists of.
    Error(const std::string& text, std::vector<Problem> problems)
        : std::runtime_error(text), problems_(std::make_shared<const std::vector<Problem>>(std::move(problems))) {}

    // The errors in the text of a program, and the warnings about it, in the order of their places; empty for
    // errors of other kinds.
    const std::vector<Problem>& problems() const {
        static const std::vector<Problem> none;
        return problems_ == nullptr ? none : *problems_;
    }

private:
    std::shared_ptr<const std::vector<Problem>> problems_;  // shared, as copying an exception must not throw
};

// A file that cannot be read or written: which one, and why.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The value of an option does not fit the program: 3 weights for 4 clauses.
class OptionError : public Error {
public:
    // For the option of this name, as it is written in code, and the text about it.
    OptionError(const std::string& option, const std::string& text)
        : Error("error: " + option + ": " + text),
          parts_(std::make_shared<const std::pair<std::string, std::string>>(option, text)) {}

    // "weights", for its error message. The neumann command prints its own name for the option: --weights.
    const std::string& option() const { return parts_->first; }
    // The message without the option.
    const std::string& text() const { return parts_->second; }

private:
    std::shared_ptr<const std::pair<std::string, std::string>> parts_;
};

}  // namespace neumann
