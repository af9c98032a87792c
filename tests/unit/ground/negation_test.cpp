// Programs with negated literals, which the language does not have as yet: from clauses to graphs.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explain/substitution_of.h"
#include "graph/levels.h"
#include "logic/canonical.h"
#include "reason/reasoner.h"
#include "reason/reference/reference.h"
#include "unit/read_program.h"

namespace neumann {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* vocabulary = R"(
:- type(o, [a, b, c]). :- functor(f(o), o). :- max_depth(o, 1).
:- pred(p(o)). :- pred(q(o)). :- pred(r(o)). :- pred(d(o,o)). :- distinct(d/2).
)";

ReadProgram program_of(const std::string& items, const std::vector<std::pair<std::size_t, std::size_t>>& negated) {
    ReadProgram result = read(vocabulary + items);
    EXPECT_FALSE(result.diagnostics.has_errors()) << rendered(result);
    for (const auto& [clause, goal] : negated) negate(result.program, clause, goal);
    return result;
}

GroundedText ground_of(const std::string& items, const std::vector<std::pair<std::size_t, std::size_t>>& negated,
                       GroundMode mode = GroundMode::Relevant) {
    GroundOptions options;
    options.mode = mode;
    return ground_program(program_of(items, negated).program, options);
}

TEST(Negation, IsPrinted) {
    const ReadProgram read = program_of("p(X) :- q(X), r(X), X \\= a.", {{0, 1}});
    EXPECT_EQ(print_clause(read.program, read.program.clauses[0]), "p(X) :- q(X), \\+ r(X), X \\= a.");
}

TEST(Negation, MakesAnotherClause) {
    ReadProgram read =
        program_of("p(X) :- q(X), r(X). p(Y) :- r(Y), q(Y). p(Z) :- q(Z), q(Z).", {{0, 1}, {1, 0}, {2, 1}});
    std::vector<std::vector<std::uint32_t>> keys;
    for (const Clause& clause : read.program.clauses) {
        const CanonicalClause canonical =
            canonicalize(read.program.terms, *solve_constraints(read.program.terms, clause), clause.variables.size());
        EXPECT_EQ(canonical.clause.body.size(), 2U) << "an atom and its negation are two literals";
        EXPECT_TRUE(canonical.clause.body[1].negated) << "negated ones stand last";
        keys.push_back(canonical.key);
    }
    EXPECT_EQ(keys[0], keys[1]) << "order and names make no difference";
    EXPECT_NE(keys[0], keys[2]);
}

TEST(Negation, DoesNotBindVariables) {
    ReadProgram read = program_of("p(X) :- q(X), d(X,Y).\np(X) :- q(X), r(X).", {{0, 1}, {1, 1}});
    analyse(read.program, {}, read.diagnostics);
    EXPECT_NE(rendered(read).find("variable 'Y' occurs only in a negated literal [unsafe-variable]"), std::string::npos)
        << rendered(read);
    EXPECT_NE(rendered(read).find("it must also occur in the head or in an atom of the body"), std::string::npos);
}

TEST(Negation, RelevantGroundingLeavesOutWhatIsFalse) {
    const GroundedText grounded = ground_of("0.5::q(a). q(b). 0.5::r(b). p(X) :- q(X), r(X).", {{0, 1}});
    EXPECT_EQ(clause_texts(grounded), (Texts{"p(a) :- q(a)", "p(b) :- q(b), \\+ r(b)"}));
    EXPECT_FALSE(grounded.ground.graph.monotone);
}

TEST(Negation, FullGroundingLooksAtEveryAtom) {
    const GroundedText grounded = ground_of("q(a). r(b). p(X) :- q(X), r(X).", {{0, 1}}, GroundMode::Full);
    EXPECT_EQ(grounded.ground.graph.conjunction_count(), 6U);
    EXPECT_EQ(clause_texts(grounded)[0], "p(a) :- q(a), \\+ r(a)");
}

TEST(Negation, AtomsThatCannotExistAreFalse) {
    // d is distinct, and f(f(…)) is too deep.
    for (const GroundMode mode : {GroundMode::Relevant, GroundMode::Full}) {
        const GroundedText same = ground_of("q(a). p(X) :- q(X), d(X,X).", {{0, 1}}, mode);
        EXPECT_EQ(clause_texts(same)[0], "p(a) :- q(a)");
        const GroundedText deep = ground_of("q(a). q(f(a)). r(f(a)). p(X) :- q(X), r(f(X)).", {{0, 1}}, mode);
        const Texts texts = clause_texts(deep);
        EXPECT_NE(std::ranges::find(texts, "p(a) :- q(a), \\+ r(f(a))"), texts.end());
        EXPECT_NE(std::ranges::find(texts, "p(f(a)) :- q(f(a))"), texts.end());
    }
}

TEST(Negation, WhatIsNegatedIsGroundedFirst) {
    const GroundedText grounded = ground_of("q(a). q(b). d(a,b). p(X) :- q(X), r(X). r(X) :- d(X,Y), q(Y).", {{0, 1}});
    EXPECT_EQ(clause_texts(grounded), (Texts{"p(a) :- q(a), \\+ r(a)", "p(b) :- q(b)", "r(a) :- q(b), d(a,b)"}));
}

TEST(Negation, TheReferenceTakesOneMinusTheValue) {
    const GroundedText grounded = ground_of("0.8::q(a). 0.3::r(a). 0.5::p(X) :- q(X), r(X).", {{0, 1}});
    const ReasoningGraph& graph = grounded.ground.graph;
    const std::vector<double> initial(graph.initial.begin(), graph.initial.end());
    const ReferenceReasoner reasoner(graph, semantics_named("max-product"), default_gamma, fixed_schedule(graph, 3));
    const ReferenceRun run = reasoner.forward(graph.weight.span(), initial);
    EXPECT_EQ(atom_text(grounded, 0), "p(a)");
    EXPECT_NEAR(run.result()[0], 0.5 * 0.8 * 0.7, 1e-7);
    std::vector<double> output(graph.atom_count(), 0.0);
    output[0] = 1;
    const ReferenceGradients gradients = reasoner.backward(run, graph.weight.span(), initial, output);
    EXPECT_NEAR(gradients.initial[2], -0.5 * 0.8, 1e-7);
}

TEST(Negation, AnInstanceIsFoundAgain) {
    GroundedText grounded = ground_of("0.5::q(a). q(b). 0.5::r(b). p(X) :- q(X), r(X).", {{0, 1}});
    const ReasoningGraph& graph = grounded.ground.graph;
    for (std::uint32_t c = 0; c < 2; ++c) {
        const std::optional<ClauseInstance> instance = substitution_of(
            grounded.program, grounded.ground.atoms, grounded.program.clauses[0], graph.head[c], graph.literals(c));
        ASSERT_TRUE(instance) << c;
        EXPECT_TRUE(std::ranges::equal(instance->body, graph.literals(c)));
        EXPECT_EQ(print_term(grounded.program.signature, grounded.program.terms, instance->bindings[0]),
                  c == 0 ? "a" : "b");
    }
}

}  // namespace
}  // namespace neumann
