// Best and next best derivations against all there are, on random graphs small enough to list them.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/every_semantics.h"
#include "oracle/random_graph.h"
#include "proofs/proof.h"
#include "proofs/top_proofs.h"
#include "reason/reasoner.h"

namespace neumann::oracle {
namespace {

// The AND of a weight and a body.
double conjunction_of(Semantics semantics, double weight, std::span<const double> body) {
    double value = weight;
    for (const double x : body) value = info(semantics).both(value, x);
    return value;
}

constexpr std::size_t most_listed = 5000;

// The values of all derivations of an atom in which no atom stands above itself, by trying everything.
class AllDerivations {
public:
    AllDerivations(const ReasoningGraph& graph, Semantics semantics, std::span<const double> weights,
                   std::span<const float> initial)
        : graph_(graph), semantics_(semantics), weights_(weights), initial_(initial) {}

    // Nothing if there are too many.
    std::optional<std::vector<double>> values(std::uint32_t atom, std::uint32_t depth) {
        above_.clear();
        std::vector<double> result = list(atom, depth);
        if (result.size() > most_listed) return std::nullopt;
        std::ranges::sort(result, std::greater());
        return result;
    }

private:
    std::vector<double> list(std::uint32_t atom, std::uint32_t depth) {
        std::vector<double> result;
        if (initial_[atom] > 0) result.push_back(static_cast<double>(initial_[atom]));
        if (depth == 0) return result;
        above_.push_back(atom);
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1] && result.size() <= most_listed;
             ++c) {
            std::vector<std::vector<double>> chosen{{}};  // the values of the premises so far
            for (const GraphLiteral literal : graph_.literals(c)) {
                const std::uint32_t premise = literal.atom();
                const bool loops = std::ranges::find(above_, premise) != above_.end();
                const std::vector<double> ways = loops ? std::vector<double>() : list(premise, depth - 1);
                std::vector<std::vector<double>> longer;
                for (const std::vector<double>& one : chosen) {
                    for (const double way : ways) {
                        if (longer.size() > most_listed) break;
                        longer.push_back(one);
                        longer.back().push_back(way);
                    }
                }
                chosen = std::move(longer);
            }
            for (const std::vector<double>& body : chosen) {
                const double value = conjunction_of(semantics_, weights_[graph_.clause[c]], body);
                if (value > 0) result.push_back(value);
            }
        }
        above_.pop_back();
        return result;
    }

    const ReasoningGraph& graph_;
    Semantics semantics_;
    std::span<const double> weights_;
    std::span<const float> initial_;
    std::vector<std::uint32_t> above_;
};

// The value of a proof, from its leaves; and that it is one.
double checked_value(const ReasoningGraph& graph, const Proof& proof, Semantics semantics,
                     std::span<const double> weights, std::span<const float> initial) {
    std::function<double(std::uint32_t, std::vector<std::uint32_t>)> value = [&](std::uint32_t number,
                                                                                 std::vector<std::uint32_t> above) {
        const ProofStep& step = proof.steps[number];
        EXPECT_EQ(std::ranges::find(above, step.atom), above.end()) << "an atom above itself";
        if (step.conjunction == Derivations::given) return static_cast<double>(initial[step.atom]);
        EXPECT_EQ(graph.head[step.conjunction], step.atom);
        const auto literals = graph.literals(step.conjunction);
        EXPECT_EQ(literals.size(), step.premises.size());
        above.push_back(step.atom);
        std::vector<double> body;
        for (std::size_t i = 0; i < step.premises.size(); ++i) {
            EXPECT_EQ(proof.steps[step.premises[i]].atom, literals[i].atom());
            body.push_back(value(step.premises[i], above));
        }
        return conjunction_of(semantics, weights[graph.clause[step.conjunction]], body);
    };
    return value(0, {});
}

class ProofOracle : public testing::TestWithParam<Semantics> {};
INSTANTIATE_TEST_SUITE_P(Every, ProofOracle, every_semantics(), semantics_name);

TEST_P(ProofOracle, FindsTheBestOfAllDerivations) {
    const Semantics semantics = GetParam();
    const bool exact = info(semantics).idempotent_or;
    std::size_t compared = 0;
    std::size_t cyclic = 0;
    std::size_t too_many = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Rng rng(seed);
        GraphShape shape;
        shape.atoms = 3 + rng.below(6);
        shape.clauses = 1 + rng.below(4);
        shape.instances = 2 + rng.below(18);
        shape.longest_body = 1 + rng.below(3);
        const ReasoningGraph graph = random_graph(rng, shape);
        ReasonOptions options;
        options.semantics = semantics;
        if (info(semantics).needs_steps || rng.chance(0.5)) options.steps = rng.below(6);
        const auto reasoner = make_reasoner(graph, options);
        const std::vector<float> initial = random_values(rng, graph.atom_count());
        const Pass run = reasoner->forward(InputBatch(1), reasoner->own_weights(), {.initial = initial});
        std::vector<float> values(graph.atom_count());
        run.values(0, values);

        const Schedule& schedule = reasoner->schedule();
        const bool limited = schedule.cyclic_components > 0 && !exact;
        const std::vector<std::uint32_t> rounds = limited ? run.rounds(0) : std::vector<std::uint32_t>();
        cyclic += schedule.automatic && schedule.cyclic_components > 0 ? 1 : 0;
        Derivations derivations(reasoner->graph(), schedule);
        AllDerivations all(graph, semantics, reasoner->own_weights(), initial);
        for (std::uint32_t atom = 0; atom < graph.atom_count(); ++atom) {
            SCOPED_TRACE(fmt::format("seed {}, atom {}, {}", seed, atom,
                                     options.steps ? fmt::format("{} steps", *options.steps) : "automatic"));
            DerivationTask task{.root = atom,
                                .norm = info(semantics).both,
                                .weights = reasoner->own_weights(),
                                .initial = std::span<const float>(initial),
                                .ceiling = std::span<const float>(values),
                                .rounds = rounds,
                                .only_best = true};
            derivations.find(task);
            const Proof best = best_proof(derivations);
            const auto value = static_cast<double>(values[atom]);
            if (exact) {
                ASSERT_NEAR(best.value(), value, 1e-6);
            } else {
                ASSERT_LE(best.value(), value + 2e-6);
            }
            if (!best.empty()) {
                ASSERT_NEAR(checked_value(graph, best, semantics, reasoner->own_weights(), initial), best.value(),
                            1e-12);
            }
            // Where a cyclic part stops after some rounds, which derivations were completed is another question.
            if (schedule.automatic && limited) continue;
            const std::optional<std::vector<double>> listed =
                all.values(atom, options.steps.value_or(graph.atom_count()));
            if (!listed) {
                ++too_many;
                continue;
            }
            ++compared;
            ASSERT_NEAR(best.value(), listed->empty() ? 0 : listed->front(), 1e-9);

            task.only_best = false;
            derivations.find(task);
            ProofSearch search(derivations);
            std::vector<Proof> found;
            const std::size_t wanted = std::min<std::size_t>(listed->size(), 20);
            while (found.size() < wanted) {
                std::optional<Proof> proof = search.next();
                ASSERT_TRUE(proof) << found.size() << " of " << wanted;
                ASSERT_NEAR(proof->value(), (*listed)[found.size()], 1e-6);
                ASSERT_NEAR(checked_value(graph, *proof, semantics, reasoner->own_weights(), initial), proof->value(),
                            1e-12);
                ASSERT_EQ(std::ranges::find(found, *proof), found.end()) << "found twice";
                found.push_back(std::move(*proof));
            }
            if (wanted == listed->size()) {
                ASSERT_FALSE(search.next());
            }
        }
    }
    fmt::print("{} atoms compared, {} graphs with cycles, {} atoms with too many derivations\n", compared, cyclic,
               too_many);
    EXPECT_GT(compared, 1000U);
    EXPECT_LT(too_many, compared / 5);
}

}  // namespace
}  // namespace neumann::oracle
