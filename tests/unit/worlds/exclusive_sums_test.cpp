// Programs that are sums over rules that exclude each other: values and gradients against convolutions.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <neumann/error.h>
#include <neumann/model.h>
#include <neumann/reasoner.h>

#include "base/rng.h"

namespace neumann {
namespace {

// Probabilities of the values 0, 1, … of each number.
using Numbers = std::vector<std::vector<double>>;

constexpr std::size_t values_of_number = 4;

Numbers random_numbers(std::size_t count, Rng& rng) {
    Numbers numbers(count, std::vector<double>(values_of_number));
    for (std::vector<double>& number : numbers) {
        double sum = 1e-5;  // floats add up to 1 at most
        for (double& one : number) sum += one = 0.05 + rng.uniform();
        for (double& one : number) one /= sum;
    }
    return numbers;
}

std::vector<double> convolution(const Numbers& numbers) {
    std::vector<double> sums{1};
    for (const std::vector<double>& number : numbers) {
        std::vector<double> next(sums.size() + number.size() - 1, 0.0);
        for (std::size_t s = 0; s < sums.size(); ++s)
            for (std::size_t v = 0; v < number.size(); ++v) next[s + v] += sums[s] * number[v];
        sums = std::move(next);
    }
    return sums;
}

// The sums of numbers that are inputs.
struct Sums {
    Sums(std::size_t count, const std::string& rules, const std::string& method)
        : model(Model::parse(fmt::format(":- neural(d(place, digit)). :- type(place, 0..{}). :- type(digit, 0..3). "
                                         ":- exclusive(d/2, 2).\n{} query(total(_)).",
                                         count, rules))),
          reasoner(model, options(method)) {
        for (std::size_t s = 0; s <= (values_of_number - 1) * count; ++s)
            answers.push_back(model.find_atom(fmt::format("total({})", s)).value());
    }
    static ReasonerOptions options(const std::string& method) {
        ReasonerOptions result;
        result.semantics = "exact";
        result.exact_method = method;
        return result;
    }
    Batch batch(const std::vector<Numbers>& examples) const {
        Batch result(model, examples.size());
        for (std::size_t e = 0; e < examples.size(); ++e)
            for (std::size_t i = 0; i < examples[e].size(); ++i)
                for (std::size_t v = 0; v < values_of_number; ++v) result.set(e, input(i, v), examples[e][i][v]);
        return result;
    }
    AtomIndex input(std::size_t place, std::size_t value) const {
        return model.find_atom(fmt::format("d({},{})", place + 1, value)).value();
    }

    Model model;
    Reasoner reasoner;
    std::vector<AtomIndex> answers;
};

std::string by_recursion(std::size_t count) {
    return fmt::format("s(0,0). s(I,S) :- d(I,X), J is I-1, s(J,T), S is T+X. total(S) :- s({},S).", count);
}
const std::string by_aggregate = "total(S) :- aggregate_all(sum(X), d(_,X), S).";

void expect_convolutions(std::size_t count, const std::string& rules, const std::string& method) {
    Sums sums(count, rules, method);
    Rng rng(count);
    std::vector<Numbers> examples;
    for (int e = 0; e < 3; ++e) examples.push_back(random_numbers(count, rng));
    const Values values = sums.reasoner.forward(sums.batch(examples), Retain::Backward);
    OutputGradients seeds(examples.size());
    const auto seed = [](std::size_t s) { return 0.5 + 0.25 * static_cast<double>(s % 5); };
    for (std::size_t e = 0; e < examples.size(); ++e) {
        const std::vector<double> expected = convolution(examples[e]);
        for (std::size_t s = 0; s < expected.size(); ++s) {
            EXPECT_NEAR(static_cast<double>(values.value(e, sums.answers[s])), expected[s], 1e-6) << method << ' ' << s;
            seeds.add(e, sums.answers[s], seed(s));
        }
    }
    const Gradients gradients = sums.reasoner.backward(values, seeds);
    for (std::size_t e = 0; e < examples.size(); ++e) {
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t v = 0; v < values_of_number; ++v) {
                Numbers one = examples[e];  // the derivative: this number is this value
                one[i].assign(values_of_number, 0.0);
                one[i][v] = 1;
                const std::vector<double> by = convolution(one);
                double expected = 0;
                for (std::size_t s = 0; s < by.size(); ++s) expected += by[s] * seed(s);
                EXPECT_NEAR(static_cast<double>(gradients.input(e, sums.input(i, v))), expected, 1e-5)
                    << method << ' ' << i << ' ' << v;
            }
        }
    }
}

TEST(ExclusiveSums, RecursionsAreConvolutions) {
    for (const std::size_t count : {1U, 2U, 12U, 40U})
        for (const char* method : {"sums", "auto", "tables"}) expect_convolutions(count, by_recursion(count), method);
}

TEST(ExclusiveSums, ProgramsOfAnotherFormAreRefused) {
    const auto refused = [](const std::string& text) {
        const Model model = Model::parse(text);
        EXPECT_THROW(Reasoner(model, Sums::options("sums")), Error) << text;
        EXPECT_NO_THROW(Reasoner(model, Sums::options("auto"))) << text;
    };
    refused("0.5::a. 0.5::b. p :- a. p :- b. query(p).");                            // not exclusive
    refused("0.5::a. 0.5::b. 0.5::c. p :- a, b. q :- p, a. q :- \\+ a. query(q).");  // not independent
    refused("0.5::a. 0.5::b. p :- a, b. q :- \\+ p. query(q).");                     // not by choices alone
    refused("0.5::a. 0.5::b. p :- a, b. evidence(p). query(a).");
}

// Two predicates of the same numbers are two families: both may hold.
TEST(ExclusiveSums, PredicatesOfTheSameNumbers) {
    const Model model =
        Model::parse("0.2::d(1,0) ; 0.8::d(1,1). 0.3::d(2,0) ; 0.7::d(2,1). s(S) :- d(1,X), d(2,Y), S is X+Y. "
                     "t(S) :- d(1,X), d(2,Y), S is X-Y. both :- s(1), t(1). query(s(_)). query(t(_)).");
    Reasoner reasoner(model, Sums::options("sums"));
    const Values values = reasoner.forward(Batch(model, 1));
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("s(1)"))), 0.2 * 0.7 + 0.8 * 0.3, 1e-6);
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("t(1)"))), 0.8 * 0.3, 1e-6);
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("t(0)"))), 0.2 * 0.3 + 0.8 * 0.7, 1e-6);
}

// A path of hidden states: each has its own distribution of the next.
TEST(ExclusiveSums, HiddenMarkovModels) {
    const Model model =
        Model::parse("0.6::s(0,a) ; 0.4::s(0,b). 0.9::s(J,a) ; 0.1::s(J,b) :- s(I,a), J is I+1, J < 20. "
                     "0.3::s(J,a) ; 0.7::s(J,b) :- s(I,b), J is I+1, J < 20. query(s(19,_)).");
    Reasoner reasoner(model, Sums::options("sums"));
    double a = 0.6;
    for (int i = 0; i < 19; ++i) a = 0.9 * a + 0.3 * (1 - a);
    const Values values = reasoner.forward(Batch(model, 1));
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("s(19,a)"))), a, 1e-6);
    EXPECT_NEAR(static_cast<double>(values.value(0, *model.find_atom("s(19,b)"))), 1 - a, 1e-6);
}

}  // namespace
}  // namespace neumann
