#include "graph/simplify.h"

#include <algorithm>
#include <utility>

namespace neumann {
namespace {

bool has_any(std::span<const std::uint32_t> body, const std::vector<bool>& of) {
    return !of.empty() && std::ranges::any_of(body, [&](std::uint32_t atom) { return of[atom]; });
}

}  // namespace

std::vector<bool> certain_atoms(const ReasoningGraph& graph, std::vector<bool> certain_facts,
                                const std::vector<bool>& certain_clauses) {
    std::vector<bool> certain = std::move(certain_facts);
    PodVector<std::uint32_t> missing(graph.conjunction_count(), 0);  // body atoms not known to be certain
    PodVector<std::uint32_t> todo;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (certain[a]) todo.push_back(a);
    }
    const auto conclude = [&](std::uint32_t conjunction) {
        const std::uint32_t head = graph.head[conjunction];
        if (!certain_clauses[graph.clause[conjunction]] || certain[head]) return;
        certain[head] = true;
        todo.push_back(head);
    };
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        missing[c] = static_cast<std::uint32_t>(graph.body_of(c).size());
        if (missing[c] == 0) conclude(c);
    }
    for (std::size_t next = 0; next < todo.size(); ++next) {
        for (std::uint32_t c : graph.uses_of(todo[next])) {
            if (--missing[c] == 0) conclude(c);
        }
    }
    return certain;
}

std::vector<bool> needed_atoms(const ReasoningGraph& graph, std::vector<bool> asked, const std::vector<bool>& certain,
                               const std::vector<bool>& impossible) {
    std::vector<bool> needed = std::move(asked);
    PodVector<std::uint32_t> todo;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (needed[a]) todo.push_back(a);
    }
    for (std::size_t next = 0; next < todo.size(); ++next) {
        const std::uint32_t head = todo[next];
        if (certain[head]) continue;
        for (std::uint32_t c = graph.in_begin[head]; c < graph.in_begin[head + 1]; ++c) {
            if (has_any(graph.body_of(c), impossible)) continue;
            for (std::uint32_t atom : graph.body_of(c)) {
                if (needed[atom]) continue;
                needed[atom] = true;
                todo.push_back(atom);
            }
        }
    }
    return needed;
}

ReasoningGraph simplify(const ReasoningGraph& graph, const Simplification& what) {
    PodVector<std::uint32_t> number(graph.atom_count(), 0);
    std::uint32_t atoms = 0;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) number[a] = what.keep[a] ? atoms++ : 0;

    PodVector<std::uint32_t> in_begin;
    PodVector<std::uint32_t> head;
    PodVector<std::uint32_t> clause;
    PodVector<std::uint32_t> body_begin;
    PodVector<std::uint32_t> body;
    PodVector<float> initial;
    PodVector<std::uint32_t> use_begin(atoms + 1, 0);
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (!what.keep[a]) continue;
        in_begin.push_back(static_cast<std::uint32_t>(head.size()));
        initial.push_back(what.certain[a] ? 1.0F : graph.initial[a]);
        if (what.certain[a] || (!what.given.empty() && what.given[a])) continue;
        for (std::uint32_t c = graph.in_begin[a]; c < graph.in_begin[a + 1]; ++c) {
            if (has_any(graph.body_of(c), what.impossible)) continue;
            head.push_back(number[a]);
            clause.push_back(graph.clause[c]);
            body_begin.push_back(static_cast<std::uint32_t>(body.size()));
            for (std::uint32_t atom : graph.body_of(c)) {
                if (what.certain[atom]) continue;
                body.push_back(number[atom]);
                ++use_begin[number[atom] + 1];
            }
        }
    }
    in_begin.push_back(static_cast<std::uint32_t>(head.size()));
    body_begin.push_back(static_cast<std::uint32_t>(body.size()));
    for (std::size_t a = 0; a < atoms; ++a) use_begin[a + 1] += use_begin[a];
    PodVector<std::uint32_t> use(body.size());
    PodVector<std::uint32_t> cursor = use_begin;
    for (std::uint32_t c = 0; c < head.size(); ++c) {
        for (std::uint32_t e = body_begin[c]; e < body_begin[c + 1]; ++e) use[cursor[body[e]]++] = c;
    }

    ReasoningGraph result;
    result.in_begin = SharedArray(std::move(in_begin));
    result.head = SharedArray(std::move(head));
    result.clause = SharedArray(std::move(clause));
    result.body_begin = SharedArray(std::move(body_begin));
    result.body = SharedArray(std::move(body));
    result.use_begin = SharedArray(std::move(use_begin));
    result.use = SharedArray(std::move(use));
    result.initial = SharedArray(std::move(initial));
    result.weight = graph.weight;
    return result;
}

}  // namespace neumann
