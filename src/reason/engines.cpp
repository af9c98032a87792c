#include "reason/engines.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reason/reasoner.h"

namespace neumann {

extern const EngineInfo tile_engine;
extern const EngineInfo reference_engine;
extern const EngineInfo tensor_engine;
extern const EngineInfo cuda_engine;
extern const EngineInfo auto_engine;

std::span<const EngineInfo* const> all_engines() {
    static const EngineInfo* const engines[] = {&tile_engine, &reference_engine, &tensor_engine};
    return engines;
}

const EngineInfo* find_engine(std::string_view name) {
    const auto is_called = [&](const EngineInfo* engine) {
        return engine->name == name || engine->command_name == name;
    };
    for (const EngineInfo* one : {&cuda_engine, &auto_engine})
        if (is_called(one)) return one;
    const auto found = std::ranges::find_if(all_engines(), is_called);
    return found == all_engines().end() ? nullptr : *found;
}

std::unique_ptr<GraphReasoner> make_reasoner(std::string_view engine, ReasoningGraph graph,
                                             const ReasonOptions& options, const GraphLevels* levels) {
    const EngineInfo* found = find_engine(engine);
    if (found == nullptr) {
        std::vector<std::string_view> names;
        for (const EngineInfo* one : all_engines()) names.push_back(one->name);
        names.push_back(cuda_engine.name);
        names.push_back(auto_engine.name);
        throw ReasonError(fmt::format("there is no engine '{}'; there are {}", engine, fmt::join(names, ", ")));
    }
    return found->make(std::move(graph), options, levels);
}

std::unique_ptr<GraphReasoner> make_reasoner(ReasoningGraph graph, const ReasonOptions& options,
                                             const GraphLevels* levels) {
    return make_reasoner(options.engine, std::move(graph), options, levels);
}

}  // namespace neumann
