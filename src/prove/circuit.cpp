#include "prove/circuit.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "graph/build.h"

namespace neumann {
namespace {

using Node = DecisionDiagrams::Node;

class CircuitBuilder {
public:
    CircuitBuilder(const ReasoningGraph& graph, const RandomChoices& choices, const CompiledWorlds& worlds)
        : graph_(graph), choices_(choices), worlds_(worlds), structure_(graph.clause_count()) {
        for (const bool negated : {false, true}) {
            for (const std::uint32_t width : {1U, 2U}) {
                InstanceBlock& block = blocks_[shape(negated, width)];
                block.clause = structure_;
                block.width = width;
                block.may_collapse = false;
                if (negated) {
                    block.negated.assign(width, false);
                    block.negated[0] = true;
                }
            }
        }
    }

    Circuit build() {
        std::vector<Node> roots = worlds_.asked;
        roots.push_back(worlds_.observed);
        const std::vector<Node> nodes = worlds_.diagrams.nodes_under(roots);
        atom_of_.assign(worlds_.diagrams.nodes(), 0);
        for (const Node node : nodes) add_node(node);
        for (const Node node : worlds_.asked) circuit_.asked.push_back(value_of(node));
        circuit_.observed = value_of(worlds_.observed);
        std::ranges::sort(circuit_.inputs, {}, &Circuit::Input::outside);
        circuit_.graph = build_graph(input(), 1);
        return std::move(circuit_);
    }

private:
    static std::size_t shape(bool negated, std::uint32_t width) { return (negated ? 2 : 0) + (width - 1); }

    std::uint32_t new_atom(float initial) {
        initial_.push_back(initial);
        return static_cast<std::uint32_t>(initial_.size() - 1);
    }
    Circuit::Value value_of(Node node) const {
        if (DecisionDiagrams::is_constant(node)) return {true, node == DecisionDiagrams::always, 0};
        return {false, false, atom_of_[node]};
    }

    // The atom that has the probability of a fact or of a clause.
    std::uint32_t probability(RandomChoices::Member member) {
        const auto [place, is_new] = probabilities_.try_emplace({member.is_clause, member.number}, 0);
        if (!is_new) return place->second;
        place->second = new_atom(member.is_clause ? 0.0F : graph_.initial[member.number]);
        if (member.is_clause) {
            clause_rows_[member.number].push_back(place->second);
        } else {
            circuit_.inputs.push_back({member.number, place->second});
        }
        return place->second;
    }

    // That the choice comes out in this way; for way 0 what is to be negated.
    std::uint32_t way_of(std::uint32_t choice, std::size_t way) {
        const std::span<const RandomChoices::Member> members = choices_.members(choice);
        if (way > 0) return probability(members[way - 1]);
        return members.size() == 1 ? probability(members[0]) : any_of(members);
    }

    std::uint32_t any_of(std::span<const RandomChoices::Member> members) {
        std::vector<std::uint32_t> key;
        for (const RandomChoices::Member member : members) key.push_back(probability(member));
        const auto [place, is_new] = sums_.try_emplace(key, 0);
        if (!is_new) return place->second;
        place->second = new_atom(0);
        for (const std::uint32_t one : key) add_row(place->second, one, false);
        return place->second;
    }

    void add_row(std::uint32_t head, std::uint32_t literal, bool negated) {
        const std::array<std::uint32_t, 2> row{head, literal};
        blocks_[shape(negated, 1)].rows.append(row);
    }

    void add_node(Node node) {
        const std::uint32_t choice = worlds_.order[worlds_.diagrams.choice(node)];
        const std::span<const Node> branches = worlds_.diagrams.branches(node);
        std::vector<std::uint32_t> ways;  // made first, so that an atom stands behind those it needs
        for (std::size_t way = 0; way < branches.size(); ++way)
            ways.push_back(branches[way] == DecisionDiagrams::never ? 0 : way_of(choice, way));
        const std::uint32_t atom = atom_of_[node] = new_atom(0);
        for (std::size_t way = 0; way < branches.size(); ++way) {
            if (branches[way] == DecisionDiagrams::never) continue;
            if (branches[way] == DecisionDiagrams::always) {
                add_row(atom, ways[way], way == 0);
                continue;
            }
            const std::array<std::uint32_t, 3> row{atom, ways[way], atom_of_[branches[way]]};
            blocks_[shape(way == 0, 2)].rows.append(row);
        }
    }

    GraphInput input() {
        GraphInput result;
        for (auto& [clause, atoms] : clause_rows_) {
            InstanceBlock block;
            block.clause = clause;
            block.rows.append(atoms);
            result.blocks.push_back(std::move(block));
        }
        for (InstanceBlock& block : blocks_) result.blocks.push_back(std::move(block));
        result.initial = std::move(initial_);
        result.weight.append(graph_.weight.span());
        result.weight.push_back(1.0);
        return result;
    }

    const ReasoningGraph& graph_;
    const RandomChoices& choices_;
    const CompiledWorlds& worlds_;
    std::uint32_t structure_;  // the clause of weight 1
    Circuit circuit_;
    std::array<InstanceBlock, 4> blocks_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> clause_rows_;
    PodVector<float> initial_;
    std::vector<std::uint32_t> atom_of_;  // per node of the diagrams
    std::map<std::pair<bool, std::uint32_t>, std::uint32_t> probabilities_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> sums_;
};

}  // namespace

Circuit make_circuit(const ReasoningGraph& graph, const RandomChoices& choices, const CompiledWorlds& worlds) {
    return CircuitBuilder(graph, choices, worlds).build();
}

}  // namespace neumann
