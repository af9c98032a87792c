#include "explain/or_share.h"

#include <algorithm>
#include <vector>

#include "reason/formulas.h"

namespace neumann {

double or_share(const RunView& run, std::uint32_t conjunction) {
    const ReasoningGraph& graph = run.reasoner.graph();
    const ReasonOptions& options = run.reasoner.options();
    const std::uint32_t head = graph.head[conjunction];
    const std::uint32_t begin = graph.in_begin[head];
    const std::uint32_t end = graph.in_begin[head + 1];
    std::vector<double> values;
    std::vector<double> products;
    std::vector<bool> can_rise;
    std::vector<double> body;
    std::vector<std::uint32_t> clauses;
    std::size_t place = 0;
    const Column& atoms = run.run.values(run.example);
    // What is 0 adds nothing to an OR, but under `paper`; of an atom with thousands of instances a few are left.
    const bool zeros_count = options.semantics == Semantics::Paper || run.value(head) <= 0;
    for (std::uint32_t c = begin; c < end; ++c) {
        body.clear();
        bool zero = false;
        for (const GraphLiteral literal : graph.literals(c)) {
            const auto value = static_cast<double>(atoms[literal.atom()]);
            body.push_back(literal.negated() ? 1 - value : value);
            zero = body.back() == 0;
            if (zero && !zeros_count && c != conjunction) break;
        }
        if (zero && !zeros_count && c != conjunction) continue;
        if (c == conjunction) place = values.size();
        const double weight = run.reasoner.weights()[graph.clause[c]];
        clauses.push_back(graph.clause[c]);
        values.push_back(formulas::conjunction(options.semantics, weight, body));
        products.push_back(formulas::conjunction(options.semantics, 1, body));
        can_rise.push_back(formulas::can_rise(weight, body));
    }
    if (options.semantics == Semantics::Paper) {
        const double derived = formulas::softor(options.gamma, values);
        const double all[] = {run.initial(head), derived};
        return formulas::softor_share(options.gamma, derived, formulas::softor(options.gamma, all)) *
               formulas::softor_share(options.gamma, values[place], derived);
    }
    if (options.semantics == Semantics::Clausewise) {
        const std::vector<std::size_t> best = formulas::best_instances(clauses, products, can_rise);
        const auto found = std::ranges::find(best, place);
        if (found == best.end()) return 0;
        std::vector<double> of_best;
        std::vector<bool> rises;
        for (const std::size_t i : best) {
            of_best.push_back(values[i]);
            rises.push_back(can_rise[i]);
        }
        place = static_cast<std::size_t>(found - best.begin());
        values = std::move(of_best);
        can_rise = std::move(rises);
    }
    double by_initial = 0;
    std::vector<double> by_value(values.size());
    formulas::disjunction_gradient(options.semantics, options.gamma, run.initial(head), values, can_rise, 1, by_initial,
                                   by_value);
    return by_value[place];
}

}  // namespace neumann
