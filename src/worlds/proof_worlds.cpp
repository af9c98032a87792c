#include "worlds/proof_worlds.h"

#include <algorithm>
#include <utility>

#include "reason/require_that.h"

namespace neumann {

ProofWorlds::ProofWorlds(const ReasoningGraph& graph, WorldsTask task, RandomChoices choices, CompiledWorlds worlds)
    : graph_(graph), task_(std::move(task)), choices_(std::move(choices)), worlds_(std::move(worlds)),
      place_(graph.atom_count()), at_(choices_.count()), ways_(choices_.count()) {
    worlds_.diagrams.stop_watching();
    for (std::size_t i = 0; i < task_.asked.size(); ++i) place_[task_.asked[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < worlds_.order.size(); ++i) at_[worlds_.order[i]] = static_cast<std::uint32_t>(i);
}

// Per node, of those under the roots.
std::vector<double> ProofWorlds::probabilities_under(std::span<const Node> roots) const {
    std::vector<double> probability(worlds_.diagrams.nodes(), 0.0);
    probability[DecisionDiagrams::always] = 1;
    for (const Node node : worlds_.diagrams.nodes_under(roots)) {
        const std::vector<double>& ways = ways_[worlds_.order[worlds_.diagrams.choice(node)]];
        const std::span<const Node> branches = worlds_.diagrams.branches(node);
        for (std::size_t way = 0; way < branches.size(); ++way)
            probability[node] += ways[way] * probability[branches[way]];
    }
    return probability;
}

double ProofWorlds::probability(Node node) const { return probabilities_under({&node, 1})[node]; }

void ProofWorlds::weigh(const Chances& chances) {
    for (std::uint32_t choice = 0; choice < choices_.count(); ++choice)
        choices_.probabilities(choice, chances, ways_[choice]);
    std::vector<Node> roots = worlds_.asked;
    roots.push_back(worlds_.observed);
    const std::vector<double> probability = probabilities_under(roots);
    joint_.clear();
    for (const Node node : worlds_.asked) joint_.push_back(probability[node]);
    evidence_ = probability[worlds_.observed];
    require_that(evidence_ > 0, "the evidence has probability 0");
}

double ProofWorlds::value(std::uint32_t atom) const { return std::min(joint_[*place_[atom]] / evidence_, 1.0); }

// A node is reached with some probability, and its outcome makes a difference: that between the branch of a member and
// the branch of way 0, which has the remaining probability.
void ProofWorlds::add_slopes(Node root, double factor, std::span<float> by_atom, std::span<float> by_clause) const {
    const std::vector<double> probability = probabilities_under({&root, 1});
    std::vector<double> reached(worlds_.diagrams.nodes(), 0.0);
    reached[root] = factor;
    const std::vector<Node> nodes = worlds_.diagrams.nodes_under({&root, 1});
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node node = nodes[i];
        const std::uint32_t choice = worlds_.order[worlds_.diagrams.choice(node)];
        const std::span<const Node> branches = worlds_.diagrams.branches(node);
        const std::span<const RandomChoices::Member> members = choices_.members(choice);
        for (std::size_t way = 0; way < branches.size(); ++way) {
            reached[branches[way]] += reached[node] * ways_[choice][way];
            if (way == 0) continue;
            const double slope = reached[node] * (probability[branches[way]] - probability[branches[0]]);
            const RandomChoices::Member member = members[way - 1];
            (member.is_clause ? by_clause : by_atom)[member.number] += static_cast<float>(slope);
        }
    }
}

// By the rule of quotients, if there is evidence.
void ProofWorlds::add_gradients(std::uint32_t atom, std::span<float> by_atom, std::span<float> by_clause) const {
    add_slopes(worlds_.asked[*place_[atom]], 1 / evidence_, by_atom, by_clause);
    if (has_evidence()) add_slopes(worlds_.observed, -value(atom) / evidence_, by_atom, by_clause);
}

ProofWorlds::Node ProofWorlds::of_outcome(RandomChoices::Outcome outcome) {
    if (!outcome.random()) return DecisionDiagrams::always;
    return worlds_.diagrams.outcome(at_[*outcome.choice], outcome.way);
}

ProofWorlds::Node ProofWorlds::of_proof(const Proof& proof, const PositiveGraph& positive) {
    std::vector<Node> all = {worlds_.observed};
    for (const ProofStep& step : proof.steps) {
        if (step.conjunction != Derivations::given) {
            all.push_back(of_outcome(choices_.of_conjunction(step.conjunction)));
        } else if (positive.is_negation(step.atom)) {
            all.push_back(worlds_.diagrams.negation(worlds_.asked[*place_[positive.negated(step.atom)]]));
        } else {
            all.push_back(of_outcome(choices_.of_atom(step.atom)));
        }
    }
    return worlds_.diagrams.all_of(all);
}

ProofWorlds::Partition ProofWorlds::partition(std::uint32_t atom, std::span<const Proof> proofs,
                                              const PositiveGraph& positive) {
    Partition result;
    std::vector<Node> left;  // of each proof: where none before it holds
    for (std::size_t i = 0; i < proofs.size(); ++i) {
        left.push_back(of_proof(proofs[i], positive));
        result.parts.push_back({i, probability(left.back()) / evidence_, 0});
    }
    Node rest = worlds_.asked[*place_[atom]];
    for (std::size_t first = 0; first < proofs.size(); ++first) {
        for (std::size_t i = first; i < proofs.size(); ++i)
            result.parts[i].part = probability(left[result.parts[i].proof]) / evidence_;
        const auto best = std::ranges::max_element(result.parts.begin() + static_cast<std::ptrdiff_t>(first),
                                                   result.parts.end(), {}, &Part::part);
        std::rotate(result.parts.begin() + static_cast<std::ptrdiff_t>(first), best, best + 1);
        const Node others = worlds_.diagrams.negation(left[result.parts[first].proof]);
        for (std::size_t i = first + 1; i < proofs.size(); ++i) {
            Node& node = left[result.parts[i].proof];
            node = worlds_.diagrams.both(node, others);
        }
        rest = worlds_.diagrams.both(rest, others);
    }
    result.rest = probability(rest) / evidence_;
    return result;
}

}  // namespace neumann
