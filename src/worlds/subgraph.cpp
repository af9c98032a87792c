#include "worlds/subgraph.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "graph/build.h"

namespace neumann {
namespace {

std::uint32_t place_in(const std::vector<std::uint32_t>& ascending, std::uint32_t number) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(ascending, number) - ascending.begin());
}

InstanceBlock instance(const ReasoningGraph& graph, std::uint32_t conjunction, const Subgraph& part) {
    InstanceBlock block;
    block.clause = place_in(part.clauses, graph.clause[conjunction]);
    block.rows.push_back(part.inside(graph.head[conjunction]));
    for (const GraphLiteral literal : graph.literals(conjunction)) {
        block.rows.push_back(part.inside(literal.atom()));
        block.negated.push_back(literal.negated());
        ++block.width;
    }
    return block;
}

}  // namespace

std::uint32_t Subgraph::inside(std::uint32_t atom) const { return place_in(atoms, atom); }

Subgraph subgraph_of(const ReasoningGraph& graph, const WorldsTask& task, std::span<const OptionalIndex> group_of,
                     std::vector<std::uint32_t> atoms, std::span<const std::uint32_t> asked) {
    Subgraph part;
    part.atoms = std::move(atoms);
    std::vector<std::uint32_t> conjunctions;
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    GraphInput input;
    for (std::uint32_t a = 0; a < part.atoms.size(); ++a) {
        const std::uint32_t atom = part.atoms[a];
        input.initial.push_back(graph.initial[atom]);
        part.task.random_atom.push_back(task.random_atom[atom]);
        if (group_of[atom]) groups[*group_of[atom]].push_back(a);
        for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) {
            conjunctions.push_back(c);
            part.clauses.push_back(graph.clause[c]);
        }
    }
    std::ranges::sort(part.clauses);
    part.clauses.erase(std::unique(part.clauses.begin(), part.clauses.end()), part.clauses.end());
    for (const std::uint32_t clause : part.clauses) {
        input.weight.push_back(graph.weight[clause]);
        part.task.random_clause.push_back(task.random_clause[clause]);
        part.task.disjunction.push_back(task.disjunction[clause]);
    }
    for (auto& [group, members] : groups) part.task.exclusive.push_back(std::move(members));
    for (const std::uint32_t atom : asked) part.task.asked.push_back(part.inside(atom));
    std::ranges::stable_sort(conjunctions, {}, [&](std::uint32_t c) { return graph.clause[c]; });
    for (const std::uint32_t c : conjunctions) input.blocks.push_back(instance(graph, c, part));
    part.graph = build_graph(std::move(input), 1);
    return part;
}

std::vector<std::uint32_t> Subgraph::key() const {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(atoms.size()),
                                   static_cast<std::uint32_t>(clauses.size())};
    const auto add_list = [&](std::span<const std::uint32_t> list) {
        key.push_back(static_cast<std::uint32_t>(list.size()));
        key.insert(key.end(), list.begin(), list.end());
    };
    add_list(clauses);
    add_list(task.asked);
    for (const std::vector<std::uint32_t>& group : task.exclusive) add_list(group);
    for (std::uint32_t a = 0; a < atoms.size(); ++a) {
        key.push_back(std::bit_cast<std::uint32_t>(graph.initial[a]));
        key.push_back((task.random_atom[a] ? 1U : 0U) + 2 * (graph.in_begin[a + 1] - graph.in_begin[a]));
        for (std::uint32_t c = graph.in_begin[a]; c < graph.in_begin[a + 1]; ++c) {
            key.push_back(graph.clause[c]);
            key.push_back(static_cast<std::uint32_t>(graph.literals(c).size()));
            for (const GraphLiteral literal : graph.literals(c)) key.push_back(literal.code());
        }
    }
    return key;
}

}  // namespace neumann
