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
        for (const Aggregate& aggregate : clause.aggregates)
            dependencies.push_back({clause.head.predicate, aggregate.goal.predicate, true, c, aggregate.span, true});
    }
    return {program.signature.predicates().size(), std::move(dependencies)};
}

namespace {

// A path from one predicate in the text to another, in one clause: through the auxiliary predicates of nested parts of
// its body.
struct WrittenDependency {
    PredicateId head;
    PredicateId goal;
    unsigned negations = 0;
    bool aggregated = false;
    Span span;
};

std::vector<WrittenDependency> as_written(const Signature& signature, std::vector<Dependency> cycle) {
    const auto written = [&](const Dependency& one) { return !signature.predicate(one.head).auxiliary; };
    // From the clause that the first dependency is a part of.
    const auto begin = std::find_if(cycle.rbegin(), cycle.rend() - 1, written).base() - 1;
    std::rotate(cycle.begin(), written(cycle.front()) ? cycle.begin() : begin, cycle.end());
    std::vector<WrittenDependency> result;
    for (const Dependency& one : cycle) {
        if (result.empty() || written(one)) result.push_back({one.head, one.goal, 0, false, one.span});
        WrittenDependency& last = result.back();
        last.goal = one.goal;
        last.negations += one.negated ? 1 : 0;
        last.aggregated = last.aggregated || one.aggregated;
    }
    return result;
}

}  // namespace

bool report_negative_cycle(const Program& program, Diagnostics& diagnostics) {
    const std::vector<Dependency> found = dependencies_of(program).negative_cycle();
    if (found.empty()) return false;
    const std::vector<WrittenDependency> cycle = as_written(program.signature, found);
    const auto name = [&](PredicateId predicate) { return print_indicator(program.signature.predicate(predicate)); };
    std::vector<Diagnostic::Related> related;
    for (const WrittenDependency& step : cycle) {
        related.push_back({step.span, fmt::format("'{}' depends on {}'{}'{}", name(step.head),
                                                  step.aggregated           ? "an aggregate over "
                                                  : step.negations % 2 == 1 ? "the negation of "
                                                                            : "",
                                                  name(step.goal),
                                                  !step.aggregated && step.negations == 2 ? ", twice negated" : "")});
    }
    const bool aggregated = std::ranges::any_of(cycle, &WrittenDependency::aggregated);
    diagnostics.report(codes::negative_cycle, cycle.front().span,
                       fmt::format("'{}' depends on {}", name(cycle.front().head),
                                   aggregated ? "an aggregate over itself" : "its own negation"),
                       "break the cycle: decide which of its predicates comes first", std::move(related));
    return true;
}

}  // namespace neumann
