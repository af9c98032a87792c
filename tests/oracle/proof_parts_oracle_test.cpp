// The parts of a probability by proofs, against all worlds of random graphs: they exclude each other, come in order,
// and add up to it, with nothing left over once all proofs are there.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/levels.h"
#include "oracle/random_worlds.h"
#include "proofs/top_proofs.h"
#include "reason/formulas.h"
#include "reason/reasoner.h"
#include "worlds/compile.h"
#include "worlds/proof_worlds.h"

namespace neumann::oracle {
namespace {

constexpr double rounding = 1e-9;
constexpr std::size_t most_enumerated = 1000;
constexpr std::size_t most_proofs = 300;

struct Found {
    std::vector<Proof> proofs;
    bool all = false;
};

// The proofs of an atom, the best first.
class Prover {
public:
    explicit Prover(const ReasoningGraph& graph)
        : graph_(graph), positive_(graph), reasoner_(make_reasoner(graph, options())),
          derivations_(positive_.graph(), reasoner_->schedule()) {
        const Pass run = reasoner_->forward(InputBatch(1), reasoner_->own_weights(), {});
        values_.resize(graph.atom_count());
        initial_.resize(graph.atom_count());
        run.values(0, values_);
        run.initials(0, initial_);
        double (*const negation)(double) = formulas::formulas_of(options().semantics).negation;
        positive_.append_negations(initial_, values_, negation);
        positive_.append_negations(values_, values_, negation);
    }

    Found find(std::uint32_t atom) {
        derivations_.find({.root = atom,
                           .norm = info(options().semantics).both,
                           .weights = graph_.weight.span(),
                           .initial = initial_,
                           .ceiling = values_,
                           .rounds = {},
                           .only_best = false});
        ProofSearch search(derivations_);
        Found found;
        while (found.proofs.size() < most_proofs) {
            std::optional<Proof> proof = search.next();
            if (!proof) {
                found.all = !search.given_up();
                break;
            }
            found.proofs.push_back(std::move(*proof));
        }
        return found;
    }
    const PositiveGraph& positive() const { return positive_; }

private:
    static ReasonOptions options() {
        ReasonOptions options;
        options.semantics = *find_semantics("max-product");
        return options;
    }
    const ReasoningGraph& graph_;
    PositiveGraph positive_;
    std::unique_ptr<GraphReasoner> reasoner_;
    Derivations derivations_;
    std::vector<float> values_;
    std::vector<float> initial_;
};

// What is wrong with the parts of one atom; empty: nothing.
std::string check(const ProofWorlds::Partition& partition, double value, bool all) {
    double sum = partition.rest;
    double before = 2;
    for (const ProofWorlds::Part& part : partition.parts) {
        if (part.part > before + rounding) return "parts are not in order";
        if (part.part > part.alone + rounding) return "a part is larger than its proof";
        before = part.part;
        sum += part.part;
    }
    if (std::abs(sum - value) > rounding) return fmt::format("parts add up to {} where {} is expected", sum, value);
    if (all && partition.rest > rounding) return fmt::format("{} is left over", partition.rest);
    return {};
}

TEST(ProofPartsOracle, PartsAddUp) {
    int programs = 0;
    int complete = 0;
    for (std::uint64_t seed = 1; programs < 3'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_enumerated) continue;
        const std::optional<std::vector<double>> values =
            WorldEnumeration(puzzle).conditional(puzzle.weight, puzzle.initial);
        if (!values) continue;
        ++programs;
        const ReasoningGraph graph = graph_of(puzzle);
        const WorldsTask task = task_of(puzzle);
        RandomChoices choices(graph, task);
        CompiledWorlds diagrams = compile_diagrams(graph, find_levels(graph), task, choices, {});
        ProofWorlds worlds(graph, task, std::move(choices), std::move(diagrams));
        worlds.weigh({graph.initial.span(), graph.weight.span()});
        Prover prover(graph);
        for (std::uint32_t atom = 0; atom < graph.atom_count(); ++atom) {
            ASSERT_NEAR(worlds.value(atom), (*values)[atom], rounding) << "seed " << seed << ", atom " << atom;
            const Found found = prover.find(atom);
            complete += found.all && !found.proofs.empty() ? 1 : 0;
            ASSERT_EQ(check(worlds.partition(atom, found.proofs, prover.positive()), (*values)[atom], found.all), "")
                << "seed " << seed << ", atom " << atom;
        }
    }
    EXPECT_GT(complete, 5'000);
}

// Slopes by central differences of the enumeration.
TEST(ProofPartsOracle, GradientsAreSlopes) {
    constexpr double step = 1e-5;
    int compared = 0;
    for (std::uint64_t seed = 1; compared < 2'000; ++seed) {
        Rng rng(seed);
        const Puzzle puzzle = random_puzzle(rng);
        if (puzzle.worlds() > most_enumerated / 10) continue;
        WorldEnumeration enumeration(puzzle);
        if (!enumeration.conditional(puzzle.weight, puzzle.initial)) continue;
        const ReasoningGraph graph = graph_of(puzzle);
        const WorldsTask task = task_of(puzzle);
        RandomChoices choices(graph, task);
        CompiledWorlds diagrams = compile_diagrams(graph, find_levels(graph), task, choices, {});
        ProofWorlds worlds(graph, task, std::move(choices), std::move(diagrams));
        worlds.weigh({graph.initial.span(), graph.weight.span()});
        const auto atom = static_cast<std::uint32_t>(rng.below(puzzle.atoms));
        std::vector<float> by_atom(graph.atom_count());
        std::vector<float> by_clause(graph.clause_count());
        worlds.add_gradients(atom, by_atom, by_clause);
        for (std::uint32_t k = 0; k < puzzle.weight.size(); ++k) {
            if (puzzle.weight[k] <= step || puzzle.weight[k] >= 1 - step) continue;
            std::vector<double> more = puzzle.weight;
            std::vector<double> less = puzzle.weight;
            more[k] += step;
            less[k] -= step;
            const auto above = enumeration.conditional(more, puzzle.initial);
            const auto below = enumeration.conditional(less, puzzle.initial);
            if (!above || !below) continue;
            ++compared;
            const double slope = ((*above)[atom] - (*below)[atom]) / (2 * step);
            ASSERT_NEAR(by_clause[k], slope, 1e-3 * (1 + std::abs(slope))) << "seed " << seed << ", clause " << k;
        }
    }
}

}  // namespace
}  // namespace neumann::oracle
