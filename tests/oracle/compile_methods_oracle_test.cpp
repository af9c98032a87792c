// Eliminated tables, sums and exhaustive search against the distribution semantics by its definition: all worlds of
// random graphs.
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/random_worlds.h"
#include "worlds/circuit_evaluation.h"
#include "worlds/compile.h"

namespace neumann::oracle {
namespace {

constexpr double value_tolerance = 1e-12;
constexpr double derivative_tolerance = 1e-9;
constexpr std::size_t most_worlds = 2000;

// Values and derivatives by all parameters of the graph.
struct Computed {
    double observed;
    std::vector<double> joint;
    std::vector<double> by_atom;
    std::vector<double> by_clause;
};

Computed compute(const Puzzle& puzzle, const Circuit& circuit) {
    std::vector<double> facts;
    std::vector<double> clauses;
    for (const std::uint32_t atom : circuit.facts) facts.push_back(puzzle.initial[atom]);
    for (const std::uint32_t clause : circuit.clauses) clauses.push_back(puzzle.weight[clause]);
    CircuitEvaluation<double> evaluation(circuit);
    evaluation.forward(facts, clauses);
    Computed result{evaluation.value(circuit.observed), {}, {}, {}};
    for (const Circuit::Node node : circuit.asked) result.joint.push_back(evaluation.value(node));
    std::vector<double> seeds(circuit.asked.size() + 1, 0.5);
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] += 0.25 * static_cast<double>(i % 5);
    const std::vector<double> by_parameter = evaluation.backward(seeds);
    result.by_atom.assign(puzzle.atoms, 0.0);
    result.by_clause.assign(puzzle.weight.size(), 0.0);
    for (std::size_t i = 0; i < facts.size(); ++i) result.by_atom[circuit.facts[i]] = by_parameter[i];
    for (std::size_t i = 0; i < clauses.size(); ++i)
        result.by_clause[circuit.clauses[i]] = by_parameter[facts.size() + i];
    return result;
}

std::string compare(const char* name, const std::vector<double>& found, const std::vector<double>& expected,
                    double tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (!(std::abs(found[i] - expected[i]) <= tolerance))
            return fmt::format("{} {}: {} where {} is expected", name, i, found[i], expected[i]);
    return {};
}

// What differs; absent: this method cannot do the program.
std::optional<std::string> difference(const Puzzle& puzzle, std::vector<std::uint32_t> asked, CompileMethod method,
                                      bool fixed) {
    const ReasoningGraph graph = graph_of(puzzle);
    const GraphLevels levels = find_levels(graph);
    WorldsTask task = task_of(puzzle);
    task.asked = std::move(asked);
    if (fixed) task.fixed_weights = puzzle.weight;
    const RandomChoices choices(graph, task);
    std::optional<Circuit> compiled;
    const CompileLimits limits;
    try {
        compiled = compile_circuit(graph, levels, task, choices, limits, method);
    } catch (const DiagramLimit&) {
        return std::nullopt;
    }
    const Computed found = compute(puzzle, *compiled);
    const std::vector<double> joint = WorldEnumeration(puzzle).joint(puzzle.weight, puzzle.initial);
    std::vector<double> expected;
    for (const std::uint32_t atom : task.asked) expected.push_back(joint[atom + 1]);
    std::string wrong = compare("evidence", {found.observed}, {joint[0]}, value_tolerance);
    if (wrong.empty()) wrong = compare("query", found.joint, expected, value_tolerance);
    if (fixed) return wrong;  // nothing is differentiated by them
    const Computed diagrams =
        compute(puzzle, make_circuit(choices, compile_diagrams(graph, levels, task, choices, limits)));
    if (wrong.empty()) wrong = compare("by atom", found.by_atom, diagrams.by_atom, derivative_tolerance);
    if (wrong.empty()) wrong = compare("by clause", found.by_clause, diagrams.by_clause, derivative_tolerance);
    return wrong;
}

// Disjunctions that always have a head.
void complete(Puzzle& puzzle) {
    std::map<std::uint32_t, double> sums;
    for (std::size_t k = 0; k < puzzle.weight.size(); ++k)
        if (puzzle.disjunction[k]) sums[*puzzle.disjunction[k]] += puzzle.weight[k];
    for (std::size_t k = 0; k < puzzle.weight.size(); ++k)
        if (puzzle.disjunction[k]) puzzle.weight[k] /= sums[*puzzle.disjunction[k]];
}

void compare_random_programs(CompileMethod method, bool fixed, int least = 2'000) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
        Rng rng(seed);
        Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_worlds) continue;
        if (fixed) complete(puzzle);
        const std::vector<std::uint32_t> one{static_cast<std::uint32_t>(rng.below(puzzle.atoms))};
        for (const std::vector<std::uint32_t>& asked : {task_of(puzzle).asked, one}) {
            const std::optional<std::string> wrong = difference(puzzle, asked, method, fixed);
            if (!wrong) continue;
            ++compared;
            ASSERT_EQ(*wrong, "") << name_of(method) << ", seed " << seed;
        }
    }
    EXPECT_GT(compared, least);
}

TEST(CompileMethodsOracle, CircuitsOfTablesAreThoseOfAllWorlds) {
    compare_random_programs(CompileMethod::Tables, false);
}
TEST(CompileMethodsOracle, TablesOfCompleteDisjunctions) { compare_random_programs(CompileMethod::Tables, true); }
// Few random programs are of their form.
TEST(CompileMethodsOracle, CircuitsOfSumsAreThoseOfAllWorlds) {
    compare_random_programs(CompileMethod::Sums, false, 200);
    compare_random_programs(CompileMethod::Sums, true, 200);
}
TEST(CompileMethodsOracle, CircuitsOfSearchAreThoseOfAllWorlds) {
    compare_random_programs(CompileMethod::Search, false);
}
TEST(CompileMethodsOracle, SearchOfCompleteDisjunctions) { compare_random_programs(CompileMethod::Search, true); }

}  // namespace
}  // namespace neumann::oracle
