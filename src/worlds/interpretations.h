// Interpretations: observations, example by example, under the distribution semantics. Computes their likelihood for
// given probabilities, and the expected count of each outcome of a choice (the E-step of EM).
//
// Probabilities are the same for all examples, so one pass over shared diagrams counts them all: observed atoms that
// have no choice in common are compiled apart, each set of atoms once, and each way in which such a set was observed is
// one root. Sets that are alike but for the names of their atoms are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "worlds/diagram_compiler.h"
#include "worlds/random_choices.h"

namespace neumann {

// An example that no world agrees with, or only worlds of probability 0.
struct ImpossibleExample {
    std::size_t number;  // in the order in which they were added
};

class Interpretations {
public:
    // Borrows the graph. `task` asks and observes nothing. `given`: per atom, whether its value comes with each
    // example, false if the example omits it; it is no event then. Its chances do not count.
    Interpretations(const ReasoningGraph& graph, WorldsTask task, std::vector<bool> given, CompileLimits limits);
    ~Interpretations();

    // The observations of the next example, each atom once. Throws ImpossibleExample, DiagramLimit, and any exception
    // of the limits' watch() throws.
    void add(std::span<const GraphLiteral> observed);
    void finish();  // there are no more

    std::size_t different() const { return families_.size(); }  // sets of atoms observed together

    // Of all examples together. A choice is counted in the examples that depend on how it comes out.
    struct Counts {
        double log_likelihood = 0;
        std::vector<double> clause;  // how often the choice of an instance came out for this clause
        std::vector<double> none;    // per clause: how often for none of its disjunction
    };
    // Throws ImpossibleExample, and ReasonError for probabilities that make no sense.
    Counts count(std::span<const double> weight) const;

private:
    struct Family;                         // atoms that are observed together
    struct Below {                         // the dependencies of an atom
        std::vector<std::uint32_t> atoms;  // itself included
        std::vector<std::uint32_t> choices;
        std::vector<std::uint32_t> given;
    };
    using Atoms = std::vector<std::uint32_t>;

    const Below& below(std::uint32_t atom);
    std::map<std::uint32_t, bool> with_given(std::span<const GraphLiteral> observed);
    const std::vector<std::pair<std::size_t, Atoms>>& families_of(const Atoms& pattern);
    std::size_t family_of(const Atoms& atoms);
    void count_family(const Family& family, std::span<const double> weight, Counts& counts) const;
    void add_counts(const Family& family, std::uint32_t choice, std::span<const double> by_way,
                    std::span<const double> weight, Counts& counts) const;

    const ReasoningGraph& graph_;
    WorldsTask task_;
    std::vector<bool> given_;
    CompileLimits limits_;
    std::vector<OptionalIndex> group_of_;                                   // per atom: its place in task_.exclusive
    RandomChoices choices_;                                                 // of the whole graph
    std::map<std::uint32_t, std::vector<std::uint32_t>> heads_;             // the clauses of a disjunction
    std::unordered_map<std::uint32_t, Below> below_;                        // per atom
    std::map<Atoms, std::vector<std::pair<std::size_t, Atoms>>> patterns_;  // families with their atoms
    std::map<Atoms, std::size_t> known_families_;                           // by the key of their subgraph
    std::vector<std::unique_ptr<Family>> families_;
    std::size_t examples_ = 0;
};

}  // namespace neumann
