#include "graph/simplify.h"

#include <algorithm>
#include <utility>

namespace neumann {
namespace {

// An empty list stands for no atoms at all.
bool is_in(const std::vector<bool>& list, std::uint32_t atom) { return !list.empty() && list[atom]; }

// Whether a literal is 0: its atom is impossible, or certain and negated.
bool has_false(std::span<const GraphLiteral> body, const std::vector<bool>& certain,
               const std::vector<bool>& impossible) {
    return std::ranges::any_of(body, [&](GraphLiteral literal) {
        return literal.negated() ? certain[literal.atom()] : is_in(impossible, literal.atom());
    });
}

// The assumed value of a negated literal with an unknown atom.
enum class Negated { Holds, Fails };

// The known atoms, and heads of instances of clauses that count whose literals are known.
template <class Counts>
std::vector<bool> closure(const ReasoningGraph& graph, std::vector<bool> known, Negated negated, Counts&& counts) {
    PodVector<std::uint32_t> missing(graph.conjunction_count(), 0);  // literals that are not known
    PodVector<std::uint32_t> todo;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (known[a]) todo.push_back(a);
    }
    const auto conclude = [&](std::uint32_t conjunction) {
        const std::uint32_t head = graph.head[conjunction];
        if (known[head] || !counts(graph.clause[conjunction])) return;
        known[head] = true;
        todo.push_back(head);
    };
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        const std::span<const GraphLiteral> body = graph.literals(c);
        missing[c] = static_cast<std::uint32_t>(body.size());
        if (!graph.monotone && negated == Negated::Holds)
            missing[c] -= static_cast<std::uint32_t>(std::ranges::count_if(body, &GraphLiteral::negated));
        if (missing[c] == 0) conclude(c);
    }
    for (std::size_t next = 0; next < todo.size(); ++next) {
        const GraphLiteral literal(todo[next]);
        std::uint32_t last = graph.conjunction_count();
        for (std::uint32_t c : graph.uses_of(literal.atom())) {
            // Beside or instead of the atom its negation may stand there.
            if (!graph.monotone && (c == last || !std::ranges::binary_search(graph.literals(c), literal))) continue;
            last = c;
            if (--missing[c] == 0) conclude(c);
        }
    }
    return known;
}

}  // namespace

std::vector<bool> certain_atoms(const ReasoningGraph& graph, std::vector<bool> certain_facts,
                                const std::vector<bool>& certain_clauses) {
    return closure(graph, std::move(certain_facts), Negated::Fails,
                   [&](std::uint32_t clause) { return certain_clauses[clause]; });
}

std::vector<bool> possible_atoms(const ReasoningGraph& graph, std::vector<bool> given) {
    return closure(graph, std::move(given), Negated::Holds, [](std::uint32_t) { return true; });
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
            if (has_false(graph.literals(c), certain, impossible)) continue;
            for (const GraphLiteral literal : graph.literals(c)) {
                if (needed[literal.atom()]) continue;
                needed[literal.atom()] = true;
                todo.push_back(literal.atom());
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
    PodVector<GraphLiteral> body;
    bool monotone = true;
    PodVector<float> initial;
    PodVector<std::uint32_t> use_begin(atoms + 1, 0);
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (!what.keep[a]) continue;
        in_begin.push_back(static_cast<std::uint32_t>(head.size()));
        initial.push_back(what.certain[a] ? 1.0F : graph.initial[a]);
        if (what.certain[a] || is_in(what.given, a)) continue;
        for (std::uint32_t c = graph.in_begin[a]; c < graph.in_begin[a + 1]; ++c) {
            if (has_false(graph.literals(c), what.certain, what.impossible)) continue;
            head.push_back(number[a]);
            clause.push_back(graph.clause[c]);
            body_begin.push_back(static_cast<std::uint32_t>(body.size()));
            for (const GraphLiteral literal : graph.literals(c)) {
                const std::uint32_t atom = literal.atom();
                if (literal.negated() ? is_in(what.impossible, atom) : what.certain[atom]) continue;
                monotone &= !literal.negated();
                body.push_back(GraphLiteral(number[atom], literal.negated()));
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
        for (std::uint32_t e = body_begin[c]; e < body_begin[c + 1]; ++e) use[cursor[body[e].atom()]++] = c;
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
    result.monotone = monotone;
    return result;
}

}  // namespace neumann
