#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include <neumann/array_reasoner.h>
#include <neumann/semantics.h>

#include "compile/require.h"
#include "session/model_reasoner.h"

namespace neumann {

// The columns that stand for atoms of the graph, and these atoms.
struct PresentColumns {
    std::vector<std::uint32_t> atoms;
    std::vector<std::size_t> columns;
    std::size_t width = 0;  // of a row, absent atoms included

    bool all() const { return atoms.size() == width; }
};

namespace {

// Passes that are kept for their memory: as many as threads usually work on one reasoner.
constexpr std::size_t most_spare = 4;

PresentColumns present(const std::vector<std::optional<AtomIndex>>& columns, const Model::State& model) {
    PresentColumns result;
    result.width = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i]) continue;
        result.atoms.push_back(model.checked(*columns[i]));
        result.columns.push_back(i);
    }
    return result;
}

// Rows of the columns that are present alone.
template <class Number>
std::vector<Number> gathered(const PresentColumns& of, std::span<const Number> rows, std::size_t examples) {
    std::vector<Number> result;
    result.reserve(examples * of.atoms.size());
    for (std::size_t e = 0; e < examples; ++e)
        for (const std::size_t column : of.columns) result.push_back(rows[e * of.width + column]);
    return result;
}

template <class Number>
InputBatch present_batch(const PresentColumns& of, std::span<const Number> rows, std::size_t examples) {
    if (of.all()) return InputBatch::dense(examples, of.atoms, rows);
    return InputBatch::dense(examples, of.atoms, std::span<const Number>(gathered(of, rows, examples)));
}

// Calls read(numbers) for the columns that are present; missing columns are 0.
template <class Number, class Read>
void scatter(const PresentColumns& of, std::size_t examples, std::span<Number> rows, Read&& read) {
    if (of.all()) return read(rows);
    std::vector<Number> numbers(examples * of.atoms.size());
    read(std::span(numbers));
    std::ranges::fill(rows, Number{0});
    for (std::size_t i = 0; i < numbers.size(); ++i)
        rows[i / of.atoms.size() * of.width + of.columns[i % of.atoms.size()]] = numbers[i];
}

DeviceRows device_rows(const PresentColumns& of, const float* data, GpuStream after) {
    DeviceRows rows{const_cast<float*>(data), static_cast<std::uint32_t>(of.width), {}, after.stream};
    for (const std::size_t column : of.columns) rows.columns.push_back(static_cast<std::uint32_t>(column));
    return rows;
}

template <class Number>
void require_probabilities(std::span<const Number> numbers) {
    for (const Number one : numbers)
        require(is_probability(static_cast<double>(one)), "the value {} of an input is not in [0,1]", one);
}

void require_pass(bool own, bool same_precision) {
    require(own, "this pass is another reasoner's");
    require(same_precision, "this pass was computed in another precision than these gradients");
}

template <class Number>
void require_rows(const char* what, std::span<Number> rows, std::size_t examples, std::size_t width) {
    require(rows.size() == examples * width, "{} {} given for {} examples of {}", rows.size(), what, examples, width);
}

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
        require_rows("outputs", to, examples, outputs.width);
        if (!inputs.all()) require_probabilities(rows);  // the engine sees those of the graph alone
        const GraphReasoner& reasoner = engine(Number{});
        Pass pass =
            reasoner.forward(present_batch(inputs, rows, examples), weights.empty() ? reasoner.own_weights() : weights,
                             {.keep = keep}, take_spare<Number>());
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
