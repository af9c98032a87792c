// Compilation from a program's text to its graph: reading, checking and grounding in one call.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "front_ends/front_end.h"
#include "ground/compiled_program.h"
#include "syntax/load.h"

namespace neumann {

struct CompileOptions {
    LoadOptions load;
    GroundOptions ground;
    std::vector<std::string> queries;      // if there are any, they replace the program's own
    std::string queries_from = "--query";  // stands for their place in diagnostics
    // Predicates ("edge/2") whose atoms get their values from examples, as if they were declared neural, and atoms of
    // examples ("edge(a,b)") whose constants belong to open types.
    std::vector<std::string> inputs;
    bool with_levels = false;
    bool open_parameters = false;  // probabilities that are not known yet, t(_)::, are allowed
};

// Compiles a program file or folder. Returns false if diagnostics has errors; the program's sources are set in any
// case, so that they can be rendered.
bool compile(const std::filesystem::path& path, const CompileOptions& options, Diagnostics& diagnostics,
             LoadedProgram& result);

// The same for a program that has been read.
bool compile(Program loaded, const CompileOptions& options, Diagnostics& diagnostics, LoadedProgram& result);

// The road on which a program is read; null: it is a learning task. Where a front end has several, this compiles on all
// but the last, and keeps the result if it is the one.
struct FoundRoad {
    const Road* road = nullptr;
    std::unique_ptr<LoadedProgram> compiled = {};
};
// The options outlive the request.
ReadRequest read_request(const std::filesystem::path& path, const CompileOptions& options);
FoundRoad find_road(const ReadRequest& request, const CompileOptions& options);
// Reads a program on a road; without one, reports that it is none.
Program read_on(const Road* road, const ReadRequest& request, Diagnostics& diagnostics);

// A program of any language, with types: for work that goes on with its clauses.
Program load_typed(const std::filesystem::path& path, const LoadOptions& options, Diagnostics& diagnostics);

bool is_saved_graph(const std::filesystem::path& path);  // by content, not by name

}  // namespace neumann
