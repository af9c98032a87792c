// Explainer of atom values: proofs, gradients, shares and near misses, from one forward and one backward pass over a
// batch of examples.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <neumann/explanation.h>

#include "explain/describe.h"
#include "explain/near_misses.h"
#include "explain/objects.h"
#include "explain/run_view.h"
#include "ground/compiled_program.h"
#include "proofs/derivations.h"
#include "proofs/positive_graph.h"
#include "reason/reasoner.h"
#include "worlds/proof_worlds.h"

namespace neumann {

struct ExplainOptions {
    std::size_t proofs = 1;
    double threshold = 0.5;  // from which on a value counts as true
    enum class WhyNot : std::uint8_t { WhenFalse, Always, Never };
    WhyNot why_not = WhyNot::WhenFalse;
    NearMissOptions near;
    bool leave_one_out = false;  // run again without each clause and input that has a share
    bool history = false;
    bool in_pictures = false;  // neural atoms come from images
    // Exact probabilities: compiles the worlds of some atoms. Then the reasoner only looks for proofs, values are
    // exact, and proofs are shown as parts that exclude each other.
    std::function<ProofWorlds(std::span<const std::uint32_t> atoms)> worlds;
    std::vector<std::uint32_t> asked = {};  // atoms that may be explained, if there are worlds
    std::string_view semantics = {};        // … and the meaning of values
};

class Explainer {
public:
    // Borrows program and reasoner, which belong together. A loaded program needs its texts restored.
    Explainer(CompiledProgram& compiled, const GraphReasoner& reasoner, ExplainOptions options);
    Explainer(const Explainer&) = delete;
    Explainer& operator=(const Explainer&) = delete;

    // Reasons over examples with the weights of the graph; all that follows is about these.
    void run(const InputBatch& inputs);
    double value(std::uint32_t atom, std::size_t example);

    // One atom of each example.
    void differentiate(std::span<const std::uint32_t> atoms);
    // Atoms of an example that are not in the graph because no query depends on them.
    struct Unneeded {
        std::string atom;
        double value;
    };
    // The atom of an example that differentiate() was asked about.
    Explanation explain(std::size_t example, std::string id, std::span<const Unneeded> unneeded = {});

private:
    struct Found;                                // data about the atom that is being explained
    static constexpr double no_gradient = 1e-7;  // the rounding error of 32-bit floats around 0
    double gradient(std::uint32_t atom, std::size_t example) const {
        const auto found = static_cast<double>(by_atom_[example * reasoner_.graph().atom_count() + atom]);
        return std::abs(found) <= no_gradient ? 0 : found;
    }
    DerivationTask task_of(const Found& found, std::uint32_t root, bool only_best) const;
    void add_proofs(Found& found);
    std::vector<Proof> find_proofs(Found& found);
    void split_value(Found& found, std::vector<Proof>& proofs);
    ProofWorlds& worlds_of(std::size_t example);
    std::vector<float> own_initials(std::size_t example) const;
    void add_clauses(Found& found);
    void add_inputs(Found& found);
    void add_objects(Found& found);
    void add_history(Found& found);
    void add_why_not(Found& found, std::span<const Unneeded> unneeded);
    Failure describe_failure(const Found& found, std::uint32_t atom, std::span<const Unneeded> unneeded);
    std::string why_impossible(std::uint32_t atom) const;
    void leave_out(Found& found);
    void leave_out_worlds(Found& found);

    CompiledProgram& compiled_;
    const GraphReasoner& reasoner_;
    ExplainOptions options_;
    PositiveGraph positive_;
    Describer describer_;
    ObjectAtoms objects_;
    Derivations derivations_;
    NearMisses near_misses_;
    std::vector<std::uint32_t> possible_inputs_;  // atoms that are neural or have facts, ascending
    InputBatch inputs_;
    std::vector<std::uint32_t> atoms_;  // per example: the explained atom
    Pass run_;
    std::vector<float> by_atom_;    // gradients: a row of all atoms per example
    std::vector<float> by_clause_;  // … of all clauses
    std::optional<ProofWorlds> worlds_;
    std::size_t weighed_ = SIZE_MAX;  // the example that the worlds have the chances of
};

}  // namespace neumann
