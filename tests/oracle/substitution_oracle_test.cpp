// Substitutions that are found again from the atoms of a conjunction, on clauses made to be confused: many goals of few
// predicates over few constants, with loops, repetitions and disequations.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "explain/substitution_of.h"
#include "logic/substitution.h"
#include "oracle/cases.h"

namespace neumann::oracle {
namespace {

std::string random_clause(Rng& rng) {
    const auto variable = [&] { return fmt::format("X{}", rng.below(4)); };
    std::vector<std::string> goals;
    std::vector<std::string> used;
    for (std::uint32_t n = 2 + rng.below(3); n > 0; --n) {
        const std::string a = variable();
        const std::string b = rng.chance(0.15) ? "b" : variable();
        const bool two = rng.chance(0.7);
        goals.push_back(two ? fmt::format("e({},{})", a, b) : fmt::format("q({})", a));
        used.push_back(a);
        if (two && b != "b") used.push_back(b);
    }
    const auto some = [&] { return used[rng.below(static_cast<std::uint32_t>(used.size()))]; };
    if (rng.chance(0.5)) {
        const std::string a = some();
        const std::string b = some();
        if (a != b) goals.push_back(fmt::format("{} \\= {}", a, b));
    }
    return fmt::format("h{} :- {}.\n", rng.chance(0.5) ? fmt::format("({})", some()) : "", fmt::join(goals, ", "));
}

std::string random_text(Rng& rng) {
    std::string text = ":- type(t, [a, b, c]).\n:- pred(e(t,t)).\n:- pred(q(t)).\n:- pred(h).\n:- pred(h(t)).\n";
    for (const char* one : {"a", "b", "c"}) {
        if (rng.chance(0.7)) text += fmt::format("0.5::q({}).\n", one);
        for (const char* other : {"a", "b", "c"}) {
            if (rng.chance(0.6)) text += fmt::format("0.5::e({},{}).\n", one, other);
        }
    }
    for (int n = 0; n < 4; ++n) text += random_clause(rng);
    return text;
}

// What keeps an instance from being the conjunction.
std::string what_is_wrong(Grounded& grounded, std::uint32_t conjunction) {
    Program& program = grounded.program;
    const AtomTable& atoms = grounded.ground.atoms;
    const ReasoningGraph& graph = grounded.ground.graph;
    const Clause& clause = program.clauses[graph.clause[conjunction]];
    const std::span<const GraphLiteral> body = graph.literals(conjunction);
    const std::optional<ClauseInstance> found = substitution_of(program, atoms, clause, graph.head[conjunction], body);
    if (!found) return "nothing is found";
    Substitution substitution(clause.variables.size());
    for (std::uint32_t v = 0; v < clause.variables.size(); ++v) {
        if (found->bindings[v].is_none()) return clause.variables[v].name + " has no value";
        substitution.bind(v, found->bindings[v]);
    }
    const auto text_of = [&](const Atom& atom) {
        const Atom instance = substitution.apply(program.terms, atom);
        return plain_text(program, instance.predicate, instance.args);
    };
    if (text_of(clause.head) != grounded.text_of(graph.head[conjunction])) return "another head";
    std::vector<std::string> made;
    for (const Literal& goal : clause.body) {
        const std::string text = text_of(goal.atom);
        if (std::ranges::find(made, text) == made.end()) made.push_back(text);
    }
    std::vector<std::string> told;
    for (const GraphLiteral literal : found->body) told.push_back(grounded.text_of(literal.atom()));
    if (made != told) return fmt::format("its goals are {}, told as {}", fmt::join(made, " "), fmt::join(told, " "));
    std::vector<std::string> there;
    for (const GraphLiteral literal : body) there.push_back(grounded.text_of(literal.atom()));
    std::ranges::sort(there);
    std::ranges::sort(made);
    if (made != there) return fmt::format("its goals are {}", fmt::join(made, " "));
    for (const Constraint& constraint : clause.constraints) {
        const bool equal =
            substitution.apply(program.terms, constraint.left) == substitution.apply(program.terms, constraint.right);
        if (equal != (constraint.comparison == Comparison::Equal)) return "a condition does not hold";
    }
    return {};
}

TEST(SubstitutionOracle, FindsAnInstanceForEveryConjunction) {
    std::size_t conjunctions = 0;
    std::size_t wrong = 0;
    std::string first;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        Rng rng(seed);
        const std::string text = random_text(rng);
        Grounded grounded = ground_text(text, GroundOptions());
        const ReasoningGraph& graph = grounded.ground.graph;
        for (std::uint32_t c = 0; c < graph.conjunction_count(); ++c) {
            ++conjunctions;
            const std::string what = what_is_wrong(grounded, c);
            if (what.empty()) continue;
            if (wrong++ > 0) continue;
            std::vector<std::string> body;
            for (const GraphLiteral literal : graph.literals(c)) body.push_back(grounded.text_of(literal.atom()));
            first = fmt::format("seed {}, clause {} of\n{}{} :- {}: {}", seed, graph.clause[c], text,
                                grounded.text_of(graph.head[c]), fmt::join(body, ", "), what);
        }
    }
    fmt::print("{} conjunctions\n", conjunctions);
    EXPECT_EQ(wrong, 0U) << first;
    EXPECT_GT(conjunctions, 10000U);
}

}  // namespace
}  // namespace neumann::oracle
