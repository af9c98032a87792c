// Translation of a proof from ids to names and sentences of the program.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <neumann/explanation.h>

#include "explain/run_view.h"
#include "explain/wording.h"
#include "ground/compiled_program.h"
#include "proofs/proof.h"

namespace neumann {

class Describer {
public:
    // Borrows the program, with its clauses and sentence templates, and interns terms into its table. `in_images`:
    // neural atoms come from images, not from the example's text. Atoms have the numbers of the positive graph.
    Describer(CompiledProgram& compiled, const PositiveGraph& positive, bool in_pictures);

    // References hold until the next call.
    const std::string& atom(std::uint32_t atom) { return words_of(atom).text; }
    const std::string& sentence(std::uint32_t atom) { return words_of(atom).sentence; }
    ExplainedStep::Origin origin(std::uint32_t atom) const;  // of its initial value

    // Values are those of the run; `gradient` is that of the explained atom by an initial value.
    ExplainedProof proof(const Proof& proof, const RunView& run, const std::function<double(std::uint32_t)>& gradient);

private:
    struct AtomWords {
        std::string text;
        std::string sentence;
    };
    struct RuleWords {
        std::vector<std::pair<std::string, std::string>> substitution;
        std::vector<std::uint32_t> order;  // of the premises: places in the body, in the clause's own order
    };
    const AtomWords& words_of(std::uint32_t atom);
    const RuleWords& words_of_rule(std::uint32_t conjunction);
    void describe_rule(const ProofStep& step, const RunView& run, ExplainedStep& told);
    void describe_fact(ExplainedStep& told, std::uint32_t atom);

    CompiledProgram& compiled_;
    const PositiveGraph& positive_;
    Wording wording_;
    bool in_pictures_;
    // Examples have most of their atoms and rules in common. Forgotten when they become too many.
    std::unordered_map<std::uint32_t, AtomWords> atoms_;
    std::unordered_map<std::uint32_t, RuleWords> rules_;
    // The facts of the program by the hash of predicate and arguments, made when first needed.
    std::optional<std::unordered_multimap<std::uint32_t, std::size_t>> facts_;
};

}  // namespace neumann
