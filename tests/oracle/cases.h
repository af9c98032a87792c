// Runs a check over many random programs; what fails is shrunk before it is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ground/ground.h"
#include "oracle/brute_force.h"
#include "oracle/program_text.h"
#include "oracle/random_program.h"

namespace neumann::oracle {

struct Case {
    std::uint64_t seed = 0;
    ProgramText source;
    std::string text;
    BruteForce brute;
};

using Check = std::function<std::string(const Case&)>;  // what is wrong; empty if nothing is
using Generator = std::function<ProgramText(Rng&)>;

// Checks `count` programs, the first of them made from `first_seed`; seeds.h says how to choose others.
void check_programs(std::uint64_t first_seed, std::uint64_t count, const Check& check,
                    const Generator& generator = random_program);

// A program as the library reads and grounds it, each time from its text: grounding leaves terms behind in the program,
// which must not help the next call.
struct Grounded {
    Program program;
    GroundProgram ground;
    std::string text_of(std::uint32_t atom) const;
};
Program load(const std::string& text, bool full, std::string* errors = nullptr);
Program load(const ProgramText& source, bool full, std::string* errors = nullptr);  // with the signs of its goals
Grounded ground_text(const std::string& text, const GroundOptions& options);
Grounded ground_case(const Case& one, const GroundOptions& options);
Grounded ground_program(Program program, const GroundOptions& options);

// A graph in the numbering of the brute-force atoms.
struct Translated {
    std::vector<bool> present;        // per brute-force atom
    std::vector<double> initial;      // 0 for those that are not present
    std::vector<Instance> instances;  // sorted
};
Translated translate(const BruteForce& brute, const Grounded& grounded);  // throws on an atom that does not exist

// What contradicts the invariants of graph.h and ground.h, whatever the program says.
std::string check_structure(const Grounded& grounded);

// The first difference of two graphs, array by array, and of their labels. Clauses are left to the caller.
std::string compare_graphs(const Grounded& a, const Grounded& b);

// The first difference between what the library made and what it should have made.
std::string compare(const BruteForce& brute, const Translated& actual, const std::vector<bool>& atoms,
                    const std::vector<Instance>& instances);

}  // namespace neumann::oracle
