#include "reason_engine.h"

namespace neumann::app {

ReasonEngine::ReasonEngine(const LoadedProgram& loaded, const EngineOptions& options)
    : reasoner_(make_reasoner(options.name, loaded.compiled.ground.graph, options.reason,
                              loaded.levels.level.empty() ? nullptr : &loaded.levels)) {}

void ReasonEngine::forward(std::span<const BoundExample> examples, Keep keep) {
    inputs_.reset(examples.size());
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (const AtomValue& value : examples[e].values) inputs_.add(e, value.atom, value.value);
    }
    pass_ = reasoner_->forward(inputs_.build(), reasoner_->own_weights(), {.keep = keep}, std::move(pass_));
}

double ReasonEngine::value(std::uint32_t atom, std::size_t example) const {
    const auto place = static_cast<std::uint32_t>(example);
    double result = 0;
    pass_.gather({&place, 1}, {&atom, 1}, std::span(&result, 1));
    return result;
}

void ReasonEngine::backward(std::uint32_t atom) {
    const std::vector<float> ones(pass_.examples(), 1.0F);
    by_atom_.resize(pass_.examples() * reasoner_->graph().atom_count());
    by_clause_.resize(pass_.examples() * reasoner_->graph().clause_count());
    reasoner_->backward(pass_, InputBatch::dense(pass_.examples(), {&atom, 1}, ones),
                        {.by_atom = by_atom_, .by_clause = by_clause_});
}

}  // namespace neumann::app
