// Explanations made by hand, for tests of what shows them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <neumann/explanation.h>

namespace neumann {

using Origin = ExplainedStep::Origin;

inline ExplainedStep derived(std::string atom, std::string sentence, double value, std::uint32_t clause,
                             std::vector<std::uint32_t> premises, double weight = 1, double share = 1) {
    ExplainedStep step;
    step.atom = std::move(atom);
    step.sentence = std::move(sentence);
    step.value = step.proof_value = value;
    step.clause = clause;
    step.premises = std::move(premises);
    step.weight = weight;
    step.share = share;
    step.file = "program.nm";
    step.line = 20 + clause;
    return step;
}

inline ExplainedStep leaf(std::string atom, std::string sentence, double value, Origin origin, double gradient = 0) {
    ExplainedStep step;
    step.atom = std::move(atom);
    step.sentence = std::move(sentence);
    step.value = step.proof_value = value;
    step.origin = origin;
    step.gradient = gradient;
    if (origin == Origin::Fact) {
        step.file = "program.nm";
        step.line = 7;
    }
    return step;
}

// examples/07_wet.nm, the query slippery under max-product: two proofs.
inline Explanation wet() {
    Explanation e;
    e.id = "\"monday\"";
    e.atom = "slippery";
    e.sentence = "it is slippery";
    e.value = 0.28;
    e.semantics = "max-product";
    e.steps = 2;
    e.exact = true;
    e.clauses = {{"wet :- rain.", "program.nm", 20, 1, 0.28, 0.5, 0.2736, true},
                 {"0.95::wet :- sprinkler, tap.", "program.nm", 21, 0.95, 0, 0, {}, true},
                 {"slippery :- wet, frost.", "program.nm", 22, 1, 0.28, 0.5, 0.0, true},
                 {"flooded :- rain, dam_broken.", "program.nm", 23, 1, 0, 0, {}, false}};
    e.proofs.resize(2);
    e.proofs[0].value = 0.28;
    e.proofs[0].steps = {
        derived("slippery", "it is slippery", 0.28, 2, {1, 3}), derived("wet", "the grass is wet", 0.7, 0, {2}),
        leaf("rain", "it rains", 0.7, Origin::Fact, 0.4), leaf("frost", "there is frost", 0.4, Origin::Fact, 0.7)};
    e.proofs[1].value = 0.2736;
    e.proofs[1].steps = {derived("slippery", "it is slippery", 0.28, 2, {1, 4}),
                         derived("wet", "the grass is wet", 0.7, 1, {2, 3}, 0.95, 0),
                         leaf("sprinkler", "the sprinkler is on", 0.8, Origin::Fact),
                         leaf("tap", "the tap is open", 0.9, Origin::Fact),
                         leaf("frost", "there is frost", 0.4, Origin::Fact, 0.7)};
    e.inputs = {{"frost", "there is frost", Origin::Fact, 0.4, 0.7, 0.5, 0.0},
                {"rain", "it rains", Origin::Fact, 0.7, 0.4, 0.5, 0.2736}};
    return e;
}

// A picture of three things, one of which is deleted in the mind; scene(…) is used twice.
inline Explanation deletion() {
    Explanation e;
    e.id = "17";
    e.atom = "answer(red)";
    e.sentence = "the answer is red";
    e.value = 0.94;
    e.semantics = "soft-or";
    e.gamma = 0.01;
    e.steps = 11;
    for (int i = 0; i < 8; ++i)
        e.clauses.push_back({"h :- b.", "program.nm", 20U + static_cast<unsigned>(i), 1, 0, 0, {}, true});
    e.clauses[5].text = "answer(X) :- scene(Y), query3(Q,q_delete,C,P), delete(C,Y,Z), get_color(Z,P,X).";
    ExplainedProof proof;
    proof.value = 0.93;
    proof.steps = {
        derived("answer(red)", "the answer is red", 0.94, 5, {1, 2, 3, 4}, 0.98, 0.97),
        derived("scene([gray,cyan,red])", "the image shows gray, cyan and red from left to right", 0.95, 0,
                {5, 6, 7, 8}),
        leaf("query3(q,q_delete,gray,2nd)", "the question is what is 2nd after deleting gray", 1, Origin::Example, 0.9),
        derived("delete(gray,[gray,cyan,red],[cyan,red])", "taking gray out of gray, cyan, red leaves cyan, red", 1, 3,
                {9, 1}),
        derived("get_color([cyan,red],2nd,red)", "red is 2nd in cyan, red", 1, 4, {10, 11}),
        leaf("color(obj0,gray)", "obj0 is gray", 0.98, Origin::Picture, 0.9),
        leaf("color(obj1,cyan)", "obj1 is cyan", 0.97, Origin::Picture, 0.91),
        leaf("color(obj2,red)", "obj2 is red", 1, Origin::Picture, 0.92),
        derived("chain([obj0,obj1,obj2])", "obj0, obj1 and obj2 stand in a row", 1, 1, {12, 13}),
        leaf("delete(gray,[gray],[])", "taking gray out of gray leaves nothing", 1, Origin::Fact),
        leaf("same_position(2nd,2nd)", "2nd is 2nd", 1, Origin::Fact, 0.9),
        derived("second_obj([cyan,red],red)", "the second of cyan, red is red", 1, 6, {14}),
        leaf("left_of(obj0,obj1)", "obj0 is left of obj1", 1, Origin::Picture, 0.9),
        leaf("left_of(obj1,obj2)", "obj1 is left of obj2", 1, Origin::Picture, 0.9),
        derived("first_obj([red],red)", "the first of red is red", 1, 7, {15}),
        leaf("member(red,[red])", "red is in red", 1, Origin::Fact, 0.9),
    };
    proof.steps[0].substitution = {{"X", "red"}, {"Y", "[gray,cyan,red]"}, {"Q", "q"}, {"C", "gray"},
                                   {"P", "2nd"}, {"Z", "[cyan,red]"}};
    e.proofs.push_back(proof);
    e.more_proofs = true;
    for (const ExplainedStep& step : proof.steps) {
        if (step.origin != Origin::Rule)
            e.inputs.push_back({step.atom, step.sentence, step.origin, step.value, step.gradient, 0.125, {}});
    }
    e.objects = {{"obj0", 0, 0, 0.9, "color(obj0,gray)", {{"color(obj0,gray)", 0.98}}},
                 {"obj1", 0, 1, 0.4, "color(obj1,cyan)", {{"color(obj1,cyan)", 0.97}}}};
    return e;
}

// A rule that would hold if obj2 were a cube.
inline Explanation no_pair() {
    Explanation e;
    e.atom = "kp(img)";
    e.sentence = "the image is of the kind";
    e.value = 0.02;
    e.semantics = "product";
    e.steps = 2;
    e.exact = true;
    e.clauses = {{"kp(X) :- in(O,X), cube(O).", "program.nm", 20, 1, 0.02, 0.5, {}, false},
                 {"cube(O) :- shape(O,cube).", "program.nm", 21, 1, 0.02, 0.5, {}, false}};
    NearMiss miss;
    miss.proof.value = 0.02;
    miss.proof.steps = {derived("kp(img)", "the image is of the kind", 0.02, 0, {1, 2}),
                        leaf("in(obj2,img)", "obj2 is in the image", 0.96, Origin::Picture, 0.02),
                        derived("cube(obj2)", "obj2 is a cube", 0.02, 1, {3}),
                        leaf("shape(obj2,cube)", "obj2 has the shape cube", 0.02, Origin::Picture, 0.96)};
    miss.proof.steps[0].substitution = {{"X", "img"}, {"O", "obj2"}};
    miss.failures = {
        {"shape(obj2,cube)", "obj2 has the shape cube", 0.02, 0.96, "shape(obj2,sphere)", 0.97, 0.96, 0.5312}};
    miss.if_true = 0.96;
    e.why_not = WhyNot{{miss}, ""};
    return e;
}

// Names that mean something to a terminal, JSON, DOT or XML.
inline Explanation strange() {
    Explanation e = wet();
    const std::string name = "'a \"b\" <c> & \\ d\ne\x1b[31m ü'";
    e.id = "not json";
    e.atom = e.sentence = name;
    for (ExplainedProof& proof : e.proofs) {
        proof.steps[0].atom = name;
        proof.steps[1].sentence = name;
        proof.steps[1].file = "a<b>&\".nm";
        proof.steps[0].substitution = {{"X", name}};
    }
    e.clauses[2].text = name + " :- wet, frost.";
    e.inputs[0].atom = name;
    e.objects = {{name, 0, 0, 0.5, name, {{name, 0.5}}}};
    return e;
}

}  // namespace neumann
