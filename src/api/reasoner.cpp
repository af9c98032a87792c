#include <utility>

#include <neumann/reasoner.h>

#include "api/model_state.h"
#include "api/require.h"
#include "base/suggest.h"
#include "base/thread_pool.h"
#include "reason/graph_reasoner.h"

namespace neumann {
namespace {

Semantics semantics_called(const std::string& name) {
    if (const std::optional<Semantics> found = find_semantics(name)) return *found;
    std::vector<std::string> known;
    for (const SemanticsInfo& one : all_semantics()) known.emplace_back(one.name);
    throw std::invalid_argument(fmt::format("there is no semantics '{}'; {}", name, did_you_mean_or_list(name, known)));
}

ReasonOptions reason_options(const ReasonerOptions& options) {
    return {.semantics = semantics_called(options.semantics),
            .gamma = options.gamma,
            .steps = options.steps,
            .threads = options.threads == 0 ? hardware_threads() : options.threads,
            .kernel = options.kernel,
            .memory_budget = options.memory_budget};
}

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

}  // namespace

struct Values::State {
    std::weak_ptr<const void> reasoner;  // that of the pass; weak, so that it does not outlive its user's handle
    std::size_t atoms = 0;
    ForwardPass pass;
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

std::uint32_t Values::steps(std::size_t example) const {
    require_example(example, examples());
    return state_->pass.steps(example);
}

struct Gradients::State {
    std::weak_ptr<const void> reasoner;
    std::size_t examples = 0;
    std::size_t atoms = 0;
    std::size_t clauses = 0;
    GraphGradients gradients;
};

Gradients::Gradients() = default;
Gradients::Gradients(Gradients&&) noexcept = default;
Gradients& Gradients::operator=(Gradients&&) noexcept = default;
Gradients::~Gradients() = default;

std::size_t Gradients::examples() const { return state_ ? state_->examples : 0; }

float Gradients::input(std::size_t example, AtomIndex atom) const {
    require_example(example, examples());
    return state_->gradients.input(checked_number("atom", static_cast<std::size_t>(atom), state_->atoms), example);
}

float Gradients::weight(std::size_t example, std::size_t clause) const {
    require_example(example, examples());
    return state_->gradients.weight(checked_number("clause", clause, state_->clauses), example);
}

std::vector<double> Gradients::weight_sums() const {
    std::vector<double> sums(state_ ? state_->clauses : 0);
    for (std::uint32_t k = 0; k < sums.size(); ++k) sums[k] = state_->gradients.weight_sum(k);
    return sums;
}

struct Reasoner::State {
    State(Model model_to_run, const ReasonerOptions& options)
        : model(std::move(model_to_run)),
          reasoner(model.state_->graph(), reason_options(options), &model.state_->levels()) {}

    // Makes memory of an earlier outcome of this reasoner its own again; of any other, nothing is of use.
    template <class Outcome>
    static void claim(const std::shared_ptr<State>& self, std::unique_ptr<Outcome>& outcome) {
        if (outcome != nullptr && same_owner(outcome->reasoner, self)) return;
        outcome = std::make_unique<Outcome>();
        outcome->reasoner = self;
        outcome->atoms = self->reasoner.graph().atom_count();
    }

    Model model;
    GraphReasoner reasoner;
    AtomNumbers inputs;  // kept from call to call for their memory
    AtomNumbers output;
};

Reasoner::Reasoner(Model model, const ReasonerOptions& options)
    : state_(std::make_shared<State>(std::move(model), options)) {}
Reasoner::Reasoner(Reasoner&&) noexcept = default;
Reasoner& Reasoner::operator=(Reasoner&&) noexcept = default;
Reasoner::~Reasoner() = default;

const Model& Reasoner::model() const { return state_->model; }
void Reasoner::set_weights(std::span<const double> weights) { state_->reasoner.set_weights(weights); }
std::span<const double> Reasoner::weights() const { return state_->reasoner.weights(); }

Values Reasoner::forward(const Batch& batch, Retain retain, Values reuse) {
    require(batch.model_.state_ == state_->model.state_, "this batch was made for another model");
    AtomNumbers& inputs = state_->inputs;
    inputs.resize(batch.examples());
    for (std::size_t e = 0; e < batch.examples(); ++e) {
        inputs.clear(e);
        for (const Batch::Entry& entry : batch.values_[e])
            inputs.set(e, static_cast<std::uint32_t>(entry.atom), entry.value);
    }
    State::claim(state_, reuse.state_);
    state_->reasoner.forward(inputs, reuse.state_->pass, to_keep(retain));
    return reuse;
}

Gradients Reasoner::backward(const Values& values, const OutputGradients& output, Gradients reuse) {
    require(values.state_ != nullptr && same_owner(values.state_->reasoner, state_),
            "these values were not computed by this reasoner");
    AtomNumbers& seeds = state_->output;
    seeds.resize(output.examples());
    for (std::size_t e = 0; e < output.examples(); ++e) {
        seeds.clear(e);
        for (const OutputGradients::Entry& entry : output.gradients_[e])
            seeds.set(e, static_cast<std::uint32_t>(entry.atom), entry.gradient);
    }
    State::claim(state_, reuse.state_);
    state_->reasoner.backward(values.state_->pass, seeds, reuse.state_->gradients);
    reuse.state_->examples = values.examples();
    reuse.state_->clauses = state_->reasoner.graph().clause_count();
    return reuse;
}

std::vector<std::vector<float>> Reasoner::history(const Values& values, std::size_t example,
                                                  std::span<const AtomIndex> atoms) {
    require(values.state_ != nullptr && same_owner(values.state_->reasoner, state_),
            "these values were not computed by this reasoner");
    std::vector<std::uint32_t> numbers;
    for (const AtomIndex atom : atoms) numbers.push_back(state_->model.state_->checked(atom));
    return state_->reasoner.history(values.state_->pass, example, numbers);
}

}  // namespace neumann
