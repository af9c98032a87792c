// Comparison with exact probabilities: the same model, weights and examples, reasoned about
// twice. If the exact computation is too hard or impossible, the result has the reason instead: the other values stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <neumann/reasoner.h>

#include "examples/bind_examples.h"
#include "reason/reasoner.h"
#include "session/model_state.h"

namespace neumann {

// Examples as the engines take them. Holds until the builder changes.
const InputBatch& inputs_of(std::span<const BoundExample> examples, InputBatch::Builder& builder);

class ExactComparison {
public:
    // `options` are those of the other semantics; `asked` the atoms that are compared.
    ExactComparison(Model::State& model, const ReasonerOptions& options, std::vector<std::uint32_t> asked,
                    std::span<const double> weights);

    void forward(std::span<const BoundExample> examples, std::span<const double> weights);

    // Of the examples that were given last: the i-th of the atoms asked; and why there is no value, or nothing.
    double value(std::size_t i, std::size_t example) const { return values_[example * asked_.size() + i]; }
    const std::optional<std::string>& problem(std::size_t example) const { return problems_[example]; }

private:
    void run(std::span<const BoundExample> examples, std::span<const double> weights, std::size_t first);

    std::vector<std::uint32_t> asked_;
    std::unique_ptr<GraphReasoner> reasoner_;    // null: there is none
    std::optional<std::string> always_problem_;  // … because of this
    InputBatch::Builder numbers_;
    Pass pass_;
    std::vector<double> values_;  // a row of those asked per example
    std::vector<std::optional<std::string>> problems_;
};

}  // namespace neumann
