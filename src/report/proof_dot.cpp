#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "draw/terminal_text.h"
#include "report/explanation_output.h"
#include "report/proof_colours.h"
#include "report/proof_order.h"

namespace neumann {
namespace {

using Origin = ExplainedStep::Origin;

// As DOT quotes; line breaks in names must not become breaks of the label, those between its lines must.
std::string quoted(const std::vector<std::string>& lines) {
    std::string out = "\"";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) out += "\\n";
        for (const char c : one_line(lines[i])) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
    }
    return out + '"';
}

class DotWriter {
public:
    explicit DotWriter(const Explanation& explanation) : explanation_(explanation) {}

    std::string text() && {
        out_ = "digraph proof {\n"
               "  rankdir=BT;\n"
               "  node [fontname=\"Helvetica\", fontsize=11];\n"
               "  edge [color=\"#555555\", arrowsize=0.7];\n";
        out_ += fmt::format("  label={};\n  labelloc=t;\n  fontname=\"Helvetica\";\n",
                            quoted({fmt::format("{}  {}", explanation_.atom, shown(explanation_.value))}));
        for (const ExplainedProof& proof : explanation_.proofs) add(proof, nullptr);
        if (explanation_.proofs.empty() && explanation_.why_not && !explanation_.why_not->nearest.empty())
            add(explanation_.why_not->nearest.front().proof, &explanation_.why_not->nearest.front());
        if (atoms_.empty()) {  // a graph all the same: the atom, and that nothing derives it
            out_ += fmt::format("  a0 [shape=box, style=dashed, color=\"{}\", label={}];\n", proof_colours::failure,
                                quoted({explanation_.atom, shown(explanation_.value)}));
        }
        return std::move(out_) + "}\n";
    }

private:
    void add(const ExplainedProof& proof, const NearMiss* miss) {
        std::vector<std::size_t> names;
        for (const ExplainedStep& step : proof.steps) {
            const auto [at, is_new] = atoms_.try_emplace(step.atom, atoms_.size());
            names.push_back(at->second);
            if (is_new) add_atom(at->second, step, miss != nullptr && failure_at(*miss, step) != nullptr);
        }
        for (std::size_t i = 0; i < proof.steps.size(); ++i) {
            if (is_derived(proof.steps[i])) add_rule(proof.steps[i], names, i);
            if (proof.steps[i].origin != Origin::Negation) continue;
            for (const std::uint32_t premise : proof.steps[i].premises)
                out_ += fmt::format("  a{} -> a{} [style=dashed];\n", names[i], names.at(premise));
        }
    }

    void add_atom(std::size_t name, const ExplainedStep& step, bool fails) {
        std::vector<std::string> label = {step.atom, fails ? "✗ " + shown(step.value) : shown(step.value)};
        if (!is_derived(step)) {
            const std::string place = place_of(step.file, step.line);
            label.push_back(step.origin == Origin::Picture    ? "seen"
                            : step.origin == Origin::Negation ? "not"
                            : step.origin == Origin::Example  ? "given"
                                                              : (place.empty() ? "fact" : "fact " + place));
        }
        out_ += fmt::format("  a{} [shape=box, style=\"filled{}\", fillcolor=\"{}\", color=\"{}\", penwidth={}, "
                            "label={}, tooltip={}];\n",
                            name, is_derived(step) ? "" : ",rounded", proof_colours::fill_of(step.value),
                            fails ? proof_colours::failure : proof_colours::outline_of(step.origin), fails ? 2.5 : 1.2,
                            quoted(label), quoted({step.sentence.empty() ? step.atom : step.sentence}));
    }

    // One instance of a rule is one node, in however many proofs it is.
    void add_rule(const ExplainedStep& step, const std::vector<std::size_t>& names, std::size_t head) {
        std::vector<std::size_t> edges = {step.clause, names[head]};
        for (const std::uint32_t premise : step.premises) edges.push_back(names.at(premise));
        if (!rules_.insert(edges).second) return;
        const std::size_t name = rules_.size() - 1;
        const std::string place = place_of(step.file, step.line);
        std::vector<std::string> label = {place.empty() ? fmt::format("clause {}", step.clause + 1) : place};
        if (step.weight != 1) label.push_back(shown(step.weight));
        std::vector<std::string> tooltip;
        if (step.clause < explanation_.clauses.size()) tooltip.push_back(explanation_.clauses[step.clause].text);
        if (!step.substitution.empty()) tooltip.push_back(substitution_text(step.substitution));
        if (tooltip.empty()) tooltip = label;
        out_ += fmt::format("  n{} [shape=box, height=0.2, width=0.2, margin=\"0.05,0.02\", fontsize=9, "
                            "style=\"filled,rounded\", fillcolor=\"{}\", color=\"{}\", label={}, tooltip={}];\n",
                            name, proof_colours::rule_fill, proof_colours::edge, quoted(label), quoted(tooltip));
        for (std::size_t i = 2; i < edges.size(); ++i) out_ += fmt::format("  a{} -> n{};\n", edges[i], name);
        out_ += fmt::format("  n{} -> a{};\n", name, names[head]);
    }

    const Explanation& explanation_;
    std::map<std::string, std::size_t> atoms_;
    std::set<std::vector<std::size_t>> rules_;  // clause, head, premises
    std::string out_;
};

}  // namespace

std::string to_dot(const Explanation& explanation) { return DotWriter(explanation).text(); }

}  // namespace neumann
