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
    static const EngineInfo* const engines[] = {&tile_engine, &reference_engine, &tensor_engine, &cuda_engine,
                                                &auto_engine};
    return engines;
}

const EngineInfo* find_engine(std::string_view name) {
    const auto is_called = [&](const EngineInfo* engine) {
        return engine->name == name || engine->command_name == name;
    };
    const auto found = std::ranges::find_if(all_engines(), is_called);
    return found == all_engines().end() ? nullptr : *found;
}

const EngineInfo& precise_engine() {
    return **std::ranges::find_if(all_engines(),
                                  [](const EngineInfo* one) { return one->double_precision && one->gradients; });
}

std::unique_ptr<GraphReasoner> make_reasoner(std::string_view engine, ReasoningGraph graph,
                                             const ReasonOptions& options, const GraphLevels* levels) {
    const EngineInfo* found = find_engine(engine);
    if (found == nullptr) {
        std::vector<std::string_view> names;
        for (const EngineInfo* one : all_engines()) names.push_back(one->name);
        throw ReasonError(fmt::format("there is no engine '{}'; there are {}", engine, fmt::join(names, ", ")));
    }
    return found->make(std::move(graph), options, levels);
}

std::unique_ptr<GraphReasoner> make_reasoner(ReasoningGraph graph, const ReasonOptions& options,
                                             const GraphLevels* levels) {
    return make_reasoner(options.engine, std::move(graph), options, levels);
}

}  // namespace neumann
