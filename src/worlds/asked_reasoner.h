// Reasoner for one example after the other: a solver computes the values of a task's queries under the distribution
// semantics; no other atom has a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reason/reasoner.h"
#include "worlds/random_choices.h"

namespace neumann {

// The values of WorldsTask::asked in an example.
struct SolvedExample {
    // Of the solver, for what is computed later.
    struct Kept {
        virtual ~Kept() = default;
    };
    std::vector<double> values;
    std::vector<ValueBounds> bounds;  // of the exact values; empty: none are known, or not yet
    std::size_t steps = 0;            // worlds or proofs that count
    std::shared_ptr<const Kept> kept;
};

// Derivatives by facts and clauses.
struct MemberSums {
    std::span<double> by_atom;
    std::span<double> by_clause;
};

// All functions may be called from several threads at once.
class ExampleSolver {
public:
    ExampleSolver() = default;
    ExampleSolver(const ExampleSolver&) = delete;
    ExampleSolver& operator=(const ExampleSolver&) = delete;
    virtual ~ExampleSolver() = default;

    virtual const WorldsTask& task() const = 0;
    virtual std::string description() const = 0;
    virtual std::size_t bytes() const = 0;
    // Whether it uses the threads within each example: then examples are solved one after the other.
    virtual bool is_parallel() const { return false; }
    // Throws ReasonError, without the number of the example.
    virtual SolvedExample solve(const Chances& chances) const = 0;
    // Of the values, for solvers that find them only when they are read.
    virtual std::vector<ValueBounds> bounds(const Chances&, const SolvedExample& solved) const { return solved.bounds; }
    // Adds the derivatives of the sum of seeds times values; a seed for each value.
    virtual void differentiate(const Chances& chances, const SolvedExample& solved, std::span<const double> seeds,
                               const MemberSums& to) const;
};

// Adds derivatives by the ways of a choice to those by facts and clauses.
void add_to_members(std::span<const RandomChoices::Member> members, std::span<const double> by_way,
                    const MemberSums& to);

// How a reasoner with a solver is described to others.
constexpr EngineInfo solver_engine(const SemanticsSummary& laws) {
    return {.name = laws.name,
            .command_name = laws.name,
            .summary = laws.summary,
            .gradients = laws.has_gradients,
            .double_precision = true,
            .automatic_steps = true,
            .make = nullptr};
}

// The engine has to be a constant: passes that outlive the reasoner refer to it.
std::unique_ptr<GraphReasoner> make_asked_reasoner(const EngineInfo& engine, const SemanticsSummary& laws,
                                                   ReasoningGraph graph, const GraphLevels& levels,
                                                   const ReasonOptions& options,
                                                   std::unique_ptr<const ExampleSolver> solver);

}  // namespace neumann
