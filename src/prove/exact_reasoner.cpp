#include "prove/exact_reasoner.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "prove/asked_pass.h"
#include "reason/require_that.h"
#include "reason/write_gradients.h"

namespace neumann {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

// What the reasoner and its passes share.
struct Translation {
    WorldsTask task;
    Circuit circuit;
    std::vector<std::uint32_t> inside;  // per atom of the program's graph: its input of the circuit, or none
    std::vector<std::uint32_t> place;   // … and its place among those asked, or none
    std::vector<std::uint32_t> roots;   // atoms of the circuit that are read: those asked, then the evidence
    std::vector<std::uint32_t>
        root_of;  // per place of an asked atom, then the evidence: in roots, or none for constants
};

// A constant, or a root's value.
double value_at(const Translation& names, std::size_t place, std::span<const double> roots) {
    if (const std::uint32_t root = names.root_of[place]; root != none) return roots[root];
    const bool is_evidence = place == names.task.asked.size();
    const Circuit::Value& value = is_evidence ? names.circuit.observed : names.circuit.asked[place];
    return value.holds ? 1 : 0;
}

class ExactPass final : public AskedPass {
public:
    ExactPass() : AskedPass("exact") {}

    void read_initials(std::size_t example, const NumberSpan& to) const override {
        std::vector<double> inner_initials(names->circuit.graph.atom_count());
        inner.initials(example, inner_initials);
        for (std::uint32_t atom = 0; atom < plan->graph.atom_count(); ++atom) {
            const std::uint32_t inside = names->inside[atom];
            to.set(atom, inside != none ? inner_initials[inside] : static_cast<double>(plan->graph.initial[atom]));
        }
    }
    std::uint32_t steps(std::size_t example) const override { return inner.steps(example); }
    std::size_t bytes() const override { return inner.bytes() + roots.capacity() * sizeof(double); }

    double evidence(std::size_t example) const { return value_at(*names, names->task.asked.size(), row(example)); }
    double value_of(std::uint32_t atom, std::size_t example) const override {
        const std::uint32_t place = names->place[atom];
        if (place == none) refuse_unasked();
        const double joint = value_at(*names, place, row(example));
        return names->task.observed.empty() ? joint : std::min(joint / evidence(example), 1.0);
    }
    std::span<const double> row(std::size_t example) const {
        return std::span(roots).subspan(example * names->roots.size(), names->roots.size());
    }

    std::shared_ptr<const Translation> names;
    Pass inner;
    std::vector<double> roots;  // per example: the values of the circuit's roots
};

// Passes tell engines apart by their description: each engine has a second one for its use here.
const EngineInfo& description_of(const EngineInfo& engine) {
    static const std::vector<EngineInfo> all = [] {
        std::vector<EngineInfo> copies;
        for (const EngineInfo* one : all_engines()) copies.push_back(*one);
        return copies;
    }();
    return *std::ranges::find(all, engine.name, &EngineInfo::name);
}

const EngineInfo& engine_called(std::string_view name) {
    const EngineInfo* const engine = find_engine(name);
    require_that(engine != nullptr, "there is no engine '{}'", name);
    require_that(engine->automatic_steps, "the {} engine cannot run circuits; take another", engine->name);
    return *engine;
}

ReasonOptions without_steps(ReasonOptions options) {
    require_that(!options.steps.has_value(), "exact probabilities are not reached step by step: leave out the steps");
    return options;
}

class ExactReasoner final : public GraphReasoner {
public:
    ExactReasoner(const EngineInfo& engine, ReasoningGraph outside, const GraphLevels& levels, WorldsTask task,
                  Circuit circuit, const ReasonOptions& options)
        : GraphReasoner(description_of(engine), std::move(outside), without_steps(options), &levels),
          inner_(make_reasoner(engine.name, circuit.graph, options)),
          names_(std::make_shared<Translation>(translate(graph(), std::move(task), std::move(circuit)))) {
        require_that(!names_->circuit.observed.is_constant || names_->circuit.observed.holds,
                     "the evidence cannot be true: no world agrees with all of it");
    }

    std::string description() const override {
        return fmt::format("{} on a circuit of {} nodes", inner_->description(), names_->circuit.graph.atom_count());
    }
    std::size_t bytes() const override { return inner_->bytes() + names_->circuit.graph.bytes(); }

private:
    static Translation translate(const ReasoningGraph& outside, WorldsTask task, Circuit circuit);

    std::unique_ptr<PassState> make_state() const override { return std::make_unique<ExactPass>(); }
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }  // the inner reasoner looks
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override;
    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override;

    void translate_inputs(const InputBatch& inputs, InputBatch::Builder& inside) const;
    void check_exclusive(const InputBatch& inputs, std::span<const float> initial) const;
    InputBatch::Builder translate_seeds(const ExactPass& pass, const InputBatch& seeds) const;

    std::unique_ptr<GraphReasoner> inner_;
    std::shared_ptr<const Translation> names_;
};

Translation ExactReasoner::translate(const ReasoningGraph& outside, WorldsTask task, Circuit circuit) {
    Translation names{std::move(task), std::move(circuit), {}, {}, {}, {}};
    names.inside.assign(outside.atom_count(), none);
    names.place.assign(outside.atom_count(), none);
    for (const Circuit::Input& input : names.circuit.inputs) names.inside[input.outside] = input.inside;
    for (std::size_t i = 0; i < names.task.asked.size(); ++i)
        names.place[names.task.asked[i]] = static_cast<std::uint32_t>(i);
    const auto add_root = [&](const Circuit::Value& value) {
        names.root_of.push_back(value.is_constant ? none : static_cast<std::uint32_t>(names.roots.size()));
        if (!value.is_constant) names.roots.push_back(value.atom);
    };
    for (const Circuit::Value& value : names.circuit.asked) add_root(value);
    add_root(names.circuit.observed);
    return names;
}

void ExactReasoner::translate_inputs(const InputBatch& inputs, InputBatch::Builder& inside) const {
    require_random_inputs(inputs, graph(), names_->task);
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i) {
            const std::uint32_t atom = names_->inside[inputs.atoms(e)[i]];
            if (atom != none) inside.add(e, atom, inputs.value(e, i));
        }
    }
}

void ExactReasoner::check_exclusive(const InputBatch& inputs, std::span<const float> initial) const {
    std::vector<float> values(initial.begin(), initial.end());
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        const std::span<const std::uint32_t> named = inputs.atoms(e);
        for (std::size_t i = 0; i < named.size(); ++i) values[named[i]] = inputs.values(e)[i];
        for (const std::vector<std::uint32_t>& group : names_->task.exclusive) {
            double sum = 0;
            for (const std::uint32_t atom : group)
                if (names_->inside[atom] != none) sum += static_cast<double>(values[atom]);
            require_that(sum <= 1 + most_rounding,
                         "example {}: the probabilities of {} atoms that exclude each other add up to {:.4f}; it can "
                         "be 1 at most",
                         e, group.size(), sum);
        }
        for (const std::uint32_t atom : named) values[atom] = initial[atom];
    }
}

void ExactReasoner::compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const {
    auto& pass = static_cast<ExactPass&>(state);
    pass.names = names_;
    require_certain_weights(pass.weights, names_->task);
    if (!names_->task.exclusive.empty()) check_exclusive(inputs, initial.empty() ? graph().initial.span() : initial);
    InputBatch::Builder inside(inputs.examples());
    translate_inputs(inputs, inside);
    std::vector<float> start;
    if (!initial.empty()) {
        start.resize(names_->circuit.graph.atom_count());
        for (const Circuit::Input& input : names_->circuit.inputs) start[input.inside] = initial[input.outside];
    }
    std::vector<double> weights = pass.weights;
    weights.push_back(1.0);
    pass.inner = inner_->forward(inside.build(), weights, {.keep = pass.kept, .initial = start}, std::move(pass.inner));
    pass.roots.resize(pass.examples * names_->roots.size());
    pass.inner.outputs(names_->roots, pass.roots);
    for (std::size_t e = 0; e < pass.examples && !names_->task.observed.empty(); ++e)
        require_that(pass.evidence(e) > 0, "example {}: the evidence has probability 0", e);
}

// By a conditional probability q = n/d: the gradient by n is that by q divided by d, that by d is −q/d times it.
InputBatch::Builder ExactReasoner::translate_seeds(const ExactPass& pass, const InputBatch& seeds) const {
    InputBatch::Builder inside(seeds.examples());
    for (std::size_t e = 0; e < seeds.examples(); ++e) {
        const bool conditional = !names_->task.observed.empty();
        const double evidence = conditional ? pass.evidence(e) : 1.0;
        double by_evidence = 0;
        for (std::size_t i = 0; i < seeds.atoms(e).size(); ++i) {
            const double value = pass.value_of(seeds.atoms(e)[i], e);
            const double seed = seeds.value(e, i);
            if (const std::uint32_t root = names_->root_of[names_->place[seeds.atoms(e)[i]]]; root != none)
                inside.add(e, names_->roots[root], seed / evidence);
            if (conditional) by_evidence -= seed * value / evidence;
        }
        if (const std::uint32_t root = names_->root_of.back(); conditional && root != none)
            inside.add(e, names_->roots[root], by_evidence);
    }
    return inside;
}

void ExactReasoner::differentiate(const PassState& state, const InputBatch& seeds,
                                  const GradientRequest& wanted) const {
    const auto& pass = static_cast<const ExactPass&>(state);
    InputBatch::Builder inside = translate_seeds(pass, seeds);
    const std::size_t clauses = graph().clause_count();
    const std::size_t inputs = names_->circuit.inputs.size();
    std::vector<std::uint32_t> input_atoms;
    std::vector<std::uint32_t> column(graph().atom_count(), none);  // per atom of the program's graph
    for (const Circuit::Input& input : names_->circuit.inputs) {
        column[input.outside] = static_cast<std::uint32_t>(input_atoms.size());
        input_atoms.push_back(input.inside);
    }
    std::vector<double> by_input(pass.examples * inputs);
    std::vector<double> by_clause(pass.examples * (clauses + 1));
    inner_->backward(pass.inner, inside.build(), {.inputs = input_atoms, .by_input = by_input, .by_clause = by_clause});
    const auto gradient = [&](std::size_t example, std::uint32_t atom) {
        return column[atom] == none ? 0.0 : by_input[example * inputs + column[atom]];
    };
    for (std::size_t e = 0; e < pass.examples; ++e) {
        const std::span<const double> clause_row = std::span(by_clause).subspan(e * (clauses + 1), clauses);
        write_gradients(
            e, graph(), wanted, [&](std::uint32_t atom) { return gradient(e, atom); }, clause_row);
    }
}

}  // namespace

std::unique_ptr<GraphReasoner> make_exact_reasoner(std::string_view engine, ReasoningGraph graph,
                                                   const GraphLevels& levels, WorldsTask task, Circuit circuit,
                                                   const ReasonOptions& options) {
    return std::make_unique<ExactReasoner>(engine_called(engine), std::move(graph), levels, std::move(task),
                                           std::move(circuit), options);
}

}  // namespace neumann
