// Compiled program: the graph with all data to name its atoms and clauses. Made by grounding, or loaded
// from a file in which it was saved (ground/saved.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/levels.h"
#include "ground/ground.h"
#include "logic/program.h"

namespace neumann {

// The data of a clause that remain after grounding.
struct ClauseInfo {
    std::string text;
    std::string file;
    std::uint32_t line = 0;
    std::optional<std::uint32_t> choice = {};  // Clause::choice
};

struct CompiledProgram {
    Program program;  // only signature and terms if it was loaded; compile/restore.h reads clauses and sayings back
    GroundProgram ground;
    std::vector<ClauseInfo> clauses;     // numbered as in the graph
    std::vector<std::string> queries;    // canonical text
    std::vector<std::string> sayings;    // the directives
    std::vector<GraphLiteral> observed;  // evidence about derived atoms: these literals hold
    std::string mode;                    // full, relevant, or the grounding of a road (resolved)
    bool facts_evaluated = false;        // certain atoms were evaluated away
    bool loaded = false;                 // from a file: it cannot be grounded again

    std::string atom_text(std::uint32_t atom) const;
};

std::vector<ClauseInfo> describe_clauses(const Program& program);

// With the levels of its graph, where they were asked for.
struct LoadedProgram {
    CompiledProgram compiled;
    GraphLevels levels;
};

}  // namespace neumann
