#include "session/exact_comparison.h"

#include <stdexcept>
#include <string_view>
#include <utility>

#include <neumann/error.h>
#include <neumann/semantics.h>

#include "session/model_reasoner.h"

namespace neumann {
namespace {

// Circuits have no steps, and not every engine runs them.
ReasonerOptions exact_options(ReasonerOptions options) {
    options.semantics = exact_semantics_name;
    options.steps.reset();
    const EngineInfo* const engine = find_engine(options.engine);
    if (engine != nullptr && !engine->gradients) options.engine = precise_engine().name;
    return options;
}

std::string without_prefix(std::string_view message, std::string_view prefix) {
    return std::string(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
}

}  // namespace

const InputBatch& inputs_of(std::span<const BoundExample> examples, InputBatch::Builder& builder) {
    builder.reset(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e)
        for (const AtomValue& value : examples[e].values) builder.add(e, value.atom, value.value);
    return builder.build();
}

ExactComparison::ExactComparison(Model::State& model, const ReasonerOptions& options, std::vector<std::uint32_t> asked,
                                 std::span<const double> weights)
    : asked_(std::move(asked)) {
    try {
        reasoner_ = make_model_reasoner(model, exact_options(options), asked_, weights);
    } catch (const Error& error) {
        always_problem_ = without_prefix(error.what(), "error: ");
    } catch (const ReasonError& error) {
        always_problem_ = error.what();
    }
}

void ExactComparison::run(std::span<const BoundExample> examples, std::span<const double> weights, std::size_t first) {
    pass_ = reasoner_->forward(inputs_of(examples, numbers_), weights, {}, std::move(pass_));
    pass_.outputs(asked_, std::span(values_).subspan(first * asked_.size(), examples.size() * asked_.size()));
}

void ExactComparison::forward(std::span<const BoundExample> examples, std::span<const double> weights) {
    values_.assign(examples.size() * asked_.size(), 0);
    problems_.assign(examples.size(), always_problem_);
    if (reasoner_ == nullptr) return;
    try {
        run(examples, weights, 0);
    } catch (const ReasonError&) {
        // One that is wrong does not take the others with it.
        for (std::size_t e = 0; e < examples.size(); ++e) {
            try {
                run(examples.subspan(e, 1), weights, e);
            } catch (const ReasonError& error) {
                problems_[e] = without_prefix(error.what(), "example 0: ");
            }
        }
    }
}

}  // namespace neumann
