#include "worlds/model_count.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "worlds/clause_search.h"
#include "worlds/whole_number.h"

namespace neumann {
namespace {

constexpr double most_exact_work = 2e9;  // nodes times words

// A choice with one outcome for each variable that is shown: it holds, or it does not.
struct CnfCircuit {
    Circuit circuit;
    std::vector<std::uint32_t> choices;  // their variables, in the order of the ways
};

ClauseProblem problem_of_cnf(const WeightedCnf& cnf, CnfCircuit& to) {
    ClauseProblem problem;
    problem.propositions = cnf.variables;
    for (std::uint32_t v = 0; v < cnf.variables; ++v) {
        if (cnf.projected() && !cnf.shown[v]) {
            problem.things.push_back({ClauseProblem::Role::Hidden, {v}});
            continue;
        }
        const auto way = static_cast<std::uint32_t>(to.circuit.ways());
        const auto parameter = static_cast<std::uint32_t>(to.choices.size());
        problem.things.push_back({ClauseProblem::Role::Choice, {v}, way});
        to.circuit.facts.push_back(parameter);
        to.circuit.distributions.push_back({way, {parameter}});
        to.choices.push_back(v);
    }
    for (const WeightedCnf::Clause& given : cnf.clauses) {
        ClauseProblem::Clause clause;
        for (const std::int32_t literal : given)
            clause.emplace_back(static_cast<std::uint32_t>(literal < 0 ? -literal : literal) - 1, literal < 0);
        std::ranges::sort(clause);
        clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        const bool holds = std::ranges::adjacent_find(clause, {}, &GraphLiteral::atom) != clause.end();
        if (!holds) problem.clauses.push_back(std::move(clause));
    }
    return problem;
}

// Values of the nodes, from those of the ways; `add_product` adds the product of two to a number.
template <class Number, class AddProduct>
std::vector<Number> evaluate(const Circuit& circuit, std::vector<Number> values, const AddProduct& add_product) {
    values.resize(circuit.nodes());
    for (std::size_t node = circuit.first_sum(); node < circuit.nodes(); ++node)
        for (std::uint32_t t = circuit.term_begin[node]; t < circuit.term_begin[node + 1]; ++t)
            add_product(values[node], values[circuit.left[t]], values[circuit.right[t]]);
    return values;
}

ScaledNumber weighted_count(const WeightedCnf& cnf, const CnfCircuit& search) {
    std::vector<ScaledNumber> values{ScaledNumber(0.0), ScaledNumber(1.0)};
    ScaledNumber scale(1.0);
    for (const std::uint32_t v : search.choices) {
        const double sum = cnf.weight(v, false) + cnf.weight(v, true);
        if (sum == 0) return {};
        scale = scale * ScaledNumber(sum);
        values.push_back(ScaledNumber(cnf.weight(v, false)) / ScaledNumber(sum));
        values.push_back(ScaledNumber(cnf.weight(v, true)) / ScaledNumber(sum));
    }
    const auto add = [](ScaledNumber& to, ScaledNumber a, ScaledNumber b) { to += a * b; };
    const std::vector<ScaledNumber> found = evaluate(search.circuit, std::move(values), add);
    return found[search.circuit.asked[0]] * scale;
}

// Each way has probability 1/2. A node under which k variables are decided is counted as its value times 2^k: a whole
// number, and a term with fewer variables is doubled until it has as many.
std::string exact_count(const CnfCircuit& search) {
    struct Counted {
        WholeNumber models;
        std::size_t variables = 0;
    };
    const auto words = static_cast<double>(search.choices.size()) / 32 + 1;
    if (static_cast<double>(search.circuit.left.size()) * words * words > most_exact_work) return {};
    std::vector<Counted> values(search.circuit.first_sum());
    values[Circuit::always] = {WholeNumber(1), 0};
    for (std::size_t way = 2; way < values.size(); ++way) values[way] = {WholeNumber(1), 1};
    const auto doubled = [](const WholeNumber& number, std::size_t times) {
        return times == 0 ? number : number * WholeNumber::power_of_two(times);
    };
    const auto add = [&](Counted& to, const Counted& a, const Counted& b) {
        const std::size_t variables = a.variables + b.variables;
        if (variables > to.variables) {
            to.models = doubled(to.models, variables - to.variables);
            to.variables = variables;
        }
        to.models += doubled(a.models * b.models, to.variables - variables);
    };
    const std::vector<Counted> found = evaluate(search.circuit, std::move(values), add);
    const Counted& root = found[search.circuit.asked[0]];
    return doubled(root.models, search.choices.size() - root.variables).decimal();
}

}  // namespace

ModelCountResult count_cnf(const WeightedCnf& cnf, const CompileLimits& limits) {
    CnfCircuit search;
    const ClauseProblem problem = problem_of_cnf(cnf, search);
    CircuitBuilder builder(search.circuit);
    search.circuit.asked = {search_models(problem, builder, limits)};
    search.circuit.observed = Circuit::always;
    builder.finish(search.circuit);
    ModelCountResult result{weighted_count(cnf, search), {}, search.circuit.nodes()};
    if (!cnf.weighted()) result.digits = exact_count(search);
    return result;
}

}  // namespace neumann
