// Which two of five rules tell good pictures from bad ones? Learned by gradient descent on clause weights.
//
// Two slots each choose one clause softly (SlotWeights); the resulting weights run through the reasoner, the loss comes
// back as a gradient by weights, and from there as one by the slots' logits.
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <neumann/neumann.h>

constexpr const char* rules = R"(
:- type(picture, [img]).
:- type(object, [o1, o2]).
:- type(color, [red, blue]).
:- type(shape, [circle, square]).
:- pred(in(object, picture)).
:- neural(color(object, color)).
:- neural(shape(object, shape)).
:- pred(good(picture)).

in(o1, img).
in(o2, img).

good(I) :- in(O, I), color(O, red).
good(I) :- in(O, I), shape(O, circle).
good(I) :- in(O, I), color(O, red), shape(O, circle).
good(I) :- in(O, I), in(P, I), O \= P, color(O, C), color(P, C).
good(I) :- in(O, I), in(P, I), O \= P, shape(O, S), shape(P, S).

:- query(good(img)).
)";

int main() try {
    using namespace neumann;
    const Model model = Model::parse(rules, {}, "rules.nm");
    // Noisy-or gives every rule that supports an answer its share of the gradient; soft-or nearly all to the strongest.
    Reasoner reasoner(model, {.semantics = "noisy-or"});

    // All pictures of two objects, seen by an observer that is nine tenths sure. Good are those with a red circle and
    // those of two equal shapes: what is to be found is the third rule and the fifth.
    Batch pictures(model, 16);
    std::vector<bool> good;
    for (unsigned picture = 0; picture < 16; ++picture) {
        const bool red[] = {(picture & 1U) != 0, (picture & 2U) != 0};
        const bool circle[] = {(picture & 4U) != 0, (picture & 8U) != 0};
        for (const std::size_t i : {0U, 1U}) {
            const std::string object = i == 0 ? "o1" : "o2";
            pictures.set(picture, "color(" + object + ",red)", red[i] ? 0.9 : 0.1);
            pictures.set(picture, "color(" + object + ",blue)", red[i] ? 0.1 : 0.9);
            pictures.set(picture, "shape(" + object + ",circle)", circle[i] ? 0.9 : 0.1);
            pictures.set(picture, "shape(" + object + ",square)", circle[i] ? 0.1 : 0.9);
        }
        good.push_back((red[0] && circle[0]) || (red[1] && circle[1]) || circle[0] == circle[1]);
    }

    const AtomIndex answer = model.find_atom("good(img)").value();
    const SlotWeights slots{.clauses = model.clause_count(), .slots = 2};
    std::mt19937 chance(1);  // slots that start alike would stay alike
    std::vector<double> logits(slots.slots * slots.clauses);
    for (double& logit : logits) logit = 0.2 * chance() / std::mt19937::max();

    Values values;
    Gradients gradients;
    for (int round = 0; round <= 200; ++round) {
        reasoner.set_weights(slots.compose(logits));
        values = reasoner.forward(pictures, Retain::Backward, std::move(values));

        double loss = 0;
        OutputGradients by_answer(pictures.examples());
        for (std::size_t e = 0; e < pictures.examples(); ++e) {
            // Cross-entropy, kept away from the logarithm of 0.
            const double p = 0.01 + 0.98 * values.value(e, answer);
            loss -= std::log(good[e] ? p : 1 - p);
            by_answer.add(e, answer, 0.98 * (good[e] ? -1 / p : 1 / (1 - p)));
        }
        gradients = reasoner.backward(values, by_answer, std::move(gradients));
        const std::vector<double> by_logit = slots.gradient(logits, gradients.weight_sums());
        for (std::size_t i = 0; i < logits.size(); ++i) logits[i] -= 0.1 * by_logit[i];
        if (round % 50 == 0) std::printf("round %3d: loss %.2f\n", round, loss / 16);
    }
    for (std::size_t clause = 0; clause < model.clause_count(); ++clause)
        std::printf("%.2f  %s\n", reasoner.weights()[clause], model.clause_text(clause).c_str());
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
