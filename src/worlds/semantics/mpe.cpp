// The most probable explanation (MPE): an answer has the probability of the most probable way in which the random
// choices that matter to it come out so that it and the evidence hold, given the evidence. Found by best paths through
// decision diagrams. Outcomes of a choice that make no difference to an answer count as one outcome, so its value
// depends neither on other queries nor on choices that do not matter.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/require_that.h"
#include "worlds/asked_reasoner.h"
#include "worlds/diagram_weights.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

constexpr SemanticsSummary mpe_laws = {
    .name = "mpe",
    .summary = "the probability of the most probable explanation: of all that matters, as it comes out",
    .has_worlds = true,
    .needs_compilation = true,
    .takes_evidence = true,
    .takes_engine = false,
    .step_name = "choice",
    .values_name = "probabilities of explanations"};
constexpr EngineInfo mpe_engine = solver_engine(mpe_laws);

constexpr double log_of_zero = -1e9;  // less than that of any product of probabilities above 0 that a path has

// A choice as a function depends on it: the ways of one kind have the same branch wherever the choice is asked.
struct KindsOfWays {
    std::uint32_t place = 0;          // in the order of the diagrams
    std::vector<std::uint32_t> kind;  // per way, numbered by first ways
    std::uint32_t count = 1;

    void tell_apart(std::span<const Node> branches) {
        kind.resize(branches.size(), 0);
        if (count == branches.size()) return;
        std::map<std::pair<std::uint32_t, Node>, std::uint32_t> numbers;
        for (std::size_t way = 0; way < branches.size(); ++way) {
            const auto next = static_cast<std::uint32_t>(numbers.size());
            kind[way] = numbers.try_emplace({kind[way], branches[way]}, next).first->second;
        }
        count = static_cast<std::uint32_t>(numbers.size());
    }
    std::vector<double> probabilities(const WayProbabilities& ways) const {
        std::vector<double> sums(count, 0.0);
        for (std::size_t way = 0; way < kind.size(); ++way) sums[kind[way]] += ways[place][way];
        return sums;
    }
};

// By the numbers of choices, which do not depend on the order of the diagrams.
using MatteringChoices = std::map<std::uint32_t, KindsOfWays>;

// How every choice that matters comes out.
struct BestExplanation {
    struct Decided {
        const KindsOfWays* of;
        std::uint32_t kind;
        double probability;
    };
    std::vector<Decided> choices;
    double probability = 1;  // of all together; 0: there is none
};

class MpeSolver final : public ExampleSolver {
public:
    explicit MpeSolver(std::shared_ptr<const WorldDiagrams> worlds) : worlds_(std::move(worlds)) {
        require_that(compiled().observed != DecisionDiagrams::never,
                     "the evidence cannot be true: no world agrees with all of it");
        std::vector<bool> matters(worlds_->choices.count(), false);
        for (const Node root : compiled().asked) {
            MatteringChoices& of = mattering_.emplace_back();
            for (const Node node : compiled().diagrams.nodes_under({&root, 1})) {
                const std::uint32_t place = compiled().diagrams.choice(node);
                KindsOfWays& ways = of[compiled().order[place]];
                ways.place = place;
                ways.tell_apart(compiled().diagrams.branches(node));
            }
            for (const auto& [choice, ways] : of) matters[choice] = true;
        }
        choices_ = static_cast<std::size_t>(std::ranges::count(matters, true));
    }

    const WorldsTask& task() const override { return worlds_->task; }
    std::string description() const override {
        return fmt::format("best paths through {} nodes", compiled().diagrams.nodes());
    }
    std::size_t bytes() const override { return compiled().diagrams.bytes(); }
    SolvedExample solve(const Chances& chances) const override;
    void differentiate(const Chances& chances, const SolvedExample& solved, std::span<const double> seeds,
                       const MemberSums& to) const override;

private:
    const CompiledWorlds& compiled() const { return worlds_->diagrams; }
    BestExplanation explain(std::size_t asked, const WayProbabilities& ways) const;

    std::shared_ptr<const WorldDiagrams> worlds_;
    std::vector<MatteringChoices> mattering_;  // to each atom asked, together with the evidence
    std::size_t choices_ = 0;                  // that matter to some
};

// Of equally probable ways the first is taken, and if all have probability 0 one with the fewest factors of 0, which
// has a gradient if it is the only one. The loss of a node is the log-probability of its best path below that
// of the best kinds of its choices: choices that the path does not ask lose nothing.
BestExplanation MpeSolver::explain(std::size_t asked, const WayProbabilities& ways) const {
    constexpr double impossible = -std::numeric_limits<double>::infinity();
    const Node root = compiled().asked[asked];
    if (root == DecisionDiagrams::never) return {{}, 0};
    BestExplanation best;
    std::map<std::uint32_t, std::size_t> at;   // per place: among the choices
    std::vector<std::vector<double>> chances;  // per choice: of its kinds
    std::vector<double> loss(std::size_t{root} + 2, impossible);
    std::vector<std::uint32_t> taken(loss.size(), 0);  // the way at a node
    for (const auto& [choice, kinds] : mattering_[asked]) {
        at.emplace(kinds.place, best.choices.size());
        const std::vector<double>& of = chances.emplace_back(kinds.probabilities(ways));
        const auto likeliest = static_cast<std::uint32_t>(std::ranges::max_element(of) - of.begin());
        best.choices.push_back({&kinds, likeliest, of[likeliest]});
    }
    loss[DecisionDiagrams::always] = 0;
    for (const Node node : compiled().diagrams.nodes_under({&root, 1})) {
        const std::size_t choice = at.at(compiled().diagrams.choice(node));
        const BestExplanation::Decided& likeliest = best.choices[choice];
        const std::span<const Node> branches = compiled().diagrams.branches(node);
        for (std::uint32_t way = 0; way < branches.size(); ++way) {
            const double chance = chances[choice][likeliest.of->kind[way]];
            const double here =
                (chance > 0 ? std::log(chance / likeliest.probability) : log_of_zero) + loss[branches[way]];
            if (here <= loss[node]) continue;
            loss[node] = here;
            taken[node] = way;
        }
    }
    for (Node node = root; !DecisionDiagrams::is_constant(node);
         node = compiled().diagrams.branches(node)[taken[node]]) {
        const std::size_t choice = at.at(compiled().diagrams.choice(node));
        BestExplanation::Decided& decided = best.choices[choice];
        decided.kind = decided.of->kind[taken[node]];
        decided.probability = chances[choice][decided.kind];
    }
    for (const BestExplanation::Decided& one : best.choices) best.probability *= one.probability;
    return best;
}

SolvedExample MpeSolver::solve(const Chances& chances) const {
    const WayProbabilities ways = way_probabilities(worlds_->choices, compiled().order, chances);
    const double evidence = DiagramWeights(compiled().diagrams, ways)(compiled().observed);
    require_that(evidence > 0, "the evidence has probability 0");
    SolvedExample solved;
    solved.steps = choices_;
    for (std::size_t i = 0; i < compiled().asked.size(); ++i)
        solved.values.push_back(std::min(explain(i, ways).probability / evidence, 1.0));
    return solved;
}

void MpeSolver::differentiate(const Chances& chances, const SolvedExample&, std::span<const double> seeds,
                              const MemberSums& to) const {
    const WayProbabilities ways = way_probabilities(worlds_->choices, compiled().order, chances);
    DiagramWeights weights(compiled().diagrams, ways);
    const double evidence = weights(compiled().observed);
    WayProbabilities by_way = ways;
    for (std::vector<double>& one : by_way) std::ranges::fill(one, 0.0);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (seeds[i] == 0) continue;
        const BestExplanation best = explain(i, ways);
        // Each by the product of the others, from both ends: where one of them is 0, its derivative is not.
        std::vector<double> after(best.choices.size() + 1, 1.0);
        for (std::size_t c = best.choices.size(); c-- > 0;) after[c] = after[c + 1] * best.choices[c].probability;
        double before = seeds[i] / evidence;
        for (std::size_t c = 0; c < best.choices.size(); ++c) {
            const auto& [of, kind, probability] = best.choices[c];
            for (std::size_t way = 0; way < of->kind.size(); ++way)
                if (of->kind[way] == kind) by_way[of->place][way] += before * after[c + 1];
            before *= probability;
        }
        weights.add_derivatives(compiled().observed, -seeds[i] * best.probability / (evidence * evidence), by_way);
    }
    for (std::size_t place = 0; place < by_way.size(); ++place)
        add_to_members(worlds_->choices.members(compiled().order[place]), by_way[place], to);
}

}  // namespace

const WorldSemantics mpe_semantics = {
    .laws = mpe_laws, .make = [](WorldRequest request) {
        require_that(!request.reason.steps.has_value(),
                     "explanations are not reached step by step: leave out the steps");
        return make_asked_reasoner(mpe_engine, mpe_laws, std::move(request.graph), request.levels, request.reason,
                                   std::make_unique<MpeSolver>(request.diagrams()));
    }};

}  // namespace neumann
