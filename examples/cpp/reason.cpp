// Who does Dan look like? Compile a program, ask it about two families, see what the answer hangs on, change its mind.
#include <cstdio>
#include <exception>
#include <vector>

#include <neumann/neumann.h>

constexpr const char* family = R"(
:- type(person, [ada, ben, cleo, dan]).
:- pred(parent(person, person)).
:- pred(resembles(person, person)).

parent(ada, ben).
0.9::parent(ben, dan).

0.5::resembles(X, Y) :- parent(Y, X).
0.2::resembles(X, Z) :- parent(Y, X), parent(Z, Y).

:- query(resembles(dan, Who)).
)";

int main() try {
    using namespace neumann;

    // Facts of parent/2 are to come from outside as well, so it is an input: atoms like parent(cleo,dan) stay possible.
    const Model model = Model::parse(family, {.inputs = {"parent/2"}}, "family.nm");
    Reasoner reasoner(model);

    // Two examples. The first is the program as it stands; in the second a letter turns up that names another mother.
    Batch batch(model, 2);
    batch.set(1, "parent(ben,dan)", 0.4);
    batch.set(1, "parent(cleo,dan)", 0.6);

    Values values = reasoner.forward(batch, Retain::Backward);
    const std::vector<AtomIndex> answers = model.matching("resembles(dan,Who)");
    for (std::size_t example = 0; example < batch.examples(); ++example) {
        std::printf("family %zu\n", example);
        for (const AtomIndex answer : answers)
            std::printf("  %.2f  %s\n", values.value(example, answer), model.atom_name(answer).c_str());
    }

    // What does Dan's likeness to Ada hang on? The derivatives of one answer by facts and by clauses.
    const AtomIndex ada = model.find_atom("resembles(dan,ada)").value();
    OutputGradients asked(batch.examples());
    asked.add(0, ada, 1.0);
    const Gradients gradients = reasoner.backward(values, asked);
    std::printf("resembles(dan,ada) in family 0 changes with\n");
    for (const char* fact : {"parent(ada,ben)", "parent(ben,dan)"})
        std::printf("  %.2f  %s\n", gradients.input(0, model.find_atom(fact).value()), fact);
    for (std::size_t clause = 0; clause < model.clause_count(); ++clause)
        std::printf("  %.2f  %s\n", gradients.weight(0, clause), model.clause_text(clause).c_str());

    // Grandparents matter more than we thought. The graph stays; only the numbers change.
    std::vector<double> weights(reasoner.weights().begin(), reasoner.weights().end());
    weights[1] = 0.8;
    reasoner.set_weights(weights);
    values = reasoner.forward(batch);
    std::printf("resembles(dan,ada) once grandparents weigh 0.8: %.2f\n", values.value(0, ada));

    // What is wrong with a text is told in the words of the command.
    try {
        batch.set(0, "parent(eda,dan)", 0.5);
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
