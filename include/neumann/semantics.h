// Semantics of reasoning: the meaning of AND, OR, NOT and of a clause weight. docs/semantics.md has the formulas.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neumann {

// A semantics and its laws: its users test these, never its name.
struct SemanticsSummary {
    std::string_view name;      // as options name it
    std::string_view summary;   // a sentence
    bool uses_gamma = false;    // it has a soft-or
    bool keeps_zero = true;     // an unsupported atom stays exactly 0: Grounding::Relevant is exact
    bool needs_steps = false;   // values change with every step: their number is part of the question
    bool for_learning = false;  // clauses and networks can be learned with it

    // Random worlds of the distribution semantics, in the place of steps on the graph: only queries have values,
    // without a history.
    bool has_worlds = false;
    bool is_exact = false;                    // values are the probabilities themselves
    bool has_bounds = false;                  // values come with bounds of the exact probabilities
    bool has_gradients = true;                // by inputs and weights
    bool needs_compilation = false;           // of decision diagrams, which have limits of time and memory
    bool takes_evidence = false;              // about derived atoms
    bool takes_engine = true;                 // ReasonerOptions::engine and kernel
    bool takes_samples = false;               // ReasonerOptions::samples and seed
    bool takes_k = false;                     // ReasonerOptions::k
    std::string_view step_name = "step";      // the unit of steps() in a result
    std::string_view values_name = "values";  // for messages: "sampled probabilities"
};

// All semantics, in the order of the documentation.
std::span<const SemanticsSummary> known_semantics();
const SemanticsSummary* find_known_semantics(std::string_view name);  // null: there is none of this name
// Throws std::invalid_argument for a name that no semantics has, and suggests another.
const SemanticsSummary& semantics_summary(std::string_view name);

// The defaults: of reasoning, of learning clauses and their weights, and of training networks through logic.
inline constexpr std::string_view default_semantics_name = "softor";
inline constexpr std::string_view learning_semantics_name = "clausewise";      // of learning clauses and their weights
inline constexpr std::string_view joint_training_semantics_name = "noisy-or";  // of training networks through logic
// Exact probabilities: that of ProbLog's programs, with which others are compared.
inline constexpr std::string_view exact_semantics_name = "exact";

inline constexpr double default_gamma = 0.01;  // how soft the soft-or is
// Beyond these the soft-or is a maximum in all but name, or no longer an OR.
inline constexpr double least_gamma = 1e-4;
inline constexpr double largest_gamma = 10.0;  // the largest that options take

// The worlds of a program as a circuit that is evaluated in any commutative semiring: a struct with Value, zero(),
// one(), plus(a, b) and times(a, b). Probabilities, most probable explanations, entropies, expectations and
// sensitivities are below. A circuit comes from Session::world_circuit().

// Decision diagrams of the queries: a world takes the branch of the way in which each choice comes out.
struct WorldCircuit {
    // A way in which a choice comes out.
    struct Way {
        std::string event;       // the fact or the ground clause that it makes true; empty: none of the choice's
        double probability = 0;  // of this way
    };
    std::vector<std::vector<Way>> choices;  // in the order in which they are asked

    // Per node, branches first: its choice, and a branch for each way. Nodes 0 and 1 are false and true.
    std::vector<std::uint32_t> choice;
    std::vector<std::uint32_t> branch_begin;  // and the end
    std::vector<std::uint32_t> branches;      // nodes

    std::vector<std::string> queries;  // as text
    std::vector<std::uint32_t> asked;  // a node for each: the query together with the evidence
    std::uint32_t observed = 1;        // the evidence

    // What label(choice, way, Way) returns, choice by choice.
    template <class Label>
    auto labels(const Label& label) const {
        using Value = decltype(label(std::size_t{}, std::size_t{}, Way()));
        std::vector<std::vector<Value>> result(choices.size());
        for (std::size_t c = 0; c < choices.size(); ++c)
            for (std::size_t w = 0; w < choices[c].size(); ++w) result[c].push_back(label(c, w, choices[c][w]));
        return result;
    }
};

// The sum over all worlds in which a query and the evidence hold of the products of their labels, for every query; the
// last is that of the evidence alone. Choices that a query does not depend on count, too. For a batch, values are
// arrays. Takes time linear in the branches, and where the sum of a choice's labels is not one() also in the choices
// that branches skip.
template <class Semiring>
std::vector<typename Semiring::Value> evaluate(const WorldCircuit& circuit, const Semiring& semiring,
                                               const std::vector<std::vector<typename Semiring::Value>>& labels) {
    using Value = typename Semiring::Value;
    const auto choices = static_cast<std::uint32_t>(circuit.choices.size());
    std::vector<Value> any;  // per choice: the sum of its labels
    for (const std::vector<Value>& ways : labels) {
        Value sum = semiring.zero();
        for (const Value& label : ways) sum = semiring.plus(sum, label);
        any.push_back(std::move(sum));
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, Value> known;
    // The product of the sums of the choices from `begin` to `end`.
    const auto between = [&](std::uint32_t begin, std::uint32_t end) -> const Value& {
        const auto [place, is_new] = known.try_emplace({begin, end}, semiring.one());
        if (is_new) {
            Value product = semiring.one();
            for (std::uint32_t c = begin; c < end; ++c) product = semiring.times(product, any[c]);
            place->second = std::move(product);
        }
        return place->second;
    };
    const auto level = [&](std::uint32_t node) { return node < 2 ? choices : circuit.choice[node]; };
    std::vector<Value> values{semiring.zero(), semiring.one()};
    const auto below = [&](std::uint32_t node, std::uint32_t from) {  // with the choices from `from` on
        return semiring.times(between(from, level(node)), values[node]);
    };
    for (std::uint32_t node = 2; node < circuit.choice.size(); ++node) {
        const std::uint32_t choice = circuit.choice[node];
        Value sum = semiring.zero();
        for (std::uint32_t b = circuit.branch_begin[node]; b < circuit.branch_begin[node + 1]; ++b) {
            if (circuit.branches[b] == 0) continue;
            const Value& label = labels[choice][b - circuit.branch_begin[node]];
            sum = semiring.plus(sum, semiring.times(label, below(circuit.branches[b], choice + 1)));
        }
        values.push_back(std::move(sum));
    }
    std::vector<Value> result;
    for (const std::uint32_t node : circuit.asked) result.push_back(node == 0 ? semiring.zero() : below(node, 0));
    result.push_back(circuit.observed == 0 ? semiring.zero() : below(circuit.observed, 0));
    return result;
}

// Probabilities.
struct ProbabilitySemiring {
    using Value = double;                                      // a probability
    static double zero() { return 0; }                         // of no world
    static double one() { return 1; }                          // of all worlds
    static double plus(double a, double b) { return a + b; }   // of either
    static double times(double a, double b) { return a * b; }  // of both
};

// Most probable explanations: the probability of the most probable world, and the ways in which its choices come out,
// as pairs of the numbers of a choice and a way, ascending.
struct MostProbableSemiring {
    // A world.
    struct Value {
        double probability = 0;                                          // of it
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ways = {};  // of its choices
    };
    static Value zero() { return {}; }                   // no world
    static Value one() { return {1, {}}; }               // a world without choices
    static Value plus(const Value& a, const Value& b) {  // of two equal ones the first in order
        if (a.probability != b.probability) return a.probability > b.probability ? a : b;
        return a.ways <= b.ways ? a : b;
    }
    static Value times(const Value& a, const Value& b) {  // of independent choices
        Value both{a.probability * b.probability, {}};
        std::merge(a.ways.begin(), a.ways.end(), b.ways.begin(), b.ways.end(), std::back_inserter(both.ways));
        return both;
    }
    static Value label(std::size_t choice, std::size_t way, const WorldCircuit::Way& of) {  // for labels()
        return {of.probability, {{static_cast<std::uint32_t>(choice), static_cast<std::uint32_t>(way)}}};
    }
};

// Probabilities with a sum that goes along: over worlds, probability times the sum of their choices' amounts. With
// amounts of utility these are expectations, with -log of the probability entropies; with the derivative of the
// probability divided by it, sensitivities.
struct ExpectationSemiring {
    // A set of worlds.
    struct Value {
        double probability = 0;  // of them
        double sum = 0;          // of probability times amounts
    };
    static Value zero() { return {}; }     // no worlds
    static Value one() { return {1, 0}; }  // worlds without amounts
    // Of either.
    static Value plus(const Value& a, const Value& b) { return {a.probability + b.probability, a.sum + b.sum}; }
    static Value times(const Value& a, const Value& b) {  // of both
        return {a.probability * b.probability, a.probability * b.sum + a.sum * b.probability};
    }
    // A way with its amount.
    static Value with_amount(double probability, double amount) { return {probability, probability * amount}; }
};

// The entropy, in nats, of the choices in the worlds in which each query and the evidence hold; the last value is that
// of the evidence alone. NaN: there are no such worlds.
inline std::vector<double> entropies(const WorldCircuit& circuit) {
    const auto label = [](std::size_t, std::size_t, const WorldCircuit::Way& way) {
        const double surprise = way.probability > 0 ? -std::log(way.probability) : 0;
        return ExpectationSemiring::with_amount(way.probability, surprise);
    };
    std::vector<double> result;
    for (const auto& [probability, sum] : evaluate(circuit, ExpectationSemiring(), circuit.labels(label)))
        result.push_back(sum / probability + std::log(probability));
    return result;
}

// The expected sum of amounts, amount(choice, way, Way), in the worlds in which each query and the evidence hold.
template <class Amount>
std::vector<double> expectations(const WorldCircuit& circuit, const Amount& amount) {
    const auto label = [&](std::size_t choice, std::size_t way, const WorldCircuit::Way& of) {
        return ExpectationSemiring::with_amount(of.probability, amount(choice, way, of));
    };
    std::vector<double> result;
    for (const auto& [probability, sum] : evaluate(circuit, ExpectationSemiring(), circuit.labels(label)))
        result.push_back(sum / probability);
    return result;
}

// The derivative of the probability of each query, given the evidence, by the probability of a way, of which way 0 of
// its choice has the rest.
inline std::vector<double> sensitivities(const WorldCircuit& circuit, std::size_t choice, std::size_t way) {
    const auto label = [&](std::size_t c, std::size_t w, const WorldCircuit::Way& of) {
        const double slope = c != choice ? 0 : w == way ? 1 : w == 0 ? -1 : 0;
        return ExpectationSemiring::Value{of.probability, slope};
    };
    const auto found = evaluate(circuit, ExpectationSemiring(), circuit.labels(label));
    const auto& [evidence, evidence_slope] = found.back();
    std::vector<double> result;
    for (std::size_t i = 0; i + 1 < found.size(); ++i)
        result.push_back((found[i].sum * evidence - found[i].probability * evidence_slope) / (evidence * evidence));
    return result;
}

}  // namespace neumann
