// A program that is ready to be asked: compiled, with its names, an engine and what is to be printed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "options/program_options.h"
#include "reason_engine.h"
#include "reason_output.h"
#include "runtime/atom_names.h"

namespace neumann::app {

struct SessionOptions {
    std::filesystem::path path;
    ReadingOptions reading;
    GroundingOptions grounding;
    std::vector<double> weights;  // empty: the program's own
    EngineOptions engine;
    OutputOptions output;
};

class ReasonSession {
public:
    // `inputs` are predicates that get values from examples beside the neural ones. Prints what is wrong and throws
    // CommandFailed, or UsageError.
    ReasonSession(const SessionOptions& options, const std::vector<std::string>& inputs);
    ReasonSession(const ReasonSession&) = delete;
    ReasonSession& operator=(const ReasonSession&) = delete;

    const CompiledProgram& compiled() const { return loaded_.compiled; }
    AtomNames& names() { return *names_; }
    ReasonEngine& engine() { return *engine_; }
    const ReasonOutput& output() const { return *output_; }

private:
    LoadedProgram loaded_;
    std::unique_ptr<AtomNames> names_;
    std::unique_ptr<ReasonEngine> engine_;
    std::unique_ptr<ReasonOutput> output_;
};

}  // namespace neumann::app
