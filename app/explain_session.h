// A program that is ready to be explained: compiled for the atoms that are asked about, with its names, a reasoner and
// an explainer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "explain/explainer.h"
#include "options/program_options.h"
#include "runtime/atom_names.h"
#include "runtime/bind_examples.h"

namespace neumann::app {

struct ExplainSessionOptions {
    std::filesystem::path path;
    ReadingOptions reading;
    GroundingOptions grounding;
    ReasonOptions reason;
    ExplainOptions explain;
    std::vector<std::string> atoms;    // what to explain, with or without variables; empty: what the program asks for
    std::vector<std::string> trusted;  // "query3/4": inputs that are never to blame
    std::size_t answers = 1;           // of what matches an atom with variables, the best
};

class ExplainSession {
public:
    // `inputs` as for ReasonSession. Prints what is wrong and throws CommandFailed, or UsageError.
    ExplainSession(const ExplainSessionOptions& options, const std::vector<std::string>& inputs);
    ExplainSession(const ExplainSession&) = delete;
    ExplainSession& operator=(const ExplainSession&) = delete;

    const CompiledProgram& compiled() const { return loaded_.compiled; }
    AtomNames& names() { return *names_; }
    ExampleBinder& binder() { return *binder_; }

    // Calls `take` for every explanation, example by example; throws what it throws.
    void explain(std::span<const BoundExample> examples,
                 const std::function<void(const BoundExample&, Explanation)>& take);

private:
    void compile(const ExplainSessionOptions& options, const std::vector<std::string>& inputs, bool in_full);
    std::vector<std::uint32_t> best_atoms(const AtomNames::QueryAtoms& query, std::size_t example) const;

    LoadedProgram loaded_;
    std::unique_ptr<AtomNames> names_;
    std::unique_ptr<ExampleBinder> binder_;
    std::vector<AtomNames::QueryAtoms> questions_;  // what is explained
    std::size_t answers_;
    std::unique_ptr<GraphReasoner> reasoner_;
    std::unique_ptr<Explainer> explainer_;
};

}  // namespace neumann::app
