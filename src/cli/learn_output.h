// Output of learning: a result as a program, as JSON, as text and as a report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <neumann/learn.h>

namespace neumann {

// Where a result comes from.
struct LearnOrigin {
    std::string program_file;
    std::uint64_t seed = 1;
    bool timed_out = false;
    bool resumable = false;  // there is a record of the run to go on from
    bool proof = false;      // tell what has been ruled out
};

// One object on one line: the form that scripts rely on (docs/learning.md).
std::string result_json(const LearnResult& result, const LearnOrigin& origin);

// Readable text: the learned program and its scores, the same for the same seed; and the resources used.
std::string result_text(const LearnResult& result, const LearnOrigin& origin);
std::string effort_text(const LearnResult& result);

// The learned program after a comment about its origin, as text that neumann reads.
std::string program_text(const LearnResult& result, const LearnOrigin& origin);

// A page in one file if the name ends in .html; else metrics.json, rounds.csv, epochs.csv and curves.svg, into a folder
// that exists. Throws FileError.
void write_report(const std::filesystem::path& place, const LearnResult& result, const LearnOrigin& origin);

// "FILE: 2 of 10 labels wrong", and for the first few the line of the file or the image, the label and the value. Empty
// if all are right.
std::string to_text(const WrongLabels& labels);

// Charts of the rounds, the epochs and the program, in SVG.
std::string learning_curves_svg(const LearnResult& result, const std::string& title);

}  // namespace neumann
