#include "algorithms/reasoner_equations.h"

#include <algorithm>
#include <memory>

#include "algorithms/step_writer.h"

namespace neumann {

std::size_t ReasonerTask::learned_weights(std::size_t candidates) const {
    if (reasoner == PublishedReasoner::Dilp) return pairs.size();
    return reasoner == PublishedReasoner::AlphaIlp || reasoner == PublishedReasoner::DilpSt ? slots * candidates
                                                                                            : candidates;
}

StepWriter::StepWriter(const ReasoningGraph& graph, const ReasonerTask& task, const std::vector<bool>& is_input,
                       std::vector<bool> needed)
    : graph_(graph), task_(task), candidates_(graph_.clause_count() - task_.background), needed_(std::move(needed)) {
    written.input.assign(graph_.atom_count(), WrittenReasoner::no_row);
    now.assign(graph_.atom_count(), WrittenReasoner::no_row);
    truth_ = tape().constant(1);
    for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
        if (!needed_[a]) continue;
        const auto initial = static_cast<double>(graph_.initial[a]);
        now[a] = is_input[a] ? tape().input(initial) : tape().constant(initial);
        if (is_input[a]) written.input[a] = now[a];
    }
}

std::vector<Tape::Row> StepWriter::body_of(std::uint32_t conjunction) {
    std::vector<Tape::Row> rows;
    for (const GraphLiteral literal : graph_.literals(conjunction))
        rows.push_back(literal.negated() ? tape().complement(now[literal.atom()]) : now[literal.atom()]);
    return rows;
}

Tape::Row StepWriter::product_of(std::uint32_t conjunction) {
    const std::vector<Tape::Row> rows = body_of(conjunction);
    if (rows.empty()) return truth_;
    return rows.size() == 1 ? rows.front() : tape().product(rows);
}

std::uint32_t StepWriter::end_of_clause(std::uint32_t begin) const {
    const std::uint32_t end = graph_.in_begin[graph_.head[begin] + 1];
    std::uint32_t c = begin + 1;
    while (c < end && graph_.clause[c] == graph_.clause[begin]) ++c;
    return c;
}

std::uint32_t StepWriter::weight_of(std::uint32_t clause) const {
    if (clause >= task_.background) return clause - task_.background;
    if (graph_.weight[clause] == 1) return Tape::no_parameter;
    return static_cast<std::uint32_t>(task_.learned_weights(candidates_)) + clause;
}

namespace {

// The atoms that what is asked depends on.
std::vector<bool> ancestors_of(const ReasoningGraph& graph, const std::vector<bool>& asked) {
    std::vector<bool> needed = asked;
    std::vector<std::uint32_t> todo;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        if (asked[a]) todo.push_back(a);
    }
    while (!todo.empty()) {
        const std::uint32_t atom = todo.back();
        todo.pop_back();
        for (const GraphLiteral literal : graph.dependencies(atom)) {
            if (needed[literal.atom()]) continue;
            needed[literal.atom()] = true;
            todo.push_back(literal.atom());
        }
    }
    return needed;
}

}  // namespace

WrittenReasoner write_reasoner(const ReasoningGraph& graph, const ReasonerTask& task, const std::vector<bool>& is_input,
                               const std::vector<bool>& asked) {
    // Where all is divided by the largest number, whatever is derived makes a difference to everything. (What is only
    // given is no more than 1.)
    std::vector<bool> kept = asked;
    if (task.reasoner == PublishedReasoner::NeumannCode || task.reasoner == PublishedReasoner::AlphaIlp) {
        for (const std::uint32_t head : graph.head) kept[head] = true;
    }
    const std::unique_ptr<StepWriter> writer = make_step_writer(graph, task, is_input, ancestors_of(graph, kept));
    for (std::uint32_t t = 0; t < task.steps; ++t) writer->write_step();
    writer->write_end();
    writer->written.result = std::move(writer->now);
    return std::move(writer->written);
}

}  // namespace neumann
