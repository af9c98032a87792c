#include "logic/dependencies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/components.h"
#include "logic/print.h"

namespace neumann {

DependencyGraph::DependencyGraph(std::size_t predicates, std::vector<Dependency> dependencies)
    : dependencies_(std::move(dependencies)), begin_(predicates + 1, 0) {
    std::ranges::stable_sort(dependencies_, {}, &Dependency::head);
    for (const Dependency& one : dependencies_) ++begin_[one.head.index() + 1];
    for (std::size_t p = 0; p < predicates; ++p) begin_[p + 1] += begin_[p];
    const Components found = find_components(
        static_cast<std::uint32_t>(predicates), [&](std::uint32_t p) { return of(p); },
        [](const Dependency& one) { return one.goal.value(); });
    component_.assign(found.component.begin(), found.component.end());
    component_count_ = found.count;
}

std::vector<std::uint32_t> DependencyGraph::strata() const {
    std::vector<std::uint32_t> of_component(component_count_, 0);
    std::vector<std::size_t> order(component_.size());  // components that others depend on first
    for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
    std::ranges::stable_sort(order, {}, [&](std::size_t p) { return component_[p]; });
    for (const std::size_t p : order) {
        std::uint32_t& stratum = of_component[component_[p]];
        for (const Dependency& one : of(p)) {
            if (component(one.goal) == component_[p]) continue;
            stratum = std::max(stratum, of_component[component(one.goal)] + (one.negated ? 1U : 0U));
        }
    }
    std::vector<std::uint32_t> result;
    result.reserve(component_.size());
    for (const std::uint32_t c : component_) result.push_back(of_component[c]);
    return result;
}

std::vector<Dependency> DependencyGraph::negative_cycle() const {
    std::vector<Dependency> shortest;
    for (const Dependency& one : dependencies_) {
        if (!one.negated || component(one.head) != component(one.goal)) continue;
        std::vector<Dependency> back = way(one.goal, one.head);
        if (!shortest.empty() && back.size() + 1 >= shortest.size()) continue;
        shortest = {one};
        shortest.insert(shortest.end(), back.begin(), back.end());
    }
    return shortest;
}

// A shortest way from one predicate down to another of its component; empty if they are the same.
std::vector<Dependency> DependencyGraph::way(PredicateId from, PredicateId to) const {
    std::vector<const Dependency*> reached_by(component_.size(), nullptr);
    std::vector<PredicateId> todo = {from};
    for (std::size_t next = 0; next < todo.size() && todo[next] != to; ++next) {
        for (const Dependency& one : of(todo[next].index())) {
            const bool known = one.goal == from || reached_by[one.goal.index()] != nullptr;
            if (known || component(one.goal) != component(from)) continue;
            reached_by[one.goal.index()] = &one;
            todo.push_back(one.goal);
        }
    }
    std::vector<Dependency> result;
    for (PredicateId at = to; at != from; at = result.back().head) result.push_back(*reached_by[at.index()]);
    std::ranges::reverse(result);
    return result;
}

std::vector<bool> DependencyGraph::needed_for(std::span<const PredicateId> asked) const {
    std::vector<bool> needed(component_.size(), false);
    std::vector<PredicateId> todo;
    const auto need = [&](PredicateId predicate) {
        if (needed[predicate.index()]) return;
        needed[predicate.index()] = true;
        todo.push_back(predicate);
    };
    for (const PredicateId predicate : asked) need(predicate);
    while (!todo.empty()) {
        const std::size_t predicate = todo.back().index();
        todo.pop_back();
        for (const Dependency& one : of(predicate)) need(one.goal);
    }
    return needed;
}

DependencyGraph dependencies_of(const Program& program) {
    std::vector<Dependency> dependencies;
    for (std::uint32_t c = 0; c < program.clauses.size(); ++c) {
        const Clause& clause = program.clauses[c];
        for (const Literal& goal : clause.body) {
            dependencies.push_back({clause.head.predicate, goal.atom.predicate, goal.negated, c, goal.atom.span});
        }
    }
    return {program.signature.predicates().size(), std::move(dependencies)};
}

bool report_negative_cycle(const Program& program, Diagnostics& diagnostics) {
    const std::vector<Dependency> cycle = dependencies_of(program).negative_cycle();
    if (cycle.empty()) return false;
    const auto name = [&](PredicateId predicate) { return print_indicator(program.signature.predicate(predicate)); };
    std::vector<Diagnostic::Related> related;
    for (const Dependency& step : cycle) {
        related.push_back({step.span, fmt::format("'{}' depends on {}'{}'", name(step.head),
                                                  step.negated ? "the negation of " : "", name(step.goal))});
    }
    diagnostics.report(codes::negative_cycle, cycle.front().span,
                       fmt::format("'{}' depends on its own negation", name(cycle.front().head)),
                       "break the cycle: decide which of its predicates comes first", std::move(related));
    return true;
}

}  // namespace neumann
