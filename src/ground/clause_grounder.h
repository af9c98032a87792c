// Grounder for many candidate clauses over the same atoms: the program once, then clause by clause. The instances of a
// clause can be kept, and graphs are assembled from such pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ground/engine.h"
#include "ground/numbers.h"
#include "ground/relation.h"
#include "ground/universe.h"

namespace neumann {

class ClauseGrounder {
public:
    // Grounds the program as it is (relevant, nothing left out). Predicates in `open` may hold of anything: all their
    // typed atoms exist, as those of neural predicates do, so that any clause may derive them. Expects an analysed
    // program; interns terms into it. Throws GroundingLimit, IdOverflow.
    ClauseGrounder(Program& program, const std::vector<bool>& open, const GroundOptions& options,
                   Diagnostics& diagnostics);
    ClauseGrounder(const ClauseGrounder&) = delete;
    ClauseGrounder& operator=(const ClauseGrounder&) = delete;

    const AtomTable& atoms() const { return atoms_; }
    std::uint32_t background_clauses() const { return static_cast<std::uint32_t>(background_weights_.size()); }
    std::optional<std::uint32_t> find(PredicateId predicate, std::span<const TermId> args) const;

    // Called now and then while a clause is grounded; an exception ends the grounding.
    void watch(std::function<void()> watch) { watch_ = std::move(watch); }

    // The instances of a clause whose head is an atom of an open predicate, as rows of atom numbers. Its variables may
    // range over the types of open predicates and of the variables that the body binds. Throws GroundingLimit.
    InstanceBlock ground(const Clause& clause);

    // The program's own ground clauses and those of the given blocks, which become the clauses that follow the
    // program's. The order of `added` decides theirs.
    ReasoningGraph assemble(std::span<const InstanceBlock* const> added, std::span<const double> weights) const;

private:
    Program& program_;
    TermBounds bounds_;
    GroundOptions options_;
    AtomTable atoms_;
    std::vector<InstanceBlock> background_;
    PodVector<float> initial_;
    std::vector<double> background_weights_;
    Universe universe_;
    NumberTable numbers_;
    std::vector<Relation> relations_;  // per predicate: row r is atom range.first + r
    std::function<void()> watch_;
};

}  // namespace neumann
