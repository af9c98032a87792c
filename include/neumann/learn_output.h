// What learning leaves behind: the program, numbers for programs and people, curves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <neumann/learn.h>
#include <neumann/learn_parameters.h>

namespace neumann {

// Where a result comes from.
struct LearnOrigin {
    std::string program_file;
    std::uint64_t seed = 1;
    bool timed_out = false;
    bool resumable = false;  // there is a record of the run to go on from
};

// One object on one line: the form that scripts rely on (docs/learning.md).
std::string result_json(const LearnResult& result, const LearnOrigin& origin);

// For people: the program and how good it is, the same for the same seed; and what it took.
std::string result_text(const LearnResult& result, const LearnOrigin& origin);
std::string effort_text(const LearnResult& result);
std::string result_text(const ParameterResult& result, const LearnOrigin& origin);

// The learned program with a word on where it comes from, as a text that neumann reads.
std::string program_text(const LearnResult& result, const LearnOrigin& origin);
std::string program_text(const ParameterResult& result, const LearnOrigin& origin);

// metrics.json, rounds.csv, epochs.csv and curves.svg, into a folder that exists. Throws FileError.
void write_report(const std::filesystem::path& folder, const LearnResult& result, const LearnOrigin& origin);

}  // namespace neumann
