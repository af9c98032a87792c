#include "proofs/positive_graph.h"

#include <optional>
#include <utility>

#include "base/pod_vector.h"

namespace neumann {

PositiveGraph::PositiveGraph(const ReasoningGraph& graph) : graph_(graph), own_(graph.atom_count()) {
    if (graph.monotone) return;
    std::vector<std::optional<std::uint32_t>> number(own_);
    PodVector<GraphLiteral> body;
    for (const GraphLiteral literal : graph.body.span()) {
        if (!literal.negated()) {
            body.push_back(literal);
            continue;
        }
        std::optional<std::uint32_t>& negation = number[literal.atom()];
        if (!negation) {
            negation = own_ + static_cast<std::uint32_t>(negated_.size());
            negated_.push_back(literal.atom());
        }
        body.push_back(GraphLiteral(*negation, false));
    }
    PodVector<std::uint32_t> in_begin;
    in_begin.append(graph.in_begin.span());
    PodVector<float> initial;
    initial.append(graph.initial.span());
    for (std::size_t i = 0; i < negated_.size(); ++i) {
        in_begin.push_back(graph.conjunction_count());
        initial.push_back(0.0F);
    }
    graph_.body = SharedArray(std::move(body));
    graph_.in_begin = SharedArray(std::move(in_begin));
    graph_.initial = SharedArray(std::move(initial));
    graph_.use_begin = {};
    graph_.use = {};
    graph_.monotone = true;
}

void PositiveGraph::append_negations(std::vector<float>& to, const std::vector<float>& values,
                                     double (*negation)(double)) const {
    for (const std::uint32_t atom : negated_)
        to.push_back(static_cast<float>(negation(static_cast<double>(values[atom]))));
}

}  // namespace neumann
