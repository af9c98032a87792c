// The paper's semantics against numbers that were computed elsewhere: the proof histories of the original's programs
// (tests/fixtures/reference), and the two equations written out here in double precision.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reason/choose_kernel.h"
#include "reason/reasoner.h"
#include "unit/read_program.h"
#include "unit/reference_figures.h"

namespace neumann {
namespace {

using History = std::vector<std::vector<float>>;

// A row for each step, step 0 first, with the atoms in the given order.
History paper_history(const GroundedText& grounded, const std::vector<std::string>& names,
                      const ReasonOptions& options) {
    const std::vector<std::string> texts = atom_texts(grounded);
    std::vector<std::uint32_t> atoms;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(texts, name);
        EXPECT_NE(found, texts.end()) << name;
        if (found == texts.end()) return {};
        atoms.push_back(static_cast<std::uint32_t>(found - texts.begin()));
    }
    const auto reasoner = make_reasoner(grounded.ground.graph, options);
    return reasoner->forward(InputBatch(1), reasoner->own_weights(), {.keep = Keep::History}).history<float>(0, atoms);
}

ReasonOptions paper_options(double gamma, std::uint32_t steps, const Kernel& kernel) {
    ReasonOptions options;
    options.semantics = semantics_named("paper");
    options.gamma = gamma;
    options.steps = steps;
    options.kernel = kernel.name;
    return options;
}

void expect_history(const std::vector<std::string>& names, const std::vector<std::vector<double>>& expected,
                    const History& actual, double tolerance, const std::string& where) {
    ASSERT_EQ(actual.size(), expected.size()) << where;
    for (std::size_t step = 0; step < expected.size(); ++step) {
        for (std::size_t a = 0; a < names.size(); ++a)
            ASSERT_NEAR(actual[step][a], expected[step][a], tolerance) << names[a] << " at step " << step << where;
    }
}

void expect_reference(const char* file, const std::string& program) {
    const nlohmann::json reference = reference_figures(file);
    const auto names = reference.at("atoms").get<std::vector<std::string>>();
    const GroundedText grounded = ground_text(program, {.mode = GroundMode::Full});
    ASSERT_EQ(grounded.ground.graph.atom_count(), names.size());
    const auto weights = reference.at("about").at("weights").get<std::vector<double>>();
    ASSERT_TRUE(std::ranges::equal(grounded.ground.graph.weight, weights));
    const auto steps = reference.at("about").at("T").get<std::uint32_t>();
    for (const auto& [column, gamma] :
         {std::pair{"literal_gamma_0.01", 0.01}, std::pair{"literal_gamma_0.015", 0.015}}) {
        const auto expected = reference.at(column).get<std::vector<std::vector<double>>>();
        for (const Kernel* kernel : available_kernels())
            expect_history(names, expected, paper_history(grounded, names, paper_options(gamma, steps, *kernel)), 6e-7,
                           fmt::format(" ({}, {})", column, kernel->name));
    }
}

TEST(PaperReference, Even) {
    expect_reference("even.json", ":- type(number, [0]). :- functor(s(number), number). :- max_depth(number, 10).\n"
                                  ":- pred(even(number)).\n"
                                  "even(0).\n"
                                  "even(s(s(X))) :- even(X).\n");
}

TEST(PaperReference, CyclicGraph) {
    expect_reference("cyclic_graph.json",
                     ":- type(node, [a, b, c, d, e, f]). :- pred(edge(node, node)). :- pred(cyclic(node)).\n"
                     "edge(a,b). edge(b,c). edge(b,d). edge(c,a). edge(d,e). edge(d,f). edge(e,f). edge(f,e).\n"
                     "0.51::cyclic(X) :- edge(X,X).\n"
                     "0.54::edge(X,Y) :- edge(X,Z), edge(Z,Y).\n");
}

// v ← softor(v, ∏x), x ← softor(x, softor θ·v), every OR clamped to [0,1], from v = 0. This is ordinary log-sum-exp:
// in double precision nothing overflows for γ ≥ 0.002.
struct Rule {
    double weight;
    std::size_t head;
    std::vector<std::size_t> body;
};

double clamped_softor(double gamma, const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += std::exp(value / gamma);
    return std::clamp(gamma * std::log(sum), 0.0, 1.0);
}

std::vector<std::vector<double>> literal_history(const std::vector<Rule>& rules, std::vector<double> x, double gamma,
                                                 std::uint32_t steps) {
    std::vector<double> v(rules.size(), 0.0);
    std::vector<std::vector<double>> history = {x};
    for (std::uint32_t step = 0; step < steps; ++step) {
        std::vector<std::vector<double>> derived(x.size());
        for (std::size_t c = 0; c < rules.size(); ++c) {
            double product = 1;
            for (const std::size_t j : rules[c].body) product *= x[j];
            v[c] = clamped_softor(gamma, {v[c], product});
            derived[rules[c].head].push_back(rules[c].weight * v[c]);
        }
        for (std::size_t a = 0; a < x.size(); ++a) {
            if (!derived[a].empty()) x[a] = clamped_softor(gamma, {x[a], clamped_softor(gamma, derived[a])});
        }
        history.push_back(x);
    }
    return history;
}

// A chain, two rules for one head, a cycle, an empty body, a body that never holds, and a fact that is derived as well.
TEST(PaperReference, TheTwoEquations) {
    const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
    const GroundedText grounded =
        ground_text(":- pred(a). :- pred(b). :- pred(c). :- pred(d). :- pred(e). :- pred(f).\n"
                    "0.9::a. 0.3::c. 0.02::f.\n"
                    "0.7::b :- a.\n"
                    "0.8::c :- a, b.\n"
                    "0.4::c :- d.\n"
                    "0.6::d :- c, b, a.\n"
                    "0.25::b :- true.\n"
                    "e :- e, f.\n",
                    {.mode = GroundMode::Full});
    const std::vector<Rule> rules = {{0.7, 1, {0}},       {0.8, 2, {0, 1}}, {0.4, 2, {3}},
                                     {0.6, 3, {0, 1, 2}}, {0.25, 1, {}},    {1.0, 4, {4, 5}}};
    const std::vector<double> initial = {0.9, 0.0, 0.3, 0.0, 0.0, 0.02};
    for (const double gamma : {0.002, 0.01, 0.015, 0.1, 1.0}) {
        const auto expected = literal_history(rules, initial, gamma, 12);
        for (const Kernel* kernel : available_kernels())
            expect_history(names, expected, paper_history(grounded, names, paper_options(gamma, 12, *kernel)), 2e-6,
                           fmt::format(" (gamma {}, {})", gamma, kernel->name));
    }
}

// The leak of the literal equations: nothing supports p, yet its value is γ·log 2 after a step, and more after the
// next.
TEST(PaperReference, FalseAtomsCreepUp) {
    const GroundedText grounded = ground_text(":- pred(p). :- pred(q). p :- q.", {.mode = GroundMode::Full});
    const History history = paper_history(grounded, {"p"}, paper_options(0.01, 3, fastest_kernel()));
    const double one = 0.01 * std::log(2.0);                         // v = softor(0, 0)
    const double first = 0.01 * std::log(1 + std::exp(one / 0.01));  // p = softor(0, v) = γ·log 3
    EXPECT_NEAR(history[1][0], first, 1e-8);
    EXPECT_GT(history[2][0], history[1][0]);
    EXPECT_GT(history[3][0], history[2][0]);
}

}  // namespace
}  // namespace neumann
