#include "worlds/compile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "worlds/choice_order.h"
#include "worlds/elimination.h"
#include "worlds/exclusive_sums.h"
#include "worlds/model_search.h"

namespace neumann {
namespace {

constexpr std::uint64_t steps_per_literal = 8;
constexpr std::uint64_t many_literals = std::uint64_t{1} << 14;
constexpr std::uint64_t quick_steps = std::uint64_t{1} << 22;  // about a second
constexpr std::uint64_t most_steps_in_a_race = std::uint64_t{1} << 30;
constexpr double easy_rows = 1U << 22;  // tables that are done in about a second
constexpr double many_rows = 1U << 27;
constexpr double most_rows_tried = std::uint64_t{1} << 30;
constexpr std::uint64_t decisions_tried = std::uint64_t{1} << 18;
constexpr std::size_t most_searches = 8;  // a query each

std::optional<CompiledWorlds> diagrams_within(const ReasoningGraph& graph, const GraphLevels& levels,
                                              const WorldsTask& task, const RandomChoices& choices,
                                              const std::vector<std::uint32_t>& order, const CompileLimits& limits,
                                              std::uint64_t steps) {
    CompileLimits within = limits;
    within.steps = std::min(limits.steps, steps);
    try {
        return compile_worlds(graph, levels, task, choices, order, within);
    } catch (const DiagramLimit&) {
        return std::nullopt;
    }
}

std::uint64_t literals_of(const ReasoningGraph& graph, const RandomChoices& choices) {
    std::uint64_t literals = 0;
    for (const std::uint32_t atom : choices.atoms()) literals += graph.dependencies(atom).size();
    return literals;
}

void look(const RandomChoices& choices, const CompileLimits& limits) {
    if (limits.watch) limits.watch(0, choices.atoms().size(), 0);
}

}  // namespace

CompiledWorlds compile_diagrams(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                                const RandomChoices& choices, const CompileLimits& limits) {
    const auto attempt_within = [&](const std::vector<std::uint32_t>& order, std::uint64_t steps) {
        return diagrams_within(graph, levels, task, choices, order, limits, steps);
    };
    const auto watch = [&] { look(choices, limits); };
    // Many programs are easy in any order that respects their structure: try that for as long as the search for a
    // better order would take.
    const std::uint64_t literals = literals_of(graph, choices);
    const std::vector<std::uint32_t> first = choice_orders(graph, task, choices, OrderEffort::None)[0];
    if (std::optional<CompiledWorlds> worlds = attempt_within(first, steps_per_literal * literals))
        return std::move(*worlds);
    // Most are easy in a good one.
    const std::vector<std::uint32_t> quick = choice_orders(graph, task, choices, OrderEffort::Quick, watch)[0];
    if (std::optional<CompiledWorlds> worlds = attempt_within(quick, quick_steps)) return std::move(*worlds);
    // For the others a search for a better order pays. No estimate tells reliably which order is better, so the two
    // race: each has so many steps, then four times as many.
    const std::vector<std::uint32_t> thorough = choice_orders(graph, task, choices, OrderEffort::Thorough, watch)[0];
    for (std::uint64_t steps = 4 * quick_steps; steps <= most_steps_in_a_race; steps *= 4) {
        for (const std::vector<std::uint32_t>& order : {std::cref(thorough), std::cref(quick)})
            if (std::optional<CompiledWorlds> worlds = attempt_within(order, steps)) return std::move(*worlds);
    }
    return compile_worlds(graph, levels, task, choices, thorough, limits);
}

std::string_view name_of(CompileMethod method) {
    switch (method) {
    case CompileMethod::Diagrams:
        return "diagrams";
    case CompileMethod::Tables:
        return "tables";
    case CompileMethod::Search:
        return "search";
    case CompileMethod::Sums:
        return "sums";
    case CompileMethod::Auto:
        break;
    }
    return "auto";
}

namespace {

// Takes the methods in the order of what they are forecast to cost, each within limits that fit the forecast.
class MethodChoice {
public:
    MethodChoice(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                 const RandomChoices& choices, const CompileLimits& limits, CompileReport& report)
        : graph_(graph), levels_(levels), task_(task), choices_(choices), limits_(limits), report_(report) {}

    Circuit diagrams() const {
        report_.method = CompileMethod::Diagrams;
        return make_circuit(choices_, compile_diagrams(graph_, levels_, task_, choices_, limits_));
    }
    Circuit tables() {
        elimination_.emplace(graph_, task_, choices_, limits_);
        Circuit circuit = elimination_->run();
        report_ = {CompileMethod::Tables, elimination_->width(), elimination_->rows()};
        return circuit;
    }
    Circuit search(std::uint64_t decisions = UINT64_MAX) const {
        CompileLimits within = limits_;
        within.steps = std::min(limits_.steps, decisions);
        Circuit circuit = search_circuit(graph_, task_, choices_, within);
        report_.method = CompileMethod::Search;
        return circuit;
    }

    Circuit sums() const {
        Circuit circuit = sum_circuit(graph_, levels_, task_, choices_, limits_);
        report_.method = CompileMethod::Sums;
        return circuit;
    }

    Circuit cheapest() {
        const auto within_limits = [](const auto& compile) -> std::optional<Circuit> {
            try {
                return compile();
            } catch (const DiagramLimit&) {  // takes more than its forecast, or cannot do this program
                return std::nullopt;
            }
        };
        // Of large programs that are sums already diagrams are larger. Small ones are easy in any case.
        const std::uint64_t literals = literals_of(graph_, choices_);
        if (literals >= many_literals)
            if (std::optional<Circuit> circuit = within_limits([&] { return sums(); })) return std::move(*circuit);
        // Programs that are easy in any order cost less than a forecast.
        const std::uint64_t few = steps_per_literal * literals;
        if (std::optional<Circuit> circuit = quick_diagrams(OrderEffort::None, few)) return std::move(*circuit);
        if (literals < many_literals)
            if (std::optional<Circuit> circuit = within_limits([&] { return sums(); })) return std::move(*circuit);
        const double rows = forecast();
        report_.method = CompileMethod::Diagrams;
        if (rows > easy_rows)
            if (std::optional<Circuit> circuit = quick_diagrams(OrderEffort::Quick, quick_steps))
                return std::move(*circuit);
        if (rows > many_rows && task_.asked.size() <= most_searches)
            if (std::optional<Circuit> circuit = within_limits([&] { return search(decisions_tried); }))
                return std::move(*circuit);
        if (rows <= most_rows_tried) {
            if (std::optional<Circuit> circuit = within_limits([&] { return elimination_->run(); })) {
                report_ = {CompileMethod::Tables, elimination_->width(), elimination_->rows()};
                return std::move(*circuit);
            }
        }
        elimination_.reset();
        return diagrams();
    }

private:
    double forecast() {
        try {
            elimination_.emplace(graph_, task_, choices_, limits_);
            return elimination_->rows();
        } catch (const DiagramLimit&) {
            return std::numeric_limits<double>::infinity();
        }
    }
    std::optional<Circuit> quick_diagrams(OrderEffort effort, std::uint64_t steps) const {
        const auto watch = [&] { look(choices_, limits_); };
        const std::vector<std::uint32_t> order = choice_orders(graph_, task_, choices_, effort, watch)[0];
        const auto worlds = diagrams_within(graph_, levels_, task_, choices_, order, limits_, steps);
        return worlds ? std::optional(make_circuit(choices_, *worlds)) : std::nullopt;
    }

    const ReasoningGraph& graph_;
    const GraphLevels& levels_;
    const WorldsTask& task_;
    const RandomChoices& choices_;
    const CompileLimits& limits_;
    CompileReport& report_;
    std::optional<Elimination> elimination_;
};

}  // namespace

Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const RandomChoices& choices, const CompileLimits& limits, CompileMethod method,
                        CompileReport* report) {
    CompileReport unread;
    CompileReport& taken = report == nullptr ? unread : *report;
    taken = {};
    MethodChoice choice(graph, levels, task, choices, limits, taken);
    switch (method) {
    case CompileMethod::Diagrams:
        return choice.diagrams();
    case CompileMethod::Tables:
        return choice.tables();
    case CompileMethod::Search:
        return choice.search();
    case CompileMethod::Sums:
        return choice.sums();
    case CompileMethod::Auto:
        break;
    }
    return choice.cheapest();
}

Circuit compile_circuit(const ReasoningGraph& graph, const GraphLevels& levels, const WorldsTask& task,
                        const CompileLimits& limits) {
    return compile_circuit(graph, levels, task, RandomChoices(graph, task), limits);
}

}  // namespace neumann
