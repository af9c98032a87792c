// How often the answers are right, where examples say what is: a label, or the answer to a question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reason_session.h"
#include "runtime/examples.h"
#include "runtime/json_lines.h"

namespace neumann::app {

// What an example's line says beside its atoms.
struct KnownOutcome {
    std::optional<std::int64_t> label;
    std::string answer;  // empty: not known
};

// The value of a key of the outermost object as it stands in the line; empty: there is none. Quicker than parsing the
// line, which has been found to be JSON.
std::string_view top_level_field(std::string_view line, std::string_view key);
KnownOutcome known_outcome(std::string_view line);

class Accuracy {
public:
    // `positive`: labels are numbers of classes, and the program's label is about this one. From `threshold` on an atom
    // counts as true.
    Accuracy(std::optional<std::int64_t> positive, double threshold) : positive_(positive), threshold_(threshold) {}

    // An example that a session has just run, the `at`-th of its batch.
    void count(ReasonSession& session, std::size_t at, const KnownOutcome& known);

    // "accuracy: 97 of 100 labels right (0.9700)", a line for labels and one for answers; empty if nothing is known.
    std::string text() const;

private:
    struct Tally {
        std::size_t right = 0;
        std::size_t all = 0;
    };
    std::optional<double> label_value(ReasonSession& session, std::size_t at) const;

    std::optional<std::int64_t> positive_;
    double threshold_;
    Tally labels_;
    Tally answers_;
    bool classes_ = false;  // a label was neither 0 nor 1, and nobody said which is positive
};

// Reads the outcomes of a file of examples beside the one who reads the examples themselves.
class OutcomeReader {
public:
    explicit OutcomeReader(const std::string& path) : lines_(path) {}
    // Lines are asked for in ascending order.
    KnownOutcome of_line(std::size_t number);

private:
    JsonLines lines_;
    std::size_t at_ = 0;
};

}  // namespace neumann::app
