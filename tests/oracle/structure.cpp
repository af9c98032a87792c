// What holds of every graph: invariants of its arrays, and equality of two graphs array by array.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/cases.h"

namespace neumann::oracle {
namespace {

class StructureCheck {
public:
    explicit StructureCheck(const Grounded& grounded)
        : ground_(grounded.ground), graph_(grounded.ground.graph), program_(grounded.program) {}

    std::string run() {
        check_sizes();
        if (!wrong_.empty()) return wrong_;
        check_heads();
        check_bodies();
        check_uses();
        check_counts();
        return wrong_;
    }

private:
    void require(bool holds, const std::string& what) {
        if (!holds && wrong_.empty()) wrong_ = "broken invariant: " + what;
    }

    void check_sizes() {
        const std::size_t atoms = graph_.atom_count();
        const std::size_t conjunctions = graph_.conjunction_count();
        require(ground_.atoms.size() == atoms && graph_.initial.size() == atoms,
                "one label and one initial value per atom");
        require(graph_.in_begin.size() == atoms + 1 && graph_.use_begin.size() == atoms + 1, "atoms + 1 offsets");
        require(graph_.clause.size() == conjunctions && graph_.body_begin.size() == conjunctions + 1,
                "arrays per conjunction");
        require(graph_.use.size() == graph_.body.size(), "as many uses as literals");
        require(graph_.clause_count() == program_.clauses.size() && ground_.rules.size() == program_.clauses.size(),
                "one weight per clause");
        for (const auto* offsets : {&graph_.in_begin, &graph_.use_begin, &graph_.body_begin}) {
            require((*offsets)[0] == 0 && std::ranges::is_sorted(*offsets), "offsets ascend from 0");
        }
        require(graph_.in_begin[atoms] == conjunctions, "in_begin ends at the number of conjunctions");
        require(graph_.body_begin[conjunctions] == graph_.body.size(), "body_begin ends at the size of body");
        require(graph_.use_begin[atoms] == graph_.use.size(), "use_begin ends at the size of use");
    }

    // Conjunctions by head; within a head each clause in one run. The order within a run is left to the laws: whatever
    // it is, it does not depend on how the program was written.
    void check_heads() {
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            std::vector<std::uint32_t> clauses;
            for (std::uint32_t c = graph_.in_begin[a]; c < graph_.in_begin[a + 1]; ++c) {
                require(graph_.head[c] == a, "conjunctions in_begin[a]… have head a");
                if (!clauses.empty() && clauses.back() == graph_.clause[c]) continue;
                require(std::ranges::find(clauses, graph_.clause[c]) == clauses.end(),
                        "within a head, each clause is one run");
                clauses.push_back(graph_.clause[c]);
            }
        }
    }

    void check_bodies() {
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); ++c) {
            const auto body = graph_.literals(c);
            require(std::ranges::adjacent_find(body, std::greater_equal()) == body.end(), "bodies ascend strictly");
            require(body.empty() || body.back().atom() < graph_.atom_count(), "body atoms exist");
            require(graph_.clause[c] < graph_.clause_count(), "clauses exist");
        }
        for (std::size_t c = 0; c < program_.clauses.size(); ++c) {
            require(graph_.weight[c] == program_.clauses[c].weight.value_or(1.0), "weights are those of the clauses");
        }
    }

    void check_uses() {
        std::vector<std::vector<std::uint32_t>> uses(graph_.atom_count());
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); ++c) {
            for (const GraphLiteral literal : graph_.literals(c)) uses[literal.atom()].push_back(c);
        }
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            require(std::ranges::equal(graph_.uses_of(a), uses[a]), "uses are the inverse of bodies, ascending");
        }
    }

    void check_counts() {
        std::uint64_t edges = 0;
        std::vector<RuleStats> rules(program_.clauses.size());
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); ++c) {
            const std::uint64_t own = std::max<std::size_t>(1, graph_.literals(c).size()) + 1;
            edges += own;
            ++rules[graph_.clause[c]].instances;
            rules[graph_.clause[c]].edges += own;
        }
        require(graph_.edge_count() == edges, "edges = Σ max(1, |body|) + 1");
        require(graph_.node_count() == std::uint64_t{graph_.atom_count()} + graph_.conjunction_count(),
                "nodes = atoms + conjunctions");
        for (std::size_t c = 0; c < rules.size(); ++c) {
            require(ground_.rules[c].instances == rules[c].instances && ground_.rules[c].edges == rules[c].edges,
                    "counts per clause");
        }
    }

    const GroundProgram& ground_;
    const ReasoningGraph& graph_;
    const Program& program_;
    std::string wrong_;
};

}  // namespace

std::string check_structure(const Grounded& grounded) { return StructureCheck(grounded).run(); }

std::string compare_graphs(const Grounded& a, const Grounded& b) {
    const ReasoningGraph& x = a.ground.graph;
    const ReasoningGraph& y = b.ground.graph;
    if (x.atom_count() != y.atom_count()) return fmt::format("{} and {} atoms", x.atom_count(), y.atom_count());
    for (std::uint32_t atom = 0; atom < x.atom_count(); ++atom) {
        if (a.text_of(atom) != b.text_of(atom))
            return fmt::format("atom {} is {} and {}", atom, a.text_of(atom), b.text_of(atom));
    }
    const auto same = [](const auto& first, const auto& second) { return std::ranges::equal(first, second); };
    if (a.ground.terms != b.ground.terms) return fmt::format("{} and {} terms", a.ground.terms, b.ground.terms);
    if (!same(x.initial, y.initial)) return "initial values differ";
    if (!same(x.in_begin, y.in_begin)) return "in_begin differs";
    if (!same(x.head, y.head)) return "heads differ";
    if (!same(x.body_begin, y.body_begin)) return "body_begin differs";
    if (!same(x.body, y.body)) return "bodies differ";
    if (!same(x.use_begin, y.use_begin)) return "use_begin differs";
    if (!same(x.use, y.use)) return "uses differ";
    return {};
}

}  // namespace neumann::oracle
