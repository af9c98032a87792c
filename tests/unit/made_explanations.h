// Explanations made by hand, for tests of what shows them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <neumann/explanation.h>

namespace neumann {

inline ExplainedStep made_leaf(std::string atom, std::string sentence, ExplainedStep::Origin origin, double value) {
    ExplainedStep step;
    step.atom = std::move(atom);
    step.sentence = std::move(sentence);
    step.origin = origin;
    step.value = step.proof_value = value;
    step.gradient = 0.5;
    return step;
}

inline ExplainedStep made_step(std::string atom, std::string sentence, std::uint32_t clause, double value,
                               std::vector<std::uint32_t> premises) {
    ExplainedStep step = made_leaf(std::move(atom), std::move(sentence), ExplainedStep::Origin::Rule, value);
    step.gradient = 0;
    step.clause = clause;
    step.share = 0.98;
    step.premises = std::move(premises);
    step.file = "wet.nm";
    step.line = clause + 3;
    return step;
}

inline constexpr const char* made_program = R"(% Wet & <b>cold</b>.
rain.                                  % a fact
wet(X) :- out(X), rain.
0.9::cold(X) :- wet(X),                % over two lines
                alone(X, 'no. "one"').
sad(X) :- cold(X), wet(X).
)";

// sad(tom) holds: two proofs, a shared step, a rule over two lines, objects, history.
inline Explanation made_explanation() {
    using Origin = ExplainedStep::Origin;
    Explanation explanation;
    explanation.id = "\"scene 7\"";
    explanation.atom = "sad(tom)";
    explanation.sentence = "tom is sad";
    explanation.value = 0.81;
    explanation.semantics = "product";
    explanation.gamma = 0.01;
    explanation.steps = 3;
    ExplainedProof proof;
    proof.value = 0.8;
    proof.steps = {made_step("sad(tom)", "tom is sad", 2, 0.81, {1, 2}),
                   made_step("cold(tom)", "tom is cold", 1, 0.85, {2, 3}),
                   made_step("wet(tom)", "tom is wet", 0, 0.97, {4, 5}),
                   made_leaf("alone(tom,'no. \"one\"')", "tom is with no. \"one\"", Origin::Example, 0.99),
                   made_leaf("out(tom)", "tom is out", Origin::Picture, 0.97),
                   made_leaf("rain", "", Origin::Fact, 1)};
    proof.steps[0].substitution = {{"X", "tom"}};
    proof.steps[1].weight = 0.9;
    proof.steps[5].file = "wet.nm";
    proof.steps[5].line = 2;
    explanation.proofs = {proof, proof};
    explanation.proofs[1].value = 0.12;
    explanation.more_proofs = true;
    explanation.clauses = {{"wet(X) :- out(X), rain.", "wet.nm", 3, 1, 0.7, 0.4, 0.0, true},
                           {"0.9::cold(X) :- wet(X), alone(X,'no. \"one\"').", "wet.nm", 4, 0.9, 0.6, 0.35, {}, true},
                           {"sad(X) :- cold(X), wet(X).", "wet.nm", 6, 1, 0.5, 0.25, {}, true}};
    explanation.inputs = {{"out(tom)", "tom is out", Origin::Picture, 0.97, 0.83, 0.7, 0.02},
                          {"alone(tom,'no. \"one\"')", "", Origin::Example, 0.99, -0.2, 0.25, {}},
                          {"rain", "", Origin::Fact, 1, 0.3, 0.05, {}}};
    explanation.objects = {{"tom", 0, 0, 0.83, "out(tom)", {{"out(tom)", 0.97}, {"child(tom)", 0.6}}},
                           {"ann", 0, 1, 0, "", {{"child(ann)", 0.98}}}};
    explanation.history.atoms = {"sad(tom)", "wet(tom)"};
    explanation.history.steps = {{0, 0}, {0, 0.97}, {0.4, 0.97}, {0.81, 0.97}};
    return explanation;
}

// sad(ann) does not: what stands in the way was seen as something else.
inline Explanation made_why_not() {
    Explanation explanation = made_explanation();
    explanation.atom = "sad(ann)";
    explanation.sentence = "ann is sad";
    explanation.value = 0.03;
    NearMiss miss;
    miss.proof = explanation.proofs[0];
    miss.failures = {{"out(tom)", "tom is out", 0.02, 0.9, "in(tom)", 0.97, 0.93, 0.54},
                     {"alone(tom,'no. \"one\"')", "", 0.3, 0.1, "", 0, {}, {}}};
    miss.if_true = 0.95;
    explanation.why_not = WhyNot{{miss}, ""};
    explanation.proofs.clear();
    return explanation;
}

}  // namespace neumann
