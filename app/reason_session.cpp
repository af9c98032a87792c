#include "reason_session.h"

#include <utility>

#include <fmt/format.h>

#include "asked_queries.h"
#include "command.h"
#include "draw/table.h"

namespace neumann::app {
namespace {

void set_weights(ReasoningGraph& graph, const std::vector<double>& weights) {
    if (weights.size() != graph.clause_count())
        throw UsageError(fmt::format("--weights: {} given for {}", counted(weights.size(), "weight"),
                                     counted(graph.clause_count(), "clause")));
    PodVector<double> values;
    for (const double weight : weights) {
        if (!is_probability(weight)) throw UsageError(fmt::format("--weights: {} is not in [0,1]", weight));
        values.push_back(weight);
    }
    graph.weight = SharedArray(std::move(values));
}

// What was evaluated away cannot be weighed or differentiated any more.
void require_kept_facts(const SessionOptions& options, const CompiledProgram& compiled) {
    if (!compiled.facts_evaluated) return;
    const char* given = options.output.gradients() ? "--gradients" : !options.weights.empty() ? "--weights" : nullptr;
    if (given != nullptr)
        throw UsageError(fmt::format("{} needs the facts in the graph: leave out --facts evaluate", given));
}

}  // namespace

ReasonSession::ReasonSession(const SessionOptions& options, const std::vector<std::string>& inputs) {
    ReadingOptions reading = options.reading;
    if (!inputs.empty()) reading.no_warn.emplace_back("all");  // all has been said the first time
    GroundingOptions grounding = options.grounding;
    grounding.inputs = inputs;
    loaded_ = compile_program(options.path, reading, grounding, !options.engine.reason.steps);
    CompiledProgram& compiled = loaded_.compiled;
    require_kept_facts(options, compiled);
    if (!options.weights.empty()) set_weights(compiled.ground.graph, options.weights);
    names_ = std::make_unique<AtomNames>(compiled);
    binder_ = std::make_unique<ExampleBinder>(*names_);
    const bool own = options.grounding.queries.empty();
    std::vector<AtomNames::QueryAtoms> queries =
        asked_queries(own ? compiled.queries : options.grounding.queries, "--query", *names_, compiled, options.path,
                      options.reading);
    supervised_ = std::make_unique<SupervisedAtoms>(compiled, *names_, queries);
    engine_ = std::make_unique<ReasonEngine>(loaded_, options.engine);
    output_ = std::make_unique<ReasonOutput>(compiled, *names_, std::move(queries), options.output);
}

}  // namespace neumann::app
