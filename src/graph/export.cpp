#include "graph/export.h"

#include <vector>

#include <fmt/format.h>

namespace neumann {
namespace {

// DOT and JSON escape the same characters in a quoted string.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + "\"";
}

}  // namespace

// Atoms are ovals (facts filled by their probability), conjunctions small boxes with their clause's number and weight;
// the edge of a negated literal is dashed.
void export_dot(const ReasoningGraph& graph, const GraphLabels& labels, const TextSink& out) {
    out("digraph forward_reasoning_graph {\n"
        "  rankdir=LR;\n"
        "  node [fontname=\"Helvetica\", fontsize=11];\n"
        "  edge [color=\"#555555\", arrowsize=0.7];\n");
    for (std::uint32_t k = 0; k < graph.clause_count(); ++k) {
        out(fmt::format("  // c{}: {}\n", k + 1, labels.clause(k)));
    }
    bool needs_true = false;
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        const double value = graph.initial[a];
        const int shade = 255 - static_cast<int>(value * 70);
        const std::string fact =
            value > 0 ? fmt::format(", style=filled, fillcolor=\"#{:02x}ff{:02x}\"", shade, shade) : "";
        const std::string text =
            value > 0 && value < 1 ? fmt::format("{}\n{:.3g}", labels.atom(a), value) : labels.atom(a);
        out(fmt::format("  a{} [label={}{}];\n", a, quoted(text), fact));
    }
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        const std::uint32_t clause = graph.clause[c];
        const double weight = graph.weight[clause];
        const std::string text =
            weight == 1 ? fmt::format("∧ c{}", clause + 1) : fmt::format("∧ c{}\n{:.3g}", clause + 1, weight);
        out(fmt::format(
            "  n{} [shape=box, height=0.2, width=0.2, margin=\"0.05,0.02\", style=\"filled,rounded\", fillcolor=\"#eeeeff\", label={}];\n",
            c, quoted(text)));
        if (graph.literals(c).empty()) {
            out(fmt::format("  top -> n{};\n", c));
            needs_true = true;
        }
        for (const GraphLiteral literal : graph.literals(c)) {
            out(fmt::format("  a{} -> n{}{};\n", literal.atom(), c, literal.negated() ? " [style=dashed]" : ""));
        }
        out(fmt::format("  n{} -> a{};\n", c, graph.head[c]));
    }
    if (needs_true) out("  top [label=\"⊤\", shape=plaintext, fontsize=14];\n");
    out("}\n");
}

void export_json(const ReasoningGraph& graph, const GraphLabels& labels, const TextSink& out) {
    out("{\n\"clauses\": [");
    for (std::uint32_t k = 0; k < graph.clause_count(); ++k) {
        out(fmt::format("{}\n{{\"text\": {}, \"weight\": {}}}", k == 0 ? "" : ",", quoted(labels.clause(k)),
                        graph.weight[k]));
    }
    out("\n],\n\"atoms\": [");
    for (std::uint32_t a = 0; a < graph.atom_count(); ++a) {
        out(fmt::format("{}\n{{\"atom\": {}, \"initial\": {}}}", a == 0 ? "" : ",", quoted(labels.atom(a)),
                        graph.initial[a]));
    }
    out("\n],\n\"conjunctions\": [");
    for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
        std::vector<std::uint32_t> atoms;
        std::vector<std::uint32_t> negated;
        for (const GraphLiteral literal : graph.literals(c))
            (literal.negated() ? negated : atoms).push_back(literal.atom());
        const std::string of_negated =
            negated.empty() ? "" : fmt::format(", \"negated\": [{}]", fmt::join(negated, ", "));
        out(fmt::format("{}\n{{\"clause\": {}, \"head\": {}, \"body\": [{}]{}}}", c == 0 ? "" : ",", graph.clause[c],
                        graph.head[c], fmt::join(atoms, ", "), of_negated));
    }
    out("\n]\n}\n");
}

}  // namespace neumann
