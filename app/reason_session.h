// A program that is ready to be asked: compiled, with its names, an engine and what is to be printed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "options/program_options.h"
#include "print/reason_output.h"
#include "reason_engine.h"
#include "runtime/atom_names.h"
#include "runtime/scorer.h"

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
    ExampleBinder& binder() { return *binder_; }
    ReasonEngine& engine() { return *engine_; }
    const SupervisedAtoms& supervised() const { return *supervised_; }
    const ReasonOutput& output() const { return *output_; }

private:
    LoadedProgram loaded_;
    std::unique_ptr<AtomNames> names_;
    std::unique_ptr<ExampleBinder> binder_;
    std::unique_ptr<ReasonEngine> engine_;
    std::unique_ptr<SupervisedAtoms> supervised_;
    std::unique_ptr<ReasonOutput> output_;
};

}  // namespace neumann::app
