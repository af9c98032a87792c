// What learning leaves behind: the program, numbers for programs and people, curves.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "learn/diagnose.h"
#include "print/learn_report.h"

namespace neumann::app {

struct LearnResult {
    LearnedProgram learned;
    std::string program_file;  // where it came from
    std::optional<double> train_accuracy;
    std::optional<double> validation_accuracy;
    std::optional<double> test_accuracy;
    std::string wrong_in_test;  // a list; empty: all are right
    double threshold = 0.5;
    double seconds = 0;
    std::uint64_t seed = 1;
    bool timed_out = false;
    bool resumable = false;  // there is a record of the run to go on from
};

// One object on one line: the form that scripts rely on (docs/learning.md).
std::string result_json(const LearnResult& result, const LearnReport& report);

// For people: the program and how good it is, the same for the same seed; and what it took.
std::string result_text(const LearnResult& result, const LearnReport& report);
std::string effort_text(const LearnResult& result);

// The learned program with a word on where it comes from, as a text that neumann reads.
std::string program_text(const LearnResult& result);

// metrics.json, rounds.csv, epochs.csv and curves.svg, into a folder that exists. Throws FileError.
void write_report(const std::filesystem::path& folder, const LearnResult& result, const LearnReport& report);

}  // namespace neumann::app
