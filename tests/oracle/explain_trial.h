// A random program with random weights and one example, explained, and a second way to reason over it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "compile/atom_names.h"
#include "explain/explainer.h"
#include "oracle/cases.h"
#include "reason/reference/reference.h"

namespace neumann::oracle {

class Trial {
public:
    const GraphReasoner& reasoner() const { return *reasoner_; }
    Trial(const Case& one, Semantics semantics, ExplainOptions options);

    CompiledProgram& compiled() { return loaded_.compiled; }
    const ReasoningGraph& graph() const { return loaded_.compiled.ground.graph; }
    const std::vector<double>& weights() const { return weights_; }
    const std::vector<double>& initial() const { return initial_; }  // the program's facts and the example
    const ReferenceReasoner& reference() const { return *reference_; }

    std::vector<std::uint32_t> chosen();  // a few atoms that something derives
    Explanation explain(std::uint32_t atom);
    double value_with(std::uint32_t atom, const std::vector<double>& weights, const std::vector<double>& initial) const;

    std::uint32_t number(const std::string& text);  // as the program's own reader understands it
    bool is_neural(std::uint32_t atom) const;
    // By their definition: all but the last argument are the same, and the last one is of a type of its own, with more
    // than one constant.
    std::vector<std::uint32_t> rivals_of(std::uint32_t atom) const;
    // The inputs when an atom is `value`: what it gains its rivals lose, in proportion.
    std::vector<double> with(std::uint32_t atom, double value) const;

    // An atom or a term of a clause with variables replaced by what the step says they are; nothing if it does not say.
    std::optional<std::string> instance(const Clause& clause, const Atom& atom, const ExplainedStep& step) const;
    std::optional<std::string> term(const Clause& clause, TermId id, const ExplainedStep& step) const;

private:
    const Signature& signature() const { return loaded_.compiled.program.signature; }

    Rng rng_;
    LoadedProgram loaded_;
    std::unique_ptr<AtomNames> names_;
    std::unique_ptr<GraphReasoner> reasoner_;
    std::unique_ptr<ReferenceReasoner> reference_;
    std::unique_ptr<Explainer> explainer_;
    std::vector<double> weights_;
    std::vector<double> initial_;
};

// What is wrong with an explanation; empty if nothing is.
using CheckOne = std::function<std::string(Trial&, std::uint32_t atom, const Explanation&)>;

void check_explanations(std::uint64_t first_seed, std::uint64_t count, Semantics semantics,
                        const ExplainOptions& options, const CheckOne& check);

}  // namespace neumann::oracle
