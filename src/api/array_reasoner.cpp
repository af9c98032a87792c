#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include <neumann/array_reasoner.h>
#include <neumann/semantics.h>

#include "api/array_columns.h"
#include "compile/require.h"
#include "session/model_reasoner.h"

namespace neumann {

namespace {

// Passes that are kept for their memory: as many as threads usually work on one reasoner.
constexpr std::size_t most_spare = 4;

}  // namespace

struct ArrayReasoner::State {
    State(Model model_to_run, ArrayColumns what, const ReasonerOptions& how)
        : model(std::move(model_to_run)), columns(std::move(what)), options(how),
          inputs(present(columns.inputs, *model.state_)), outputs(present(columns.outputs, *model.state_)) {
        std::vector<std::uint32_t> sorted = inputs.atoms;
        std::ranges::sort(sorted);
        const auto twice = std::ranges::adjacent_find(sorted);
        require(twice == sorted.end(), "the input {} is there twice",
                twice == sorted.end() ? std::string() : model.atom_name(AtomIndex{*twice}));
        for (std::size_t i = 0; i < columns.inputs.size(); ++i)
            if (columns.inputs[i] && model.state_->graph().initial[model.state_->checked(*columns.inputs[i])] != 0)
                own_facts.push_back(i);
        single = make(options);
    }

    std::unique_ptr<GraphReasoner> make(const ReasonerOptions& how) {
        const std::span<const double> own = model.state_->graph().weight.span();
        std::vector<double> weights(own.begin(), own.end());
        for (const std::size_t clause : columns.varying) {
            require(clause < weights.size(), "there is no clause {} among {}", clause, weights.size());
            weights[clause] = 0.5;  // any but 1: not certain
        }
        std::vector<std::uint32_t> asked = outputs.atoms;
        std::ranges::sort(asked);
        asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
        return make_model_reasoner(*model.state_, how, asked, weights);
    }

    const GraphReasoner& engine(float) { return *single; }
    const GraphReasoner& engine(double) {
        std::call_once(made_precise, [&] {
            ReasonerOptions how = options;
            // Without engines all is computed in double precision anyway.
            if (semantics_summary(how.semantics).takes_engine) how.engine = precise_engine().name;
            precise = make(how);
        });
        return *precise;
    }

    std::vector<Pass>& spare(float) { return single_passes; }
    std::vector<Pass>& spare(double) { return precise_passes; }
    template <class Number>
    Pass take_spare() {
        const std::scoped_lock lock(mutex);
        std::vector<Pass>& passes = spare(Number{});
        if (passes.empty()) return {};
        Pass pass = std::move(passes.back());
        passes.pop_back();
        return pass;
    }
    template <class Number>
    void give_back(Pass&& pass) {
        const std::scoped_lock lock(mutex);
        if (std::vector<Pass>& passes = spare(Number{}); passes.size() < most_spare) passes.push_back(std::move(pass));
    }

    template <class Number>
    Pass run(std::size_t examples, std::span<const Number> rows, std::span<const double> weights, std::span<Number> to,
             Keep keep) {
        require_rows("inputs", rows, examples, inputs.width);
        if (!inputs.all()) require_probabilities(rows);  // the engine sees those of the graph alone
        return run(present_batch(inputs, rows, examples), weights, to, keep);
    }

    template <class Number>
    Pass run(const SparseRows<Number>& rows, std::span<const double> weights, std::span<Number> to, Keep keep) {
        require_sparse(rows, inputs.width);
        require_probabilities(rows.value);
        InputBatch::Builder batch(rows.rows());
        std::vector<bool> is_given(columns.inputs.size(), false);
        for (std::size_t e = 0; e < rows.rows(); ++e) {
            const std::span<const std::size_t> given =
                rows.column.subspan(rows.begin[e], rows.begin[e + 1] - rows.begin[e]);
            for (std::size_t i = 0; i < given.size(); ++i) {
                is_given[given[i]] = true;
                if (const std::optional<AtomIndex> atom = columns.inputs[given[i]])
                    batch.add(e, static_cast<std::uint32_t>(*atom), rows.value[rows.begin[e] + i]);
            }
            for (const std::size_t column : own_facts)
                if (!is_given[column]) batch.add(e, static_cast<std::uint32_t>(*columns.inputs[column]), Number{0});
            for (const std::size_t column : given) is_given[column] = false;
        }
        return run(batch.build(), weights, to, keep);
    }

    template <class Number>
    Pass run(const InputBatch& batch, std::span<const double> weights, std::span<Number> to, Keep keep) {
        const std::size_t examples = batch.examples();
        require_rows("outputs", to, examples, outputs.width);
        const GraphReasoner& reasoner = engine(Number{});
        Pass pass = reasoner.forward(batch, weights.empty() ? reasoner.own_weights() : weights, {.keep = keep},
                                     take_spare<Number>());
        scatter(outputs, examples, to, [&](std::span<Number> numbers) { pass.outputs(outputs.atoms, numbers); });
        return pass;
    }

    void require_weight_room(std::span<double> by_weight) const {
        require(by_weight.empty() || by_weight.size() == model.clause_count(),
                "room for {} gradients by weights given where there are {}", by_weight.size(), model.clause_count());
    }

    template <class Number>
    void differentiate(const Pass& pass, std::span<const Number> by_output, std::span<Number> by_input,
                       std::span<double> by_weight) {
        const std::size_t examples = pass.examples();
        require_rows("gradients by outputs", by_output, examples, outputs.width);
        if (!by_input.empty()) require_rows("gradients by inputs", by_input, examples, inputs.width);
        require_weight_room(by_weight);
        std::ranges::fill(by_weight, 0.0);
        const GradientSums sums{.by_clause = by_weight};
        const InputBatch seeds = present_batch(outputs, by_output, examples);
        const GraphReasoner& reasoner = engine(Number{});
        if (by_input.empty()) return reasoner.backward(pass, seeds, {.sums = {&sums, 1}});
        scatter(inputs, examples, by_input, [&](std::span<Number> numbers) {
            reasoner.backward(pass, seeds, {.inputs = inputs.atoms, .by_input = numbers, .sums = {&sums, 1}});
        });
    }

    // By the atoms that some row has, then by those of each row.
    template <class Number>
    void differentiate(const Pass& pass, const SparseRows<Number>& rows, std::span<const Number> by_output,
                       std::span<Number> by_value, std::span<double> by_weight) {
        require_sparse(rows, inputs.width);
        require_rows("gradients by outputs", by_output, pass.examples(), outputs.width);
        require(rows.rows() == pass.examples(), "{} sparse rows given for a pass of {}", rows.rows(), pass.examples());
        if (!by_value.empty()) require_rows("gradients by values", by_value, rows.value.size(), 1);
        require_weight_room(by_weight);
        std::ranges::fill(by_weight, 0.0);
        std::vector<std::uint32_t> atoms;
        for (const std::size_t column : rows.column)
            if (const std::optional<AtomIndex> atom = columns.inputs[column])
                atoms.push_back(static_cast<std::uint32_t>(*atom));
        std::ranges::sort(atoms);
        atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
        std::vector<Number> by_atom(by_value.empty() ? 0 : rows.rows() * atoms.size());
        const GradientSums sums{.by_clause = by_weight};
        GradientRequest wanted{.sums = {&sums, 1}};
        if (!by_atom.empty()) {
            wanted.inputs = atoms;
            wanted.by_input = std::span(by_atom);
        }
        engine(Number{}).backward(pass, present_batch(outputs, by_output, pass.examples()), wanted);
        for (std::size_t e = 0; e < rows.rows() && !by_value.empty(); ++e) {
            for (std::size_t i = rows.begin[e]; i < rows.begin[e + 1]; ++i) {
                const std::optional<AtomIndex> atom = columns.inputs[rows.column[i]];
                const auto place =
                    atom ? std::ranges::lower_bound(atoms, static_cast<std::uint32_t>(*atom)) : atoms.end();
                by_value[i] =
                    atom ? by_atom[e * atoms.size() + static_cast<std::size_t>(place - atoms.begin())] : Number{0};
            }
        }
    }

    Pass run_on_gpu(std::size_t examples, GpuArray<const float> rows, std::span<const double> weights,
                    GpuArray<float> to, GpuStream after, Keep keep) {
        require_rows("inputs", std::span(rows.data, rows.size), examples, inputs.width);
        require_rows("outputs", std::span(to.data, to.size), examples, outputs.width);
        Pass pass =
            single->forward(InputBatch::on_device(examples, inputs.atoms, device_rows(inputs, rows.data, after)),
                            weights.empty() ? single->own_weights() : weights, {.keep = keep}, take_spare<float>());
        pass.outputs(outputs.atoms, device_rows(outputs, to.data, after));
        return pass;
    }
    void differentiate_on_gpu(const Pass& pass, GpuArray<const float> by_output, GpuArray<float> by_input,
                              std::span<double> by_weight, GpuStream after) {
        const std::size_t examples = pass.examples();
        require_rows("gradients by outputs", std::span(by_output.data, by_output.size), examples, outputs.width);
        if (by_input.size > 0)
            require_rows("gradients by inputs", std::span(by_input.data, by_input.size), examples, inputs.width);
        require_weight_room(by_weight);
        std::ranges::fill(by_weight, 0.0);
        const GradientSums sums{.by_clause = by_weight};
        const DeviceRows to = device_rows(inputs, by_input.data, after);
        GradientRequest wanted{.sums = {&sums, 1}};
        if (by_input.size > 0) {
            wanted.inputs = inputs.atoms;
            wanted.by_input_on_device = &to;
        }
        single->backward(
            pass, InputBatch::on_device(examples, outputs.atoms, device_rows(outputs, by_output.data, after)), wanted);
    }

    Model model;
    ArrayColumns columns;
    ReasonerOptions options;
    PresentColumns inputs;
    PresentColumns outputs;
    std::vector<std::size_t> own_facts;  // columns of inputs that have a probability in the program
    std::unique_ptr<GraphReasoner> single;
    std::once_flag made_precise;
    std::unique_ptr<GraphReasoner> precise;  // made when first needed
    std::mutex mutex;                        // protects the members below
    std::vector<Pass> single_passes;
    std::vector<Pass> precise_passes;
};

struct ArrayPass::State {
    State(std::shared_ptr<ArrayReasoner::State> reasoner, bool in_double, Pass&& computed)
        : of(std::move(reasoner)), is_double(in_double), pass(std::move(computed)) {}
    ~State() {
        if (is_double) {
            of->give_back<double>(std::move(pass));
        } else {
            of->give_back<float>(std::move(pass));
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    std::shared_ptr<ArrayReasoner::State> of;
    bool is_double;
    Pass pass;
};

ArrayPass::ArrayPass() = default;
ArrayPass::ArrayPass(ArrayPass&&) noexcept = default;
ArrayPass& ArrayPass::operator=(ArrayPass&&) noexcept = default;
ArrayPass::~ArrayPass() = default;
std::size_t ArrayPass::examples() const { return state_ ? state_->pass.examples() : 0; }

ArrayReasoner::ArrayReasoner(Model model, ArrayColumns columns, const ReasonerOptions& options)
    : state_(std::make_shared<State>(std::move(model), std::move(columns), options)) {}
const Model& ArrayReasoner::model() const { return state_->model; }
const ArrayColumns& ArrayReasoner::columns() const { return state_->columns; }
bool ArrayReasoner::takes_gpu_arrays() const { return state_->single->engine().device_memory; }

void ArrayReasoner::forward(std::size_t examples, std::span<const float> inputs, std::span<const double> weights,
                            std::span<float> outputs) const {
    state_->give_back<float>(state_->run(examples, inputs, weights, outputs, Keep::Results));
}

void ArrayReasoner::forward(std::size_t examples, std::span<const double> inputs, std::span<const double> weights,
                            std::span<double> outputs) const {
    state_->give_back<double>(state_->run(examples, inputs, weights, outputs, Keep::Results));
}

ArrayPass ArrayReasoner::forward_and_keep(std::size_t examples, std::span<const float> inputs,
                                          std::span<const double> weights, std::span<float> outputs) const {
    ArrayPass kept;
    kept.state_ = std::make_unique<ArrayPass::State>(state_, false,
                                                     state_->run(examples, inputs, weights, outputs, Keep::Backward));
    return kept;
}

ArrayPass ArrayReasoner::forward_and_keep(std::size_t examples, std::span<const double> inputs,
                                          std::span<const double> weights, std::span<double> outputs) const {
    ArrayPass kept;
    kept.state_ = std::make_unique<ArrayPass::State>(state_, true,
                                                     state_->run(examples, inputs, weights, outputs, Keep::Backward));
    return kept;
}

void ArrayReasoner::backward(const ArrayPass& pass, std::span<const float> by_output, std::span<float> by_input,
                             std::span<double> by_weight) const {
    require_pass(pass.state_ != nullptr && pass.state_->of == state_,
                 pass.state_ != nullptr && !pass.state_->is_double);
    state_->differentiate(pass.state_->pass, by_output, by_input, by_weight);
}

void ArrayReasoner::backward(const ArrayPass& pass, std::span<const double> by_output, std::span<double> by_input,
                             std::span<double> by_weight) const {
    require_pass(pass.state_ != nullptr && pass.state_->of == state_, pass.state_ != nullptr && pass.state_->is_double);
    state_->differentiate(pass.state_->pass, by_output, by_input, by_weight);
}

ArrayPass ArrayReasoner::forward_and_keep(const SparseRows<float>& inputs, std::span<const double> weights,
                                          std::span<float> outputs) const {
    ArrayPass kept;
    kept.state_ =
        std::make_unique<ArrayPass::State>(state_, false, state_->run(inputs, weights, outputs, Keep::Backward));
    return kept;
}

ArrayPass ArrayReasoner::forward_and_keep(const SparseRows<double>& inputs, std::span<const double> weights,
                                          std::span<double> outputs) const {
    ArrayPass kept;
    kept.state_ =
        std::make_unique<ArrayPass::State>(state_, true, state_->run(inputs, weights, outputs, Keep::Backward));
    return kept;
}

void ArrayReasoner::backward(const ArrayPass& pass, const SparseRows<float>& inputs, std::span<const float> by_output,
                             std::span<float> by_value, std::span<double> by_weight) const {
    require_pass(pass.state_ != nullptr && pass.state_->of == state_,
                 pass.state_ != nullptr && !pass.state_->is_double);
    state_->differentiate(pass.state_->pass, inputs, by_output, by_value, by_weight);
}

void ArrayReasoner::backward(const ArrayPass& pass, const SparseRows<double>& inputs, std::span<const double> by_output,
                             std::span<double> by_value, std::span<double> by_weight) const {
    require_pass(pass.state_ != nullptr && pass.state_->of == state_, pass.state_ != nullptr && pass.state_->is_double);
    state_->differentiate(pass.state_->pass, inputs, by_output, by_value, by_weight);
}

void ArrayReasoner::forward(std::size_t examples, GpuArray<const float> inputs, std::span<const double> weights,
                            GpuArray<float> outputs, GpuStream after) const {
    state_->give_back<float>(state_->run_on_gpu(examples, inputs, weights, outputs, after, Keep::Results));
}

ArrayPass ArrayReasoner::forward_and_keep(std::size_t examples, GpuArray<const float> inputs,
                                          std::span<const double> weights, GpuArray<float> outputs,
                                          GpuStream after) const {
    ArrayPass kept;
    kept.state_ = std::make_unique<ArrayPass::State>(
        state_, false, state_->run_on_gpu(examples, inputs, weights, outputs, after, Keep::Backward));
    return kept;
}

void ArrayReasoner::backward(const ArrayPass& pass, GpuArray<const float> by_output, GpuArray<float> by_input,
                             std::span<double> by_weight, GpuStream after) const {
    require_pass(pass.state_ != nullptr && pass.state_->of == state_,
                 pass.state_ != nullptr && !pass.state_->is_double);
    state_->differentiate_on_gpu(pass.state_->pass, by_output, by_input, by_weight, after);
}

}  // namespace neumann
