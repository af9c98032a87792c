// The tensor engine, for comparison: the reasoner of ∂ILP and αILP, which looks bodies up in a dense index tensor. Each
// entry is stored and visited, padding included; that is the cost this engine is there to show. Forward only, in scalar
// double precision, for a fixed number of steps in every stratum.
#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/pod_vector.h"
#include "reason/formulas.h"
#include "reason/reasoner.h"
#include "reason/tensor/tensor_size.h"

namespace neumann {

extern const EngineInfo tensor_engine;

namespace {

void refuse_above(const TensorSize& size, std::uint64_t limit) {
    if (size.total_bytes > limit || size.total_bytes == TensorSize::too_many) throw TensorTooLarge(size, limit);
}

struct TensorIndex {
    TensorSize size;
    PodVector<std::uint32_t> places;      // codes of literals
    std::vector<std::uint32_t> phase_of;  // per atom; of one that nothing derives the first
};

// Two more atoms: one that is true, one that is false. Ids leave room for them.
GraphLiteral truth(const TensorSize& size) { return GraphLiteral(static_cast<std::uint32_t>(size.atoms)); }
GraphLiteral falsity(const TensorSize& size) { return GraphLiteral(static_cast<std::uint32_t>(size.atoms + 1)); }

TensorIndex make_index(const ReasoningGraph& graph, const Schedule& schedule, const TensorSize& size) {
    TensorIndex index{size, {}, std::vector<std::uint32_t>(size.atoms)};
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
        for (const std::uint32_t atom : schedule.atoms_of(schedule.phases[p])) index.phase_of[atom] = p;
    }
    index.places.resize(size.index_bytes / sizeof(std::uint32_t), falsity(size).code());
    number_substitutions(graph, [&](std::uint32_t conjunction, std::uint32_t number) {
        const std::size_t row = graph.clause[conjunction] * size.atoms + graph.head[conjunction];
        std::uint32_t* to = index.places.data() + (row * size.substitutions + number) * size.body_length;
        std::fill_n(to, size.body_length, truth(size).code());
        std::ranges::transform(graph.literals(conjunction), to, &GraphLiteral::code);
    });
    return index;
}

// Computes one example after the other.
class TensorWork {
public:
    TensorWork(const ReasonPlan& plan, const TensorIndex& index, std::span<const double> weights);  // borrows all

    void load(std::span<const float> initial, std::span<const std::uint32_t> atoms, std::span<const float> values);
    void step(std::uint32_t phase);
    std::span<const double> values() const { return std::span(values_).first(size().atoms); }

private:
    const TensorSize& size() const { return index_.size; }
    const ReasonOptions& options() const { return plan_.options; }
    double derive(std::size_t atom);

    const ReasonPlan& plan_;
    const TensorIndex& index_;
    const formulas::AtomFormulas& formulas_;
    std::span<const double> weights_;
    std::vector<double> initial_;
    std::vector<double> values_;  // atoms, then the one that is true and the one that is false
    std::vector<double> next_;    // likewise
    PodVector<double> state_;     // of semantics that keep state: [clause][atom][substitution]
    // Of the atom at work.
    formulas::AtomBuffer buffer_;
    std::vector<std::size_t> places_;  // of its conjunctions in state_
    std::vector<double> state_here_;
};

TensorWork::TensorWork(const ReasonPlan& plan, const TensorIndex& index, std::span<const double> weights)
    : plan_(plan), index_(index), formulas_(formulas::formulas_of(plan.options.semantics)), weights_(weights),
      initial_(size().atoms), values_(size().atoms + 2), next_(size().atoms + 2) {
    if (info(options().semantics).keeps_state) state_.resize(size().clauses * size().atoms * size().substitutions);
}

void TensorWork::load(std::span<const float> initial, std::span<const std::uint32_t> atoms,
                      std::span<const float> values) {
    std::ranges::copy(initial, initial_.begin());
    for (std::size_t i = 0; i < atoms.size(); ++i)
        initial_[atoms[i]] = static_cast<double>(values[i]) + 0.0;  // without −0
    std::ranges::copy(initial_, values_.begin());
    for (std::vector<double>* state : {&values_, &next_}) {
        (*state)[truth(size()).atom()] = 1;
        (*state)[falsity(size()).atom()] = 0;
    }
    std::ranges::fill(state_, 0.0);
}

void TensorWork::step(std::uint32_t phase) {
    for (std::size_t atom = 0; atom < size().atoms; ++atom)
        next_[atom] = index_.phase_of[atom] == phase ? derive(atom) : values_[atom];
    std::swap(values_, next_);
}

// Padding is left out: under semantics that do not keep zero a conjunction that is 0 would count.
double TensorWork::derive(std::size_t atom) {
    buffer_.clear();
    places_.clear();
    for (std::uint32_t clause = 0; clause < size().clauses; ++clause) {
        for (std::size_t s = 0; s < size().substitutions; ++s) {
            const std::size_t place = (clause * size().atoms + atom) * size().substitutions + s;
            const std::uint32_t* body = index_.places.data() + place * size().body_length;
            if (body[0] == falsity(size()).code()) continue;
            for (std::size_t j = 0; j < size().body_length; ++j) {
                const GraphLiteral literal = GraphLiteral::from_code(body[j]);
                const double value = values_[literal.atom()];
                buffer_.add_literal(literal.negated() ? formulas_.negation(value) : value);
            }
            buffer_.end_conjunction(clause, weights_[clause]);
            places_.push_back(place);
        }
    }
    if (places_.empty()) return values_[atom];  // nothing derives it
    state_here_.clear();
    if (!state_.empty()) {
        for (const std::size_t place : places_) state_here_.push_back(state_[place]);
    }
    formulas::Clamp clamp;
    const double result =
        formulas_.forward(buffer_.view(options().gamma, initial_[atom], values_[atom]), state_here_, clamp);
    for (std::size_t k = 0; k < state_here_.size(); ++k) state_[places_[k]] = state_here_[k];
    return result;
}

class TensorPass final : public PassState {
public:
    void read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const override {
        std::size_t next = 0;
        for (std::size_t e = 0; e < examples; ++e) {
            for (const std::uint32_t atom : atoms) to.set(next++, result(e)[atom]);
        }
    }
    void read_values(std::size_t example, const NumberSpan& to) const override { read(result(example), to); }
    void read_initials(std::size_t example, const NumberSpan& to) const override {
        for (std::size_t a = 0; a < to.size(); ++a) to.set(a, start()[a]);
        for (std::size_t i = 0; i < inputs.atoms(example).size(); ++i)
            to.set(inputs.atoms(example)[i], inputs.values(example)[i] + 0.0F);  // without −0
    }
    void gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                const NumberSpan& to) const override {
        for (std::size_t i = 0; i < atoms.size(); ++i) to.set(i, result(of_examples[i])[atoms[i]]);
    }
    std::uint32_t steps(std::size_t) const override { return plan->schedule.total_steps(); }
    std::vector<std::uint32_t> rounds(std::size_t) const override {
        return std::vector<std::uint32_t>(plan->schedule.phases.size(), plan->schedule.steps);
    }
    void read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const override {
        std::size_t next = 0;
        for (std::size_t t = 0; t < states; ++t) {
            for (const std::uint32_t atom : atoms) to.set(next++, state(t, example)[atom]);
        }
    }
    std::size_t bytes() const override { return numbers.capacity() * sizeof(double); }

    std::span<const float> start() const { return initial.empty() ? plan->graph.initial.span() : std::span(initial); }

    InputBatch inputs;
    std::vector<float> initial;   // empty: the graph's
    std::size_t states = 1;       // of an example: the last one, or that of every step
    std::vector<double> numbers;  // [example][state][atom]

private:
    std::span<const double> state(std::size_t place, std::size_t example) const {
        const std::size_t atoms = plan->graph.atom_count();
        return std::span(numbers).subspan((example * states + place) * atoms, atoms);
    }
    std::span<const double> result(std::size_t example) const { return state(states - 1, example); }
    static void read(std::span<const double> from, const NumberSpan& to) {
        for (std::size_t i = 0; i < from.size(); ++i) to.set(i, from[i]);
    }
};

class TensorReasoner final : public GraphReasoner {
public:
    TensorReasoner(ReasoningGraph all, const ReasonOptions& options, const GraphLevels* levels)
        : GraphReasoner(tensor_engine, std::move(all), options, levels),
          limit_(options.memory_limit != 0 ? options.memory_limit : available_memory_bytes() / 5 * 4) {
        const TensorSize size = tensor_size(graph(), options);
        refuse_above(size, limit_);
        index_ = make_index(graph(), schedule(), size);
    }

    std::string description() const override { return "tensor engine"; }
    std::size_t bytes() const override { return index_.places.size() * sizeof(std::uint32_t); }

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<TensorPass>(); }
    std::uint64_t bytes_needed(std::size_t, Keep) const override { return 0; }

    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override {
        auto& pass = static_cast<TensorPass&>(state);
        const bool history = keeps_history(pass.kept);
        refuse_above(tensor_size(graph(), options(), inputs.examples(), history), limit_);
        pass.inputs = inputs;
        pass.initial.assign(initial.begin(), initial.end());
        pass.states = history ? std::size_t{schedule().total_steps()} + 1 : 1;
        pass.numbers.clear();
        pass.numbers.reserve(inputs.examples() * pass.states * graph().atom_count());
        TensorWork work(*plan(), index_, pass.weights);
        const auto keep = [&] { pass.numbers.insert(pass.numbers.end(), work.values().begin(), work.values().end()); };
        for (std::size_t e = 0; e < inputs.examples(); ++e) {
            work.load(pass.start(), inputs.atoms(e), inputs.values(e));
            for (std::uint32_t t = 0; t < schedule().total_steps(); ++t) {
                if (history) keep();
                work.step(t / schedule().steps);
            }
            keep();
        }
    }

    void differentiate(const PassState&, const InputBatch&, const GradientRequest&) const override {}

    std::uint64_t limit_;
    TensorIndex index_;
};

}  // namespace

const EngineInfo tensor_engine = {
    .name = "tensor",
    .command_name = "tensor",
    .summary = "the dense tensors of earlier reasoners",
    .gradients = false,
    .double_precision = true,
    .automatic_steps = false,
    .make = [](ReasoningGraph graph, const ReasonOptions& options,
               const GraphLevels* levels) -> std::unique_ptr<GraphReasoner> {
        return std::make_unique<TensorReasoner>(std::move(graph), options, levels);
    },
};

}  // namespace neumann
