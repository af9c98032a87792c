// Program with learned probabilities, t(_):: or t(0.3)::, compiled with them, and written again
// with numbers in their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <neumann/model.h>

#include "ground/compiled_program.h"
#include "learn/probabilities/parameter_logits.h"

namespace neumann {

struct ParameterProgram {
    LoadedProgram loaded;
    std::string label;                   // the atom that the label of an example is about; empty: none
    std::vector<std::string> queries;    // of the program; everything is compiled, whether it is asked for or not
    std::vector<ParameterGroup> groups;  // the learned probabilities
    std::string warnings;
};

// Of `reading`, how the program is read and grounded counts; `inputs` are those of CompileOptions. Throws Error, and
// LearnError for a program without anything to learn.
ParameterProgram load_parameter_program(const std::filesystem::path& path, const ModelOptions& reading,
                                        const std::vector<std::string>& inputs = {});

// Weights of all clauses to start from: as written, or drawn where nothing is.
std::vector<double> start_weights(const CompiledProgram& compiled, const std::vector<ParameterGroup>& groups,
                                  std::uint64_t seed);

// A clause without its weight, or the head of a disjunction; and its line.
std::string parameter_text(const Program& program, std::uint32_t clause);
std::size_t parameter_line(const Program& program, std::uint32_t clause);
std::string head_of(const Program& program, std::uint32_t clause);  // "p/2"

// The learned clauses, in the order of the program.
std::vector<std::uint32_t> learned_clauses(const std::vector<ParameterGroup>& groups);

// The program's text with numbers in the place of t(…); `marked`: they keep their marks, so that learning can go on.
std::string with_learned_weights(const Program& program, const std::vector<ParameterGroup>& groups,
                                 std::span<const double> weights, bool marked);

}  // namespace neumann
