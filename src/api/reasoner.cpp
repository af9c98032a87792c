#include "reason/reasoner.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <neumann/reasoner.h>
#include <neumann/semantics.h>

#include "compile/require.h"
#include "session/asked_queries.h"
#include "session/model_reasoner.h"

namespace neumann {
namespace {

Keep to_keep(Retain retain) {
    return retain == Retain::History    ? Keep::HistoryAndBackward
           : retain == Retain::Backward ? Keep::Backward
                                        : Keep::Results;
}

bool same_owner(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

void require_example(std::size_t example, std::size_t examples) {
    require(example < examples, "there is no example {} among {}", example, examples);
}

// The number of one of `count` things.
std::uint32_t checked_number(const char* thing, std::size_t number, std::size_t count) {
    require(number < count, "there is no {} {} among {}", thing, number, count);
    return static_cast<std::uint32_t>(number);
}

std::vector<std::uint32_t> numbers_of(std::span<const AtomIndex> atoms) {
    std::vector<std::uint32_t> numbers;
    for (const AtomIndex atom : atoms) numbers.push_back(static_cast<std::uint32_t>(atom));
    return numbers;
}

const InputBatch& batch_of(const std::vector<std::vector<AtomValue>>& rows, InputBatch::Builder& builder) {
    builder.reset(rows.size());
    for (std::size_t e = 0; e < rows.size(); ++e) {
        for (const AtomValue& one : rows[e]) builder.add(e, one.atom, one.value);
    }
    return builder.build();
}

}  // namespace

struct Values::State {
    std::weak_ptr<const void> reasoner;  // that of the pass; weak, so that it does not outlive its user's handle
    std::size_t atoms = 0;
    Pass pass;
};

Values::Values() = default;
Values::Values(Values&&) noexcept = default;
Values& Values::operator=(Values&&) noexcept = default;
Values::~Values() = default;

std::size_t Values::examples() const { return state_ ? state_->pass.examples() : 0; }

float Values::value(std::size_t example, AtomIndex atom) const {
    require_example(example, examples());
    return state_->pass.value(checked_number("atom", static_cast<std::size_t>(atom), state_->atoms), example);
}

void Values::read(std::span<const AtomIndex> atoms, std::span<float> to) const {
    require(to.size() == examples() * atoms.size(), "room for {} values given where there are {}", to.size(),
            examples() * atoms.size());
    if (state_ != nullptr) state_->pass.outputs(numbers_of(atoms), to);
}

std::uint32_t Values::steps(std::size_t example) const {
    require_example(example, examples());
    return state_->pass.steps(example);
}

struct Gradients::State {
    std::weak_ptr<const void> reasoner;
    std::size_t examples = 0;
    std::size_t atoms = 0;
    std::size_t clauses = 0;
    std::vector<float> by_atom;    // a row of all atoms per example
    std::vector<float> by_clause;  // … of all clauses
};

Gradients::Gradients() = default;
Gradients::Gradients(Gradients&&) noexcept = default;
Gradients& Gradients::operator=(Gradients&&) noexcept = default;
Gradients::~Gradients() = default;

std::size_t Gradients::examples() const { return state_ ? state_->examples : 0; }

float Gradients::input(std::size_t example, AtomIndex atom) const {
    require_example(example, examples());
    return state_
        ->by_atom[example * state_->atoms + checked_number("atom", static_cast<std::size_t>(atom), state_->atoms)];
}

float Gradients::weight(std::size_t example, std::size_t clause) const {
    require_example(example, examples());
    return state_->by_clause[example * state_->clauses + checked_number("clause", clause, state_->clauses)];
}

std::vector<double> Gradients::weight_sums() const {
    std::vector<double> sums(state_ ? state_->clauses : 0);
    for (std::size_t e = 0; e < examples(); ++e) {
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += static_cast<double>(state_->by_clause[e * sums.size() + k]);
    }
    return sums;
}

struct Reasoner::State {
    State(Model model_to_run, const ReasonerOptions& options)
        : model(std::move(model_to_run)),
          reasoner(make_model_reasoner(*model.state_, options,
                                       semantics_summary(options.semantics).has_worlds ? atoms_to_ask(*model.state_)
                                                                                       : std::vector<std::uint32_t>(),
                                       model.state_->graph().weight.span())),
          weights(reasoner->own_weights().begin(), reasoner->own_weights().end()) {}

    // Makes memory of an earlier outcome of this reasoner its own again; of any other, nothing is of use.
    template <class Outcome>
    static void claim(const std::shared_ptr<State>& self, std::unique_ptr<Outcome>& outcome) {
        if (outcome != nullptr && same_owner(outcome->reasoner, self)) return;
        outcome = std::make_unique<Outcome>();
        outcome->reasoner = self;
        outcome->atoms = self->reasoner->graph().atom_count();
    }
    static Values run(const std::shared_ptr<State>& self, const InputBatch& inputs, Retain retain, Values reuse) {
        claim(self, reuse.state_);
        reuse.state_->pass =
            self->reasoner->forward(inputs, self->weights, {.keep = to_keep(retain)}, std::move(reuse.state_->pass));
        return reuse;
    }
    static void require_own(const std::shared_ptr<State>& self, const Values& values) {
        require(values.state_ != nullptr && same_owner(values.state_->reasoner, self),
                "these values were not computed by this reasoner");
    }

    Model model;
    std::unique_ptr<GraphReasoner> reasoner;
    std::vector<double> weights;
    InputBatch::Builder rows;  // kept from call to call for its memory
};

Reasoner::Reasoner(Model model, const ReasonerOptions& options)
    : state_(std::make_shared<State>(std::move(model), options)) {}
Reasoner::Reasoner(Reasoner&&) noexcept = default;
Reasoner& Reasoner::operator=(Reasoner&&) noexcept = default;
Reasoner::~Reasoner() = default;

const Model& Reasoner::model() const { return state_->model; }

void Reasoner::set_weights(std::span<const double> weights) {
    state_->reasoner->require_weights(weights);
    state_->weights.assign(weights.begin(), weights.end());
}

std::span<const double> Reasoner::weights() const { return state_->weights; }

Values Reasoner::forward(const Batch& batch, Retain retain, Values reuse) {
    require(batch.model_.state_ == state_->model.state_, "this batch was made for another model");
    return State::run(state_, batch_of(batch.values_, state_->rows), retain, std::move(reuse));
}

Values Reasoner::forward(std::size_t examples, std::span<const AtomIndex> inputs, std::span<const float> values,
                         std::span<const AtomIndex> outputs, std::span<float> results, Retain retain, Values reuse) {
    const InputBatch batch = InputBatch::dense(examples, numbers_of(inputs), values);
    Values outcome = State::run(state_, batch, retain, std::move(reuse));
    outcome.read(outputs, results);
    return outcome;
}

Gradients Reasoner::backward(const Values& values, const OutputGradients& output, Gradients reuse) {
    State::require_own(state_, values);
    State::claim(state_, reuse.state_);
    Gradients::State& found = *reuse.state_;
    found.clauses = state_->weights.size();
    found.examples = values.examples();
    found.by_atom.resize(found.examples * found.atoms);
    found.by_clause.resize(found.examples * found.clauses);
    state_->reasoner->backward(values.state_->pass, batch_of(output.gradients_, state_->rows),
                               {.by_atom = found.by_atom, .by_clause = found.by_clause});
    return reuse;
}

void Reasoner::backward(const Values& values, std::span<const AtomIndex> outputs, std::span<const float> gradients,
                        std::span<const AtomIndex> inputs, std::span<float> by_input, std::span<double> by_weight) {
    State::require_own(state_, values);
    require(by_weight.empty() || by_weight.size() == state_->weights.size(),
            "room for {} gradients by weights given where there are {}", by_weight.size(), state_->weights.size());
    std::ranges::fill(by_weight, 0.0);
    const GradientSums sums{.by_clause = by_weight};
    const std::vector<std::uint32_t> wanted = by_input.empty() ? std::vector<std::uint32_t>() : numbers_of(inputs);
    state_->reasoner->backward(values.state_->pass,
                               InputBatch::dense(values.examples(), numbers_of(outputs), gradients),
                               {.inputs = wanted, .by_input = by_input, .sums = {&sums, 1}});
}

std::vector<std::vector<float>> Reasoner::history(const Values& values, std::size_t example,
                                                  std::span<const AtomIndex> atoms) {
    State::require_own(state_, values);
    for (const AtomIndex atom : atoms) state_->model.state_->checked(atom);
    return values.state_->pass.history<float>(example, numbers_of(atoms));
}

}  // namespace neumann
