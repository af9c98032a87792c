#include "graph/graph_file.h"

#include <algorithm>
#include <functional>

#include "base/parallel.h"

namespace neumann {
namespace {

// Offsets: from 0 to `end` without going back.
void require_offsets(const SharedArray<std::uint32_t>& offsets, std::size_t groups, std::size_t end, const char* what) {
    require_sound(offsets.size() == groups + 1 && offsets[0] == 0 && offsets[groups] == end, what);
    bool ordered = true;
    for (std::size_t i = 0; i < groups; ++i) ordered &= offsets[i] <= offsets[i + 1];
    require_sound(ordered, what);
}

void require_below(const SharedArray<std::uint32_t>& values, std::size_t bound, const char* what) {
    bool below = true;
    for (std::uint32_t value : values) below &= value < bound;
    require_sound(below, what);
}

// Calls check(begin, end) for parts of [0, count), on several threads if that pays. Reports the error of the first
// part.
void check_parts(std::size_t count, const std::function<void(std::uint32_t, std::uint32_t)>& check) {
    const std::size_t parts = count < worth_a_thread ? 1 : std::min(hardware_threads(), 8U);
    parallel_chunks(static_cast<unsigned>(parts), parts, [&](std::size_t part) {
        check(static_cast<std::uint32_t>(count * part / parts), static_cast<std::uint32_t>(count * (part + 1) / parts));
    });
}

}  // namespace

void add_graph_sections(const ReasoningGraph& graph, const GraphLevels& levels, SectionWriter& writer) {
    writer.add("graph.in_begin", graph.in_begin.span());
    writer.add("graph.head", graph.head.span());
    writer.add("graph.clause", graph.clause.span());
    writer.add("graph.body_begin", graph.body_begin.span());
    writer.add("graph.body", graph.body.span());  // 2·atom + sign
    writer.add("graph.use_begin", graph.use_begin.span());
    writer.add("graph.use", graph.use.span());
    writer.add("graph.initial", graph.initial.span());
    writer.add("graph.weight", graph.weight.span());
    writer.add("levels.component", levels.component.span());
    writer.add("levels.level", levels.level.span());
    writer.add("levels.level_begin", levels.level_begin.span());
    writer.add("levels.level_atoms", levels.level_atoms.span());
    writer.add("levels.cyclic", levels.cyclic.span());
}

ReasoningGraph read_graph_sections(const SectionReader& reader) {
    ReasoningGraph graph;
    graph.in_begin = reader.array<std::uint32_t>("graph.in_begin");
    graph.head = reader.array<std::uint32_t>("graph.head");
    graph.clause = reader.array<std::uint32_t>("graph.clause");
    graph.body_begin = reader.array<std::uint32_t>("graph.body_begin");
    graph.body = reader.array<GraphLiteral>("graph.body");
    graph.use_begin = reader.array<std::uint32_t>("graph.use_begin");
    graph.use = reader.array<std::uint32_t>("graph.use");
    graph.initial = reader.array<float>("graph.initial");
    graph.weight = reader.array<double>("graph.weight");

    const std::size_t atoms = graph.initial.size();
    const std::size_t conjunctions = graph.head.size();
    require_offsets(graph.in_begin, atoms, conjunctions, "bad ranges of conjunctions");
    require_offsets(graph.body_begin, conjunctions, graph.body.size(), "bad ranges of bodies");
    require_offsets(graph.use_begin, atoms, graph.body.size(), "bad ranges of uses");
    require_sound(graph.clause.size() == conjunctions && graph.use.size() == graph.body.size(),
                  "arrays of different lengths");
    require_below(graph.clause, graph.weight.size(), "an unknown clause");
    bool known = true;
    for (const GraphLiteral literal : graph.body) {
        known &= literal.atom() < atoms;
        graph.monotone &= !literal.negated();
    }
    require_sound(known, "an unknown atom");
    require_below(graph.use, conjunctions, "an unknown conjunction");
    check_parts(atoms, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t a = begin; a < end; ++a) {
            for (std::uint32_t c = graph.in_begin[a]; c < graph.in_begin[a + 1]; ++c)
                require_sound(graph.head[c] == a, "a wrong head");
            require_sound(graph.initial[a] >= 0 && graph.initial[a] <= 1, "a value that is no probability");
        }
    });
    check_parts(conjunctions, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t c = begin; c < end; ++c) {
            const std::span<const GraphLiteral> body = graph.literals(c);
            for (std::size_t i = 1; i < body.size(); ++i)
                require_sound(body[i - 1] < body[i], "a body that is no sorted set");
        }
    });
    // Each part handles the uses of its own atoms.
    PodVector<std::uint32_t> next;
    next.append(graph.use_begin.span());
    check_parts(atoms, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t c = 0; c < conjunctions; ++c) {
            for (const GraphLiteral literal : graph.literals(c)) {
                const std::uint32_t atom = literal.atom();
                if (atom < begin || atom >= end) continue;
                require_sound(next[atom] < graph.use_begin[atom + 1] && graph.use[next[atom]] == c,
                              "uses that are not the bodies turned around");
                ++next[atom];
            }
        }
    });
    for (double weight : graph.weight) require_sound(weight >= 0 && weight <= 1, "a weight that is no probability");
    return graph;
}

GraphLevels read_level_sections(const SectionReader& reader, const ReasoningGraph& graph) {
    GraphLevels levels;
    levels.component = reader.array<std::uint32_t>("levels.component");
    levels.level = reader.array<std::uint32_t>("levels.level");
    levels.level_begin = reader.array<std::uint32_t>("levels.level_begin");
    levels.level_atoms = reader.array<std::uint32_t>("levels.level_atoms");
    levels.cyclic = reader.array<std::uint8_t>("levels.cyclic");
    const std::size_t atoms = graph.atom_count();
    require_sound(levels.component.size() == atoms && levels.level.size() == atoms &&
                      levels.level_atoms.size() == atoms,
                  "levels of another graph");
    require_sound(!levels.level_begin.empty(), "no levels");
    require_offsets(levels.level_begin, levels.level_count(), atoms, "bad ranges of levels");
    require_below(levels.component, levels.cyclic.size(), "an unknown component");
    require_below(levels.level, levels.level_count() == 0 ? 1 : levels.level_count(), "an unknown level");
    require_below(levels.level_atoms, atoms, "an unknown atom");
    for (std::uint32_t l = 0; l < levels.level_count(); ++l) {
        for (std::uint32_t i = levels.level_begin[l]; i < levels.level_begin[l + 1]; ++i) {
            const bool ascending = i == levels.level_begin[l] || levels.level_atoms[i - 1] < levels.level_atoms[i];
            require_sound(ascending && levels.level[levels.level_atoms[i]] == l,
                          "levels that are not those of its atoms");
        }
    }
    // The atoms of a body come before the head, or share its component.
    check_parts(graph.conjunction_count(), [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t c = begin; c < end; ++c) {
            const std::uint32_t head = graph.head[c];
            for (const GraphLiteral literal : graph.literals(c)) {
                const std::uint32_t atom = literal.atom();
                const bool same = levels.component[atom] == levels.component[head];
                const bool sound =
                    same ? levels.cyclic[levels.component[head]] != 0 && levels.level[atom] == levels.level[head]
                         : levels.component[atom] < levels.component[head] && levels.level[atom] < levels.level[head];
                require_sound(sound, "an order in which an atom comes before what it depends on");
                require_sound(!same || !literal.negated(), "an atom that depends on its own negation");
            }
        }
    });
    return levels;
}

}  // namespace neumann
