#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "logic/canonical.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

constexpr const char* vocabulary = R"(
:- type(node, [a, b]).
:- functor(f(node, node), node).
:- pred(k).
:- pred(p(node)).
:- pred(q(node)).
:- pred(edge(node, node)).
:- pred(in(node, node)).
)";

using Key = std::vector<std::uint32_t>;

CanonicalClause canonical_of(Program& program, const Clause& clause) {
    const std::optional<SolvedClause> solved = solve_constraints(program.terms, clause);
    EXPECT_TRUE(solved.has_value());
    return canonicalize(program.terms, *solved, clause.variables.size());
}

Key key_of(const std::string& text) {
    ReadProgram result = read(vocabulary + text);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    return canonical_of(result.program, result.program.clauses.at(0)).key;
}

TEST(Canonical, EqualUpToNamesOrderAndRepetition) {
    const std::pair<const char*, const char*> equal[] = {
        {"p(X) :- q(X).", "p(Y) :- q(Y)."},
        {"p(X) :- edge(X,Y), q(Y).", "p(A) :- q(B), edge(A,B)."},
        {"p(X) :- q(X).", "p(X) :- q(X), q(X)."},
        {"p(X) :- edge(X,Y), edge(X,Y), q(Z).", "p(X) :- q(Y), edge(X,Z)."},
        {"p(X) :- q(_), q(_).", "p(X) :- q(A), q(B)."},
        {"p(X) :- edge(X,Y), edge(Y,Z), edge(Z,X).", "p(Z) :- edge(X,Z), edge(Z,Y), edge(Y,X)."},
        {"p(X) :- q(Y), X \\= Y.", "p(X) :- q(Y), Y \\= X."},
        {"p(X) :- q(Y), X \\= Y.", "p(X) :- q(Y), X \\= Y, Y \\= X."},
        {"p(X) :- q(Y), X = Y.", "p(X) :- q(X)."},
        {"p(f(X,Y)) :- q(X), p(Y).", "p(f(Y,X)) :- p(X), q(Y)."},
        {"k :- edge(A,B), edge(B,C), edge(C,D), edge(D,A).", "k :- edge(B,D), edge(D,C), edge(C,A), edge(A,B)."},
    };
    for (const auto& [first, second] : equal) EXPECT_EQ(key_of(first), key_of(second)) << first << "  " << second;
}

TEST(Canonical, DifferentClausesDiffer) {
    const std::pair<const char*, const char*> different[] = {
        {"p(X) :- q(X).", "q(X) :- p(X)."},
        {"p(X) :- q(X).", "p(X) :- q(Y)."},
        {"p(X) :- edge(X,Y).", "p(X) :- edge(Y,X)."},
        {"p(X) :- edge(X,Y).", "p(X) :- edge(X,X)."},
        {"p(X) :- q(a).", "p(X) :- q(b)."},
        {"p(X) :- q(Y), X \\= Y.", "p(X) :- q(Y)."},
        {"p(X) :- q(Y), X \\= a.", "p(X) :- q(Y), Y \\= a."},
        {"p(f(X,Y)) :- q(X).", "p(f(X,Y)) :- q(Y)."},
        {"p(X) :- q(f(X,a)).", "p(X) :- q(f(a,X))."},
        {"p(X).", "p(X) :- q(X)."},
        // A repeated goal is one goal, two goals with variables of their own are two: they have different instances.
        {"k :- q(A).", "k :- q(A), q(B)."},
        // Locally alike, globally not: two triangles and a hexagon. Colours alone cannot tell these apart.
        {"k :- edge(A,B), edge(B,C), edge(C,A), edge(D,E), edge(E,F), edge(F,D).",
         "k :- edge(A,B), edge(B,C), edge(C,D), edge(D,E), edge(E,F), edge(F,A)."},
    };
    for (const auto& [first, second] : different) EXPECT_NE(key_of(first), key_of(second)) << first << "  " << second;
}

TEST(Canonical, TheClauseItselfIsRenumberedAndOrdered) {
    ReadProgram result = read(std::string(vocabulary) + "p(X) :- q(Z), edge(X,Z), q(Z).\np(B) :- edge(B,A), q(A).");
    const CanonicalClause first = canonical_of(result.program, result.program.clauses[0]);
    const CanonicalClause second = canonical_of(result.program, result.program.clauses[1]);
    EXPECT_EQ(first.clause.head, second.clause.head);
    EXPECT_EQ(first.clause.body, second.clause.body);
    EXPECT_EQ(first.clause.body.size(), 2U);
    // The new numbers lead back to the names that the clause itself uses.
    ASSERT_EQ(second.old_variable.size(), 2U);
    const std::uint32_t head_variable = result.program.terms.variable_index(second.clause.head.args[0]);
    EXPECT_EQ(result.program.clauses[1].variables[second.old_variable[head_variable]].name, "B");
}

// A random clause: a head and goals over a few variables, written in a random order with random names.
struct RandomClause {
    std::string head;
    std::vector<std::string> goals;

    static std::string variable(std::uint32_t v) { return fmt::format("V{}_", v); }
    RandomClause(Rng& rng, std::uint32_t variables) {
        head = rng.chance(0.5) ? "k" : fmt::format("p({})", variable(0));
        const std::uint32_t count = 1 + rng.below(6);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string x = variable(rng.below(variables));
            const std::string y = rng.chance(0.2) ? "a" : variable(rng.below(variables));
            if (rng.chance(0.3)) {
                goals.push_back(fmt::format("q({})", x));
            } else {
                goals.push_back(fmt::format("edge({},{})", x, y));
            }
        }
        if (rng.chance(0.3)) goals.push_back(fmt::format("q({0}), {0} \\= a", variable(0)));
    }

    std::string shuffled(Rng& rng, std::uint32_t variables) const {
        std::vector<std::string> order = goals;
        order.push_back(goals[rng.below(static_cast<std::uint32_t>(goals.size()))]);  // a repetition changes nothing
        std::vector<std::uint32_t> names(variables);
        for (std::uint32_t i = 0; i < variables; ++i) names[i] = i;
        const auto shuffle = [&](auto& values) {
            for (std::size_t i = values.size(); i > 1; --i) {
                std::swap(values[i - 1], values[rng.below(static_cast<std::uint32_t>(i))]);
            }
        };
        shuffle(order);
        shuffle(names);
        std::string text = fmt::format("{} :- {}.", head, fmt::join(order, ", "));
        for (std::uint32_t v = 0; v < variables; ++v) {
            for (std::size_t at = 0; (at = text.find(variable(v), at)) != std::string::npos;) {
                text.replace(at, variable(v).size(), fmt::format("Name{}", names[v]));
            }
        }
        return text;
    }
};

TEST(Canonical, RandomClausesKeepTheirKeyUnderRenamingAndReordering) {
    constexpr std::uint64_t seed = 20240607;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    constexpr std::uint32_t variables = 5;
    for (int round = 0; round < 300; ++round) {
        const RandomClause clause(rng, variables);
        const std::string first = clause.shuffled(rng, variables);
        for (int i = 0; i < 3; ++i) {
            const std::string second = clause.shuffled(rng, variables);
            ASSERT_EQ(key_of(first), key_of(second)) << first << "\n" << second;
        }
    }
}

// The converse: equal keys only for clauses that a renaming makes equal, found by trying all renamings.
TEST(Canonical, RandomClausesWithEqualKeysAreRenamingsOfEachOther) {
    constexpr std::uint64_t seed = 77;
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const auto goal = [](std::uint32_t x, std::uint32_t y) { return fmt::format("edge(V{},V{})", x, y); };
    for (int round = 0; round < 300; ++round) {
        using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
        const auto random_edges = [&] {
            Edges edges;
            for (int i = 0; i < 4; ++i) edges.emplace_back(rng.below(4), rng.below(4));
            std::ranges::sort(edges);
            edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
            return edges;
        };
        const auto text = [&](const Edges& edges) {
            std::vector<std::string> goals;
            for (const auto& [x, y] : edges) goals.push_back(goal(x, y));
            return fmt::format("k :- {}.", fmt::join(goals, ", "));
        };
        const Edges first = random_edges();
        const Edges second = random_edges();
        bool isomorphic = false;
        std::vector<std::uint32_t> names = {0, 1, 2, 3};
        do {
            Edges renamed;
            for (const auto& [x, y] : first) renamed.emplace_back(names[x], names[y]);
            std::ranges::sort(renamed);
            isomorphic = isomorphic || renamed == second;
        } while (std::next_permutation(names.begin(), names.end()));
        ASSERT_EQ(key_of(text(first)) == key_of(text(second)), isomorphic) << text(first) << "\n" << text(second);
    }
}

std::string numbered(const std::string& pattern, int count) {
    std::vector<std::string> goals;
    for (int i = 0; i < count; ++i) goals.push_back(fmt::format(fmt::runtime(pattern), i));
    return fmt::format("{}", fmt::join(goals, ", "));
}

// Ten objects of one image are 10! orders; that they can be swapped makes one of them enough.
TEST(Canonical, SymmetricBodiesNeedNoSearch) {
    const std::string forwards = "p(X) :- " + numbered("in(O{},X)", 10) + ".";
    EXPECT_EQ(key_of(forwards), key_of("p(Y) :- " + numbered("in(A{},Y)", 10) + "."));
    EXPECT_NE(key_of(forwards), key_of("p(X) :- " + numbered("in(O{},X)", 9) + "."));
    EXPECT_FALSE(key_of("k :- " + numbered("q(O{})", 100) + ".").empty());
}

// What is interchangeable here is pairs of variables, not single ones.
TEST(Canonical, SymmetricPairsNeedNoSearch) {
    const std::string forwards = "p(X) :- " + numbered("in(O{0},X), edge(O{0},C{0})", 12) + ".";
    EXPECT_EQ(key_of(forwards), key_of("p(X) :- " + numbered("edge(A{0},B{0}), in(A{0},X)", 12) + "."));
}

}  // namespace
}  // namespace neumann
