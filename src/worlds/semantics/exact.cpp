#include "worlds/semantics/exact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reason/require_that.h"
#include "reason/write_gradients.h"
#include "worlds/asked_pass.h"
#include "worlds/circuit_evaluation.h"
#include "worlds/circuit_runner.h"
#include "worlds/scaled_number.h"
#include "worlds/world_semantics.h"

namespace neumann {
namespace {

// Results below it are computed again: floats, which end at 1e-38, may have lost parts of them.
constexpr double least_safe = 1e-24;
constexpr double largest_seed = 1e24;

constexpr SemanticsSummary exact_laws = {
    .name = exact_semantics_name,
    .summary = "exact probabilities: facts and clauses are independent random events, as in ProbLog",
    .has_worlds = true,
    .is_exact = true,
    .needs_compilation = true,
    .takes_evidence = true,
    .values_name = "exact probabilities"};

// The shared data of the reasoner and its passes.
struct Translation {
    std::shared_ptr<const CompiledTask> compiled;
    const WorldsTask& task;
    const Circuit& circuit;
    std::uint32_t depth = 0;
    double degree = 0;
    std::vector<OptionalIndex> fact;   // per atom of the program's graph: its place among the facts of the circuit
    std::vector<double> start;         // the probability of each fact of the circuit unless an example sets another
    std::vector<OptionalIndex> place;  // … and its place among those asked
};

Translation translate(const ReasoningGraph& graph, std::shared_ptr<const CompiledTask> compiled) {
    const CompiledTask& what = *compiled;
    Translation names{std::move(compiled),  what.task, what.circuit, depth(what.circuit),
                      degree(what.circuit), {},        {},           {}};
    names.fact.resize(graph.atom_count());
    names.place.resize(graph.atom_count());
    for (std::uint32_t i = 0; i < names.circuit.facts.size(); ++i) names.fact[names.circuit.facts[i]] = i;
    for (const std::uint32_t atom : names.circuit.facts)
        names.start.push_back(static_cast<double>(graph.initial[atom]));
    for (const auto& [atom, probability] : names.task.chances)
        if (names.fact[atom]) names.start[*names.fact[atom]] = probability;
    for (std::uint32_t i = 0; i < names.task.asked.size(); ++i) names.place[names.task.asked[i]] = i;
    return names;
}

class ExactPass final : public AskedPass {
public:
    ExactPass() : AskedPass(exact_laws.values_name) {}

    void read_initials(std::size_t example, const NumberSpan& to) const override {
        const std::size_t count = names->circuit.facts.size();
        for (std::uint32_t atom = 0; atom < plan->graph.atom_count(); ++atom) {
            const OptionalIndex fact = names->fact[atom];
            to.set(atom, fact ? facts[example * count + *fact] : static_cast<double>(plan->graph.initial[atom]));
        }
    }
    std::uint32_t steps(std::size_t) const override { return names->depth; }
    std::size_t bytes() const override {
        return (facts.capacity() + clauses.capacity() + results.capacity()) * sizeof(double);
    }

    std::span<const double> row(std::size_t example) const {
        const std::size_t size = names->task.asked.size() + 1;
        return std::span(results).subspan(example * size, size);
    }
    double evidence(std::size_t example) const { return row(example).back(); }
    double value_of(std::uint32_t atom, std::size_t example) const override {
        const OptionalIndex place = names->place[atom];
        if (!place) refuse_unasked();
        if (const std::vector<ScaledNumber>* const scaled = scaled_row(example)) {
            const ScaledNumber joint = (*scaled)[*place];
            return names->task.observed.empty() ? joint.value() : std::min((joint / scaled->back()).value(), 1.0);
        }
        const double joint = row(example)[*place];
        return names->task.observed.empty() ? joint : std::min(joint / evidence(example), 1.0);
    }
    void refine(std::size_t example) const override {
        const bool is_small = std::ranges::any_of(row(example), [](double value) { return value < least_safe; });
        if (is_small && scaled_row(example) == nullptr && may_lose_values(example)) scale(example);
    }
    // Computes an example again in numbers that do not end.
    void scale(std::size_t example) const {
        CircuitEvaluation<ScaledNumber> evaluation(names->circuit);
        evaluation.forward(batch().facts_of(example), clauses);
        std::vector<ScaledNumber> values;
        for (const Circuit::Node node : names->circuit.asked) values.push_back(evaluation.value(node));
        values.push_back(evaluation.value(names->circuit.observed));
        const std::scoped_lock lock(mutex_);
        scaled_.try_emplace(example, std::move(values));
        any_scaled_ = true;
    }
    // Null if the example's results are those in `results`.
    const std::vector<ScaledNumber>* scaled_row(std::size_t example) const {
        if (!any_scaled_) return nullptr;
        const std::scoped_lock lock(mutex_);
        const auto found = scaled_.find(example);
        return found == scaled_.end() ? nullptr : &found->second;
    }
    CircuitBatch batch() const { return {examples, facts, clauses}; }

    std::shared_ptr<const Translation> names;
    std::vector<double> facts;    // per example: the probabilities of the circuit's facts
    std::vector<double> clauses;  // the weights of its clauses
    std::vector<double> results;  // per example: the queries together with the evidence, then the evidence

    void forget_scaled() {
        any_scaled_ = false;
        scaled_.clear();
    }

private:
    // Whether a product of the smallest factors is small.
    bool may_lose_values(std::size_t example) const {
        const std::span<const double> facts_of_example = batch().facts_of(example);
        double least = 1;
        for (const Circuit::Distribution& one : names->circuit.distributions) {
            double rest = 1;
            for (const std::uint32_t p : one.parameters) {
                const double chance =
                    p < facts_of_example.size() ? facts_of_example[p] : clauses[p - facts_of_example.size()];
                if (chance > 0) least = std::min(least, chance);
                rest -= chance;
            }
            if (rest > 0) least = std::min(least, rest);
        }
        return names->degree * std::log(least) < std::log(least_safe);
    }

    mutable std::mutex mutex_;
    mutable std::atomic<bool> any_scaled_ = false;
    mutable std::map<std::size_t, std::vector<ScaledNumber>> scaled_;
};

// Passes identify engines by their description: each engine has a second one for its use here.
const EngineInfo& description_of(std::string_view name) {
    static const std::vector<EngineInfo> all = [] {
        std::vector<EngineInfo> copies;
        for (const EngineInfo* one : all_engines()) copies.push_back(*one);
        for (EngineInfo& one : copies) one.device_memory = false;
        return copies;
    }();
    const EngineInfo* const engine = find_engine(name);
    require_that(engine != nullptr, "there is no engine '{}'", name);
    return *std::ranges::find(all, engine->name, &EngineInfo::name);
}

ReasonOptions without_steps(ReasonOptions options) {
    require_that(!options.steps.has_value(), "exact probabilities are not reached step by step: leave out the steps");
    return options;
}

class ExactReasoner final : public GraphReasoner {
public:
    ExactReasoner(std::string_view engine, ReasoningGraph graph_of_program, const GraphLevels& levels,
                  std::shared_ptr<const CompiledTask> compiled, const ReasonOptions& options)
        : GraphReasoner(description_of(engine), std::move(graph_of_program), without_steps(options), &levels),
          names_(std::make_shared<Translation>(translate(graph(), std::move(compiled)))),
          runner_(make_circuit_runner(engine, names_->circuit, options)) {
        require_that(names_->circuit.observed != Circuit::never,
                     "the evidence cannot be true: no world agrees with all of it");
    }

    std::string description() const override {
        return fmt::format("{} on a circuit of {} nodes", runner_->description(), names_->circuit.sums() + 2);
    }
    std::size_t bytes() const override { return runner_->bytes() + names_->circuit.bytes(); }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<ExactPass>(); }
    std::uint64_t bytes_needed(std::size_t examples, Keep) const override {
        return names_->circuit.bytes() + runner_->bytes_needed(examples);
    }
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override;
    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override;

    void check_exclusive(const InputBatch& inputs, std::span<const float> initial) const;
    void fill_facts(const InputBatch& inputs, std::span<const float> initial, std::vector<double>& to) const;
    template <class Number>
    void translate_seeds(const ExactPass& pass, const InputBatch& seeds, std::size_t e, Number evidence,
                         std::span<Number> row) const;
    std::vector<double> differentiate_scaled(const ExactPass& pass, const InputBatch& seeds, std::size_t e) const;

    std::shared_ptr<const Translation> names_;
    std::unique_ptr<CircuitRunner> runner_;
};

void ExactReasoner::check_exclusive(const InputBatch& inputs, std::span<const float> initial) const {
    std::vector<float> values(initial.begin(), initial.end());
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        const std::span<const std::uint32_t> named = inputs.atoms(e);
        for (std::size_t i = 0; i < named.size(); ++i) values[named[i]] = inputs.values(e)[i];
        for (const std::vector<std::uint32_t>& group : names_->task.exclusive) {
            double sum = 0;
            for (const std::uint32_t atom : group)
                if (names_->fact[atom]) sum += static_cast<double>(values[atom]);
            if (sum <= 1 + most_rounding) continue;
            TooProbable error(group, sum);
            error.example = e;
            throw error;
        }
        for (const std::uint32_t atom : named) values[atom] = initial[atom];
    }
}

// `initial`, where it is given, has other values than those of facts.
void ExactReasoner::fill_facts(const InputBatch& inputs, std::span<const float> initial,
                               std::vector<double>& to) const {
    const std::vector<std::uint32_t>& facts = names_->circuit.facts;
    std::vector<double> start = names_->start;
    for (std::size_t i = 0; i < facts.size() && !initial.empty(); ++i)
        start[i] = static_cast<double>(initial[facts[i]]);
    to.resize(inputs.examples() * facts.size());
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        double* const row = to.data() + e * facts.size();
        std::ranges::copy(start, row);
        for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i) {
            const OptionalIndex fact = names_->fact[inputs.atoms(e)[i]];
            if (fact) row[*fact] = inputs.value(e, i);
        }
    }
}

void ExactReasoner::compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const {
    auto& pass = static_cast<ExactPass&>(state);
    pass.names = names_;
    require_certain_weights(pass.weights, names_->task);
    require_disjunctions(pass.weights, names_->task);
    require_random_inputs(inputs, graph(), names_->task);
    if (!names_->task.exclusive.empty()) check_exclusive(inputs, initial.empty() ? graph().initial.span() : initial);
    fill_facts(inputs, initial, pass.facts);
    pass.clauses.clear();
    for (const std::uint32_t clause : names_->circuit.clauses) pass.clauses.push_back(pass.weights[clause]);
    pass.results.resize(pass.examples * (names_->task.asked.size() + 1));
    runner_->forward(pass.batch(), pass.results);
    pass.forget_scaled();
    for (std::size_t e = 0; e < pass.examples && !names_->task.observed.empty(); ++e) {
        if (pass.evidence(e) >= least_safe) continue;
        pass.scale(e);
        require_that(!pass.scaled_row(e)->back().is_zero(), "example {}: the evidence has probability 0", e);
    }
}

// By a conditional probability q = n/d: the gradient by n is that by q divided by d, that by d is −q/d times it.
template <class Number>
void ExactReasoner::translate_seeds(const ExactPass& pass, const InputBatch& seeds, std::size_t e, Number evidence,
                                    std::span<Number> row) const {
    for (std::size_t i = 0; i < seeds.atoms(e).size(); ++i) {
        const std::uint32_t atom = seeds.atoms(e)[i];
        const Number seed = Number(seeds.value(e, i)) / evidence;
        row[*names_->place[atom]] += seed;
        if (!names_->task.observed.empty()) row.back() += Number(-pass.value_of(atom, e)) * seed;
    }
}

std::vector<double> ExactReasoner::differentiate_scaled(const ExactPass& pass, const InputBatch& seeds,
                                                        std::size_t e) const {
    CircuitEvaluation<ScaledNumber> evaluation(names_->circuit);
    evaluation.forward(pass.batch().facts_of(e), pass.clauses);
    const bool conditional = !names_->task.observed.empty();
    std::vector<ScaledNumber> row(names_->task.asked.size() + 1);
    translate_seeds(pass, seeds, e, conditional ? evaluation.value(names_->circuit.observed) : ScaledNumber(1.0),
                    std::span(row));
    std::vector<double> by_parameter;
    for (const ScaledNumber derivative : evaluation.backward(row)) by_parameter.push_back(derivative.value());
    return by_parameter;
}

void ExactReasoner::differentiate(const PassState& state, const InputBatch& seeds,
                                  const GradientRequest& wanted) const {
    const auto& pass = static_cast<const ExactPass&>(state);
    const Circuit& circuit = names_->circuit;
    std::vector<double> by_parameter(pass.examples * circuit.parameters());
    const std::size_t asked = names_->task.asked.size() + 1;
    std::vector<double> rows(pass.examples * asked);
    std::vector<std::size_t> scaled;
    for (std::size_t e = 0; e < pass.examples; ++e) {
        const std::span<double> row = std::span(rows).subspan(e * asked, asked);
        const double evidence = names_->task.observed.empty() ? 1.0 : pass.evidence(e);
        if (evidence >= least_safe) translate_seeds(pass, seeds, e, evidence, row);
        const bool is_safe = evidence >= least_safe && std::ranges::all_of(row, [](double seed) {
                                 return std::abs(seed) <= largest_seed || !std::isfinite(seed);
                             });
        if (is_safe) continue;
        std::ranges::fill(row, 0.0);
        scaled.push_back(e);
    }
    runner_->backward(pass.batch(), rows, by_parameter);
    for (const std::size_t e : scaled)
        std::ranges::copy(differentiate_scaled(pass, seeds, e),
                          by_parameter.begin() + static_cast<std::ptrdiff_t>(e * circuit.parameters()));
    std::vector<double> by_clause(graph().clause_count());
    for (std::size_t e = 0; e < pass.examples; ++e) {
        const std::span<const double> row = std::span(by_parameter).subspan(e * circuit.parameters());
        for (std::size_t i = 0; i < circuit.clauses.size(); ++i)
            by_clause[circuit.clauses[i]] = row[circuit.facts.size() + i];
        const auto by_atom = [&](std::uint32_t atom) {
            const OptionalIndex fact = names_->fact[atom];
            return fact ? row[*fact] : 0.0;
        };
        write_gradients(e, graph(), wanted, by_atom, by_clause);
    }
}

}  // namespace

std::unique_ptr<GraphReasoner> make_exact_reasoner(std::string_view engine, ReasoningGraph graph,
                                                   const GraphLevels& levels,
                                                   std::shared_ptr<const CompiledTask> compiled,
                                                   const ReasonOptions& options) {
    const EngineInfo* const found = find_engine(engine);
    require_that(found == nullptr || found->gradients, "the {} engine cannot run circuits; take another", engine);
    return std::make_unique<ExactReasoner>(engine, std::move(graph), levels, std::move(compiled), options);
}

const WorldSemantics exact_semantics = {.laws = exact_laws, .make = [](WorldRequest request) {
                                            return make_exact_reasoner(request.reason.engine, std::move(request.graph),
                                                                       request.levels, request.circuit(),
                                                                       request.reason);
                                        }};

}  // namespace neumann
