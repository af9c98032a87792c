// Learning problem, grounded: the program without clauses of the learned predicates, the atoms of all examples, and the
// candidates of the search. Each candidate is grounded once; graphs are put together from the
// pieces.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ground/clause_grounder.h"
#include "learn/clauses/refine.h"
#include "learn/task/examples.h"
#include "logic/program.h"
#include "reason/semantics.h"

namespace neumann {

// Body atoms, functors and constants, anywhere, and a little for every tuple of arguments: clauses with
// several goals about the same objects, in the same order, are easier to read.
double written_size(const TermTable& terms, const Clause& clause);

struct Candidate {
    SearchClause clause;
    std::uint32_t target = 0;                        // which of the program's learn directives
    std::shared_ptr<const InstanceBlock> instances;  // shared with candidates that have the same
    double size = 0;                                 // the size of the grounded clauses' text
};

class LearningProblem {
public:
    // The program is analysed, and has no clauses of the learned predicates. Inputs of examples become its facts of
    // probability 0, so that only atoms of some example are joined. The laws are those of the semantics
    // that weighs the candidates: if instances of a clause compete, candidates are grounded as their reducts.
    // Reports errors in the declarations; throws GroundingLimit, IdOverflow. A program with nothing left to
    // learn can be run as it is.
    LearningProblem(Program program, const AtomPool& pool, std::span<const ExampleSet* const> sets,
                    const GroundOptions& options, const SemanticsLaws& laws, Diagnostics& diagnostics);

    Program& program() { return program_; }
    const Program& program() const { return program_; }
    std::span<const LearnTarget> targets() const { return program_.learn; }
    const ClauseGrounder& grounder() const { return *grounder_; }

    // The graph's number of an atom of the pool; no_atom_number if nothing can derive it and no example gives it.
    static constexpr std::uint32_t no_atom_number = 0xffffffffU;
    std::uint32_t atom(std::uint32_t pool_atom) const { return atom_of_pool_[pool_atom]; }
    // Atoms that examples may give values to.
    const std::vector<bool>& is_input() const { return is_input_; }

    // Once `stop` is true, adding candidates throws LearningInterrupted. May be null.
    void interrupt_by(const std::atomic<bool>* stop);

    // The candidate's number; the same for the same clause. None (no_candidate) if the clause has no instance.
    // Throws GroundingLimit where the instances of all candidates take too much memory.
    static constexpr std::uint32_t no_candidate = 0xffffffffU;
    std::uint32_t add(const SearchClause& clause);
    // Whether the reduct of a clause can stand for it.
    bool reducts_are_equal() const { return reducts_are_equal_; }
    const Candidate& candidate(std::uint32_t number) const { return candidates_[number]; }
    std::size_t candidate_count() const { return candidates_.size(); }

private:
    void declare_inputs(const AtomPool& pool, std::span<const ExampleSet* const> sets);

    Program program_;
    bool reducts_are_equal_;
    std::uint64_t most_bytes_;  // of instances
    std::uint64_t bytes_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    std::unique_ptr<ClauseGrounder> grounder_;  // borrows the program
    std::vector<std::uint32_t> atom_of_pool_;
    std::vector<bool> is_input_;
    std::vector<Candidate> candidates_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> by_key_;
    std::map<std::vector<std::uint32_t>, std::shared_ptr<const InstanceBlock>>
        by_grounded_;  // by the key of the grounded form
};

}  // namespace neumann
