#include "worlds/interpretations.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "graph/levels.h"
#include "worlds/compile.h"
#include "worlds/subgraph.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

WorldsTask asking_for_all(WorldsTask task, std::size_t atoms) {
    task.asked.resize(atoms);
    std::iota(task.asked.begin(), task.asked.end(), 0U);
    return task;
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

struct Interpretations::Family {
    RandomChoices choices;  // in the numbers of its subgraph
    CompiledWorlds worlds;
    std::vector<std::uint32_t> clauses;  // their numbers outside
    std::vector<float> initial;          // per atom
    std::vector<bool> given;

    struct Root {
        Node node;
        double examples;    // that observed it
        std::size_t first;  // of them
    };
    std::vector<Root> roots;
    std::map<std::vector<bool>, std::size_t> known;  // which atoms hold → root
    std::vector<double> depending;  // per place in the order: how many examples depend on how the choice comes out

    void count_depending();
};

// A reduced diagram contains exactly the choices that its function depends on, in any order.
void Interpretations::Family::count_depending() {
    const DecisionDiagrams& diagrams = worlds.diagrams;
    depending.assign(diagrams.choices(), 0.0);
    std::vector<std::size_t> seen(diagrams.nodes(), 0);     // by the root of this number
    std::vector<std::size_t> asked(diagrams.choices(), 0);  // the same
    for (std::size_t number = 1; number <= roots.size(); ++number) {
        const Root& root = roots[number - 1];
        std::vector<Node> todo{root.node};
        while (!todo.empty()) {
            const Node node = todo.back();
            todo.pop_back();
            if (DecisionDiagrams::is_constant(node) || std::exchange(seen[node], number) == number) continue;
            if (std::exchange(asked[diagrams.choice(node)], number) != number)
                depending[diagrams.choice(node)] += root.examples;
            for (const Node below : diagrams.branches(node)) todo.push_back(below);
        }
    }
}

Interpretations::Interpretations(const ReasoningGraph& graph, WorldsTask task, std::vector<bool> given,
                                 CompileLimits limits)
    : graph_(graph), task_(std::move(task)), given_(std::move(given)), limits_(std::move(limits)),
      group_of_(graph.atom_count()), choices_(graph, asking_for_all(task_, graph.atom_count())) {
    for (std::uint32_t group = 0; group < task_.exclusive.size(); ++group)
        for (const std::uint32_t atom : task_.exclusive[group]) group_of_[atom] = group;
    for (std::uint32_t k = 0; k < task_.disjunction.size(); ++k)
        if (task_.disjunction[k]) heads_[*task_.disjunction[k]].push_back(k);
}
Interpretations::~Interpretations() = default;

const Interpretations::Below& Interpretations::below(std::uint32_t atom) {
    const auto [place, is_new] = below_.try_emplace(atom);
    Below& result = place->second;
    if (!is_new) return result;
    std::unordered_set<std::uint32_t> seen{atom};
    result.atoms.push_back(atom);
    const auto add = [&](RandomChoices::Outcome outcome) {
        if (outcome.random()) result.choices.push_back(*outcome.choice);
    };
    for (std::size_t i = 0; i < result.atoms.size(); ++i) {
        const std::uint32_t next = result.atoms[i];
        if (given_[next]) result.given.push_back(next);
        add(choices_.of_atom(next));
        for (std::uint32_t c = graph_.in_begin[next]; c < graph_.in_begin[next + 1]; ++c)
            add(choices_.of_conjunction(c));
        for (const GraphLiteral literal : graph_.dependencies(next))
            if (seen.insert(literal.atom()).second) result.atoms.push_back(literal.atom());
    }
    return result;
}

// A given atom counts if an observation depends on it, whether the example has its value or not.
std::map<std::uint32_t, bool> Interpretations::with_given(std::span<const GraphLiteral> observed) {
    std::map<std::uint32_t, bool> holds;
    for (const GraphLiteral literal : observed) {
        if (given_[literal.atom()]) continue;
        holds[literal.atom()] = !literal.negated();
        for (const std::uint32_t atom : below(literal.atom()).given) holds.try_emplace(atom, false);
    }
    for (const GraphLiteral literal : observed) {
        const auto found = holds.find(literal.atom());
        if (found != holds.end()) found->second = !literal.negated();
    }
    return holds;
}

// Atoms that depend on a choice together belong together.
const std::vector<std::pair<std::size_t, Interpretations::Atoms>>& Interpretations::families_of(const Atoms& pattern) {
    const auto [place, is_new] = patterns_.try_emplace(pattern);
    if (!is_new) return place->second;
    std::vector<std::uint32_t> parent(pattern.size());
    std::iota(parent.begin(), parent.end(), 0U);
    std::unordered_map<std::uint32_t, std::uint32_t> first;  // with this choice
    for (std::uint32_t i = 0; i < pattern.size(); ++i) {
        for (const std::uint32_t choice : below(pattern[i]).choices) {
            const std::uint32_t other = first.try_emplace(choice, i).first->second;
            parent[root_of(parent, i)] = root_of(parent, other);
        }
    }
    std::map<std::uint32_t, Atoms> parts;
    for (std::uint32_t i = 0; i < pattern.size(); ++i) parts[root_of(parent, i)].push_back(pattern[i]);
    std::vector<std::pair<std::size_t, Atoms>> found;
    for (auto& [root, atoms] : parts) found.emplace_back(family_of(atoms), atoms);
    return place->second = std::move(found);
}

std::size_t Interpretations::family_of(const Atoms& atoms) {
    Atoms all;
    for (const std::uint32_t atom : atoms) all.insert(all.end(), below(atom).atoms.begin(), below(atom).atoms.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const Subgraph part = subgraph_of(graph_, task_, group_of_, std::move(all), atoms);
    std::vector<bool> given;
    std::vector<std::uint32_t> key = part.key();
    for (const std::uint32_t atom : part.atoms) {
        given.push_back(given_[atom]);
        key.push_back(given_[atom] ? 1 : 0);
    }
    const auto [known, is_new] = known_families_.try_emplace(std::move(key), families_.size());
    if (!is_new) return known->second;
    RandomChoices choices(part.graph, part.task);
    CompileLimits limits = limits_;
    for (const std::unique_ptr<Family>& family : families_)
        limits.bytes -= std::min(limits.bytes, family->worlds.diagrams.bytes());
    CompiledWorlds worlds = compile_diagrams(part.graph, find_levels(part.graph), part.task, choices, limits);
    worlds.diagrams.set_limits({.bytes = limits.bytes});
    const std::span<const float> initial = part.graph.initial.span();
    families_.push_back(std::make_unique<Family>(Family{std::move(choices),
                                                        std::move(worlds),
                                                        part.clauses,
                                                        {initial.begin(), initial.end()},
                                                        std::move(given),
                                                        {},
                                                        {},
                                                        {}}));
    return known->second;
}

void Interpretations::add(std::span<const GraphLiteral> observed) {
    const std::map<std::uint32_t, bool> holds = with_given(observed);
    Atoms pattern;
    for (const auto& [atom, is_true] : holds) pattern.push_back(atom);
    for (const auto& [number, atoms] : families_of(pattern)) {
        Family& family = *families_[number];
        std::vector<bool> truth;
        for (const std::uint32_t atom : atoms) truth.push_back(holds.at(atom));
        const auto [place, is_new] = family.known.try_emplace(truth, family.roots.size());
        if (is_new) {
            DecisionDiagrams& diagrams = family.worlds.diagrams;
            std::vector<Node> literals = family.worlds.asked;
            for (std::size_t i = 0; i < truth.size(); ++i)
                if (!truth[i]) literals[i] = diagrams.negation(literals[i]);
            std::ranges::sort(literals, {}, [&](Node node) { return diagrams.choice(node); });
            family.roots.push_back({diagrams.all_of(literals), 0, examples_});
        }
        Family::Root& root = family.roots[place->second];
        if (root.node == DecisionDiagrams::never) throw ImpossibleExample{examples_};
        ++root.examples;
    }
    ++examples_;
}

void Interpretations::finish() {
    for (const std::unique_ptr<Family>& family : families_) {
        std::vector<Node> kept;
        for (const Family::Root& root : family->roots) kept.push_back(root.node);
        family->worlds.diagrams.keep_only(kept);
        for (std::size_t i = 0; i < kept.size(); ++i) family->roots[i].node = kept[i];
        family->worlds.asked.clear();
        family->known.clear();
        family->count_depending();
    }
    patterns_.clear();
    below_.clear();
}

Interpretations::Counts Interpretations::count(std::span<const double> weight) const {
    Counts counts{0, std::vector<double>(weight.size(), 0.0), std::vector<double>(weight.size(), 0.0)};
    for (const std::unique_ptr<Family>& family : families_) count_family(*family, weight, counts);
    for (const auto& [disjunction, clauses] : heads_)
        for (const std::uint32_t clause : clauses) counts.none[clause] = counts.none[clauses[0]];
    return counts;
}

// Probabilities of long conjunctions underflow a double.
void Interpretations::count_family(const Family& family, std::span<const double> weight, Counts& counts) const {
    const DecisionDiagrams& diagrams = family.worlds.diagrams;
    std::vector<double> own;  // the weights of its clauses
    for (const std::uint32_t clause : family.clauses) own.push_back(weight[clause]);
    const Chances chances{family.initial, own};
    std::vector<std::vector<double>> ways(diagrams.choices());  // by place
    std::vector<std::vector<double>> counted(diagrams.choices());
    for (std::size_t place = 0; place < ways.size(); ++place) {
        const std::uint32_t choice = family.worlds.order[place];
        const RandomChoices::Member first = family.choices.members(choice)[0];
        if (!first.is_clause && family.given[first.number]) {
            ways[place].assign(family.choices.members(choice).size() + 1, 1.0);
        } else {
            family.choices.probabilities(choice, chances, ways[place]);
        }
        counted[place].assign(ways[place].size(), 0.0);
    }
    std::vector<long double> value(diagrams.nodes(), 0.0L);
    value[DecisionDiagrams::always] = 1;
    for (Node node = 2; node < diagrams.nodes(); ++node) {  // a node stands behind its branches
        const std::span<const Node> branches = diagrams.branches(node);
        const std::vector<double>& of_way = ways[diagrams.choice(node)];
        for (std::size_t way = 0; way < branches.size(); ++way)
            value[node] += static_cast<long double>(of_way[way]) * value[branches[way]];
    }
    std::vector<long double> flow(diagrams.nodes(), 0.0L);
    for (const Family::Root& root : family.roots) {
        if (!(value[root.node] > 0)) throw ImpossibleExample{root.first};
        counts.log_likelihood += root.examples * static_cast<double>(std::log(value[root.node]));
        flow[root.node] += static_cast<long double>(root.examples) / value[root.node];
    }
    for (auto node = static_cast<Node>(diagrams.nodes()); node-- > 2;) {
        const std::span<const Node> branches = diagrams.branches(node);
        const std::uint32_t place = diagrams.choice(node);
        for (std::size_t way = 0; way < branches.size(); ++way) {
            const long double through = flow[node] * static_cast<long double>(ways[place][way]);
            flow[branches[way]] += through;
            counted[place][way] += static_cast<double>(through * value[branches[way]]);
        }
    }
    for (std::size_t place = 0; place < ways.size(); ++place) {
        // Where a path does not ask for it, a choice that others depend on came out as likely as ever.
        const double unasked = family.depending[place] - std::reduce(counted[place].begin(), counted[place].end());
        for (std::size_t way = 0; way < counted[place].size(); ++way) counted[place][way] += ways[place][way] * unasked;
        add_counts(family, family.worlds.order[place], counted[place], weight, counts);
    }
}

// Heads on which no observation depends are indistinguishable from none: their expected counts are shared by
// probability.
void Interpretations::add_counts(const Family& family, std::uint32_t choice, std::span<const double> by_way,
                                 std::span<const double> weight, Counts& counts) const {
    if (!family.choices.members(choice)[0].is_clause) return;
    std::vector<std::uint32_t> members;
    double rest = 1;  // the probability of way 0
    for (const RandomChoices::Member& member : family.choices.members(choice)) {
        members.push_back(family.clauses[member.number]);
        counts.clause[members.back()] += by_way[members.size()];
        rest -= weight[members.back()];
    }
    const OptionalIndex disjunction = task_.disjunction[members[0]];
    if (!disjunction) {
        counts.none[members[0]] += by_way[0];
        return;
    }
    double none = by_way[0];
    for (const std::uint32_t head : heads_.at(*disjunction)) {
        const bool apart = std::ranges::find(members, head) != members.end();
        if (apart || rest <= 0) continue;
        const double share = by_way[0] * std::min(weight[head] / rest, 1.0);
        counts.clause[head] += share;
        none -= share;
    }
    counts.none[heads_.at(*disjunction)[0]] += std::max(none, 0.0);
}

}  // namespace neumann
