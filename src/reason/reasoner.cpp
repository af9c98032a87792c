#include "reason/reasoner.h"

#include <atomic>
#include <utility>

#include "base/memory.h"
#include "reason/require_that.h"

namespace neumann {
namespace {

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

Schedule make_schedule(const ReasoningGraph& graph, const ReasonOptions& options, const GraphLevels* levels) {
    if (options.steps) return fixed_schedule(graph, *options.steps);
    return automatic_schedule(graph, levels != nullptr ? *levels : find_levels(graph));
}

void check_options(const EngineInfo& engine, const ReasonOptions& options) {
    require_gamma(options.gamma);
    const SemanticsInfo& semantics = info(options.semantics);
    require_that(!semantics.needs_steps || options.steps.has_value(),
                 "the semantics '{}' needs a number of steps: its values change with every one", semantics.name);
    require_that(engine.automatic_steps || options.steps.has_value(), "the {} engine needs a number of steps",
                 engine.name);
}

void check_initial(std::span<const float> values, std::uint32_t atoms) {
    require_that(values.empty() || values.size() == atoms, "{} initial values given for {} atoms", values.size(),
                 atoms);
    for (std::size_t a = 0; a < values.size(); ++a) {
        if (!is_probability(static_cast<double>(values[a])))
            throw ReasonError(fmt::format("initial value {} of atom {} is not in [0,1]", values[a], a));
    }
}

void check_atoms(const InputBatch& batch, std::size_t example, std::uint32_t atoms) {
    for (const std::uint32_t atom : batch.atoms(example)) {
        if (atom >= atoms) throw ReasonError(fmt::format("there is no atom {}", atom));
    }
}

// Between the ends, where rounding to single precision hides nothing; without branches, in a tenth of the time.
bool are_between(std::span<const float> values) {
    bool all = true;
    for (const float value : values) all &= (value > 0.0F) & (value < 1.0F);
    return all;
}

void check_inputs(const InputBatch& inputs, std::uint32_t atoms) {
    if (inputs.device_rows() != nullptr) return;  // the engine checks them on the GPU
    const std::uint32_t* checked = nullptr;       // the list of atoms, which those of dense batches share
    if (inputs.examples() > 1 && inputs.atoms(0).data() == inputs.atoms(1).data() && !inputs.atoms(0).empty()) {
        check_atoms(inputs, 0, atoms);
        checked = inputs.atoms(0).data();
        if (are_between({inputs.values(0).data(), inputs.examples() * inputs.atoms(0).size()})) return;
    }
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        const std::span<const std::uint32_t> list = inputs.atoms(e);
        if (list.empty()) continue;
        if (list.data() != checked) check_atoms(inputs, e, atoms);
        checked = list.data();
        if (are_between(inputs.values(e))) continue;
        for (std::size_t i = 0; i < inputs.atoms(e).size(); ++i) {
            if (const double value = inputs.value(e, i); !is_probability(value))
                throw ReasonError(fmt::format("the value {} of atom {} in example {} is not in [0,1]",
                                              static_cast<float>(value), inputs.atoms(e)[i], e));
        }
    }
}

void check_request(const GradientRequest& wanted, const ReasoningGraph& graph, std::size_t examples) {
    const auto check_size = [](const char* what, std::size_t given, std::size_t expected) {
        require_that(given == expected, "room for {} gradients by {} given where there are {}", given, what, expected);
    };
    const auto check_listed = [&](std::span<const std::uint32_t> atoms) {
        for (const std::uint32_t atom : atoms) require_that(atom < graph.atom_count(), "there is no atom {}", atom);
    };
    check_listed(wanted.inputs);
    check_size("inputs", wanted.by_input.size(),
               wanted.by_input_on_device != nullptr ? 0 : examples * wanted.inputs.size());
    if (wanted.by_atom.size() > 0) check_size("atoms", wanted.by_atom.size(), examples * graph.atom_count());
    if (wanted.by_clause.size() > 0) check_size("clauses", wanted.by_clause.size(), examples * graph.clause_count());
    for (const GradientSums& sums : wanted.sums) {
        check_listed(sums.atoms);
        check_size("atoms", sums.by_atom.size(), sums.atoms.size());
        require_that(sums.first_clause + sums.by_clause.size() <= graph.clause_count(),
                     "sums for clauses {} to {} wanted of {}", sums.first_clause,
                     sums.first_clause + sums.by_clause.size(), graph.clause_count());
        require_that(sums.factors.empty() || sums.factors.size() == examples, "{} factors given for {} examples",
                     sums.factors.size(), examples);
    }
}

}  // namespace

GraphReasoner::GraphReasoner(const EngineInfo& engine, ReasoningGraph graph, const ReasonOptions& options,
                             const GraphLevels* levels)
    : engine_(engine), number_(next_number()) {
    check_options(engine, options);
    Schedule schedule = make_schedule(graph, options, levels);
    plan_ = std::make_shared<ReasonPlan>(ReasonPlan{std::move(graph), options, std::move(schedule)});
    require_weights(own_weights());
}

void GraphReasoner::require_weights(std::span<const double> weights) const {
    require_that(weights.size() == graph().clause_count(), "{} weights given for {} clauses", weights.size(),
                 graph().clause_count());
    for (std::size_t k = 0; k < weights.size(); ++k)
        require_that(is_probability(weights[k]), "weight {} of clause {} is not in [0,1]", weights[k], k);
}

void GraphReasoner::check_device(const InputBatch& batch) const {
    require_that(batch.device_rows() == nullptr || engine_.device_memory,
                 "the {} engine takes no arrays of a GPU: take cuda, or copy them", engine_.name);
    for (const std::uint32_t atom : batch.device_atoms())
        if (batch.device_rows() != nullptr) require_that(atom < graph().atom_count(), "there is no atom {}", atom);
}

void GraphReasoner::require_memory(std::size_t examples, Keep keep) const {
    const std::uint64_t limit = options().memory_limit;
    if (limit == 0) return;
    const std::uint64_t pass = bytes_needed(examples, keep);
    const std::uint64_t needed = pass == 0 ? 0 : graph().bytes() + pass;
    require_that(needed <= limit,
                 "reasoning about {} {} at a time needs {}, of which {} are the graph; the memory limit is {}: take "
                 "smaller batches, fewer threads or a shorter history, ask a narrower query, or raise the limit",
                 examples, examples == 1 ? "example" : "examples", format_bytes(needed), format_bytes(graph().bytes()),
                 format_bytes(limit));
}

Pass GraphReasoner::forward(const InputBatch& inputs, std::span<const double> weights, const ForwardOptions& options,
                            Pass&& reuse) const {
    check_device(inputs);
    check_inputs(inputs, graph().atom_count());
    require_weights(weights);
    check_initial(options.initial, graph().atom_count());
    require_memory(inputs.examples(), options.keep);
    Pass pass = std::move(reuse);
    if (pass.state_ == nullptr || pass.state_->engine != &engine_) pass.state_ = make_state();
    PassState& state = *pass.state_;
    state.engine = &engine_;
    state.reasoner = number_;
    state.plan = plan_;
    state.weights.assign(weights.begin(), weights.end());
    state.examples = inputs.examples();
    state.kept = options.keep;
    compute(inputs, options.initial, state);
    return pass;
}

void GraphReasoner::backward(const Pass& pass, const InputBatch& seeds, const GradientRequest& wanted) const {
    require_that(engine_.gradients, "the {} engine has no gradients", engine_.name);
    require_that(pass.state_ != nullptr && keeps_backward(pass.state_->kept),
                 "this pass did not keep what a backward pass needs");
    require_that(pass.state_->reasoner == number_, "this pass is another reasoner's");
    require_that(seeds.examples() == pass.examples(), "gradients for {} examples given to a pass of {}",
                 seeds.examples(), pass.examples());
    check_device(seeds);
    for (std::size_t e = 0; e < seeds.examples() && seeds.device_rows() == nullptr; ++e)
        check_atoms(seeds, e, graph().atom_count());
    require_that(wanted.by_input_on_device == nullptr || engine_.device_memory,
                 "the {} engine writes no arrays of a GPU", engine_.name);
    check_request(wanted, graph(), pass.examples());
    differentiate(*pass.state_, seeds, wanted);
}

}  // namespace neumann
