#include "explain/or_share.h"

#include <algorithm>
#include <vector>

#include "reason/formulas.h"

namespace neumann {

double or_share(const RunView& run, std::uint32_t conjunction) {
    const ReasoningGraph& graph = run.reasoner.graph();
    const ReasonOptions& options = run.reasoner.options();
    const std::uint32_t head = graph.head[conjunction];
    // A value of 0 adds nothing to most ORs; of an atom with thousands of instances a few are left.
    const bool zeros_count = !info(options.semantics).keeps_zero || run.value(head) <= 0;
    const formulas::AtomFormulas& formulas = formulas::formulas_of(options.semantics);
    const auto value_of = [&](GraphLiteral literal) {
        const double value = run.value(literal.atom());
        return literal.negated() ? formulas.negation(value) : value;
    };
    const auto is_zero = [&](GraphLiteral literal) { return value_of(literal) == 0; };
    formulas::AtomBuffer buffer;
    std::size_t place = 0;
    for (std::uint32_t c = graph.in_begin[head]; c < graph.in_begin[head + 1]; ++c) {
        const std::span<const GraphLiteral> body = graph.literals(c);
        if (!zeros_count && c != conjunction && std::ranges::any_of(body, is_zero)) continue;
        if (c == conjunction) place = buffer.size();
        for (const GraphLiteral literal : body) buffer.add_literal(value_of(literal));
        buffer.end_conjunction(graph.clause[c], run.weights[graph.clause[c]]);
    }
    std::vector<double> shares(buffer.size());
    formulas.shares(buffer.view(options.gamma, run.initial(head), run.initial(head)), shares);
    return shares[place];
}

}  // namespace neumann
