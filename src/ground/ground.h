// Grounding: from a program with variables to its ground atoms and ground clauses as a forward reasoning graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "graph/graph.h"
#include "ground/atoms.h"
#include "logic/program.h"

namespace neumann {

enum class GroundMode {
    Full,      // every typed atom, every typed substitution: the paper's definition
    Relevant,  // the part that facts and neural predicates can reach, and queries depend on
};

enum class FactMode {
    Keep,      // facts and their certain consequences stay in the graph
    Evaluate,  // atoms that are 1 for every setting of weights and inputs are computed away
};

struct GroundOptions {
    GroundMode mode = GroundMode::Relevant;
    FactMode facts = FactMode::Keep;
    bool demand = true;  // relevant: ground only the part that queries with known arguments reach (ground/demand.h)
    unsigned threads = 1;
    std::size_t parallel_from = worth_a_thread;  // instances below which one thread does it all
    std::uint64_t memory_limit = 0;              // bytes; 0: four fifths of the available memory
    std::uint64_t most_new_numbers = 1'000'000;  // that arithmetic may add to open types
    Progress* progress = nullptr;                // borrowed; may be null
};

struct RuleStats {
    std::uint64_t instances = 0;
    std::uint64_t edges = 0;
    double seconds = 0;
};

// The probability of a fact as it was written; the graph has it rounded to a float.
struct FactChance {
    std::uint64_t atom;  // as wide as the other: files have these, and no gaps
    double probability;
};

struct GroundProgram {
    ReasoningGraph graph;
    AtomTable atoms;
    std::vector<FactChance> chances;  // of facts whose probability is no float, by atom
    std::vector<RuleStats> rules;     // per clause of the program
    std::uint64_t terms = 0;          // full: the typed universe; relevant: terms that occur in atoms
    double seconds = 0;
};

// Expects an analysed program; interns ground terms into its term table. Reports and returns nothing if the memory
// limit would be exceeded.
std::optional<GroundProgram> ground(Program& program, const GroundOptions& given, Diagnostics& diagnostics);

// Fills in how many conjunctions and edges each clause has in the graph.
void count_instances(GroundProgram& ground);

// The atoms that a query stands for, among those of the graph: all that match it.
std::vector<AtomId> matching_atoms(const Program& program, const AtomTable& atoms, const Query& query);

}  // namespace neumann
