#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/tape.h"

namespace neumann {
namespace {

using Row = Tape::Row;
using Term = Tape::Term;

// What an operation makes of two inputs of each example and a number that all of them share.
using Operation = std::function<Row(Tape&, Row, Row, Row)>;

struct Case {
    const char* name;
    Operation operation;
};

std::vector<Case> cases() {
    const auto terms = [](Row a, Row b, Row c) { return std::vector<Term>{{a, 0}, {b, 1}, {c}}; };
    return {
        {"complement", [](Tape& tape, Row a, Row, Row) { return tape.complement(a); }},
        {"product",
         [](Tape& tape, Row a, Row b, Row c) {
             return tape.product(std::vector{a, b, c});
         }},
        {"product by quotient",
         [](Tape& tape, Row a, Row b, Row c) {
             return tape.product_by_quotient(std::vector{a, b, c});
         }},
        {"sum", [=](Tape& tape, Row a, Row b, Row c) { return tape.sum(terms(a, b, c)); }},
        {"largest", [=](Tape& tape, Row a, Row b, Row c) { return tape.largest(terms(a, b, c)); }},
        {"either", [](Tape& tape, Row a, Row b, Row) { return tape.either(a, b); }},
        {"soft-or", [=](Tape& tape, Row a, Row b, Row c) { return tape.soft_or(terms(a, b, c), 0.1); }},
        {"soft-or with others", [=](Tape& tape, Row a, Row b, Row c) { return tape.soft_or(terms(a, b, c), 0.1, 5); }},
        {"soft-or from zero",
         [=](Tape& tape, Row a, Row b, Row c) { return tape.soft_or_from_zero(terms(a, b, c), 0.1); }},
        {"over the largest",
         [=](Tape& tape, Row a, Row b, Row c) {
             const Row wide = tape.sum(terms(a, b, c));
             const Row first = tape.over_largest(std::vector{wide, a, c});
             return tape.product(std::vector{first, first + 1, first + 2});
         }},
    };
}

constexpr std::size_t examples = 3;

class Recording {
public:
    explicit Recording(const Operation& operation) {
        a_ = tape_.input(0.3);
        b_ = tape_.input(0.6);
        c_ = tape_.sum(std::vector<Term>{{tape_.constant(0.7), 2}});
        out_ = operation(tape_, a_, b_, c_);
    }
    // The sum of its values, each example's with another factor.
    double operator()(const std::vector<double>& parameters, double shift = 0) {
        tape_.begin(examples);
        tape_.set(a_, 1, 0.45 + shift);
        tape_.set(b_, 2, 0.15);
        tape_.forward(parameters);
        double sum = 0;
        for (std::size_t e = 0; e < examples; ++e) sum += static_cast<double>(e + 1) * tape_.value(out_, e);
        return sum;
    }
    std::vector<double> gradient(const std::vector<double>& parameters) {
        (*this)(parameters);
        tape_.begin_backward();
        for (std::size_t e = 0; e < examples; ++e) tape_.seed(out_, e, static_cast<double>(e + 1));
        std::vector<double> by_parameter(parameters.size(), 0.0);
        tape_.backward(by_parameter);
        return by_parameter;
    }

private:
    Tape tape_;
    Row a_ = 0;
    Row b_ = 0;
    Row c_ = 0;
    Row out_ = 0;
};

TEST(Tape, GradientsAreThoseOfSmallDifferences) {
    const std::vector<double> parameters = {0.9, 0.4, 1.1};
    for (const Case& one : cases()) {
        SCOPED_TRACE(one.name);
        Recording run(one.operation);
        const std::vector<double> gradient = run.gradient(parameters);
        for (std::size_t p = 0; p < parameters.size(); ++p) {
            constexpr double step = 1e-6;
            std::vector<double> more = parameters;
            std::vector<double> less = parameters;
            more[p] += step;
            less[p] -= step;
            EXPECT_NEAR(gradient[p], (run(more) - run(less)) / (2 * step), 1e-6) << "parameter " << p;
        }
    }
}

TEST(Tape, AProductByQuotientHasNoSlopeAtZero) {
    for (const bool by_quotient : {false, true}) {
        Tape tape;
        const Row scaled = tape.sum(std::vector<Term>{{tape.constant(1), 0}});
        const std::vector<Row> factors = {scaled, tape.constant(0.7)};
        const Row product = by_quotient ? tape.product_by_quotient(factors) : tape.product(factors);
        tape.begin(1);
        tape.forward(std::vector<double>{0.0});
        tape.begin_backward();
        tape.seed(product, 0, 1);
        std::vector<double> by_parameter = {0.0};
        tape.backward(by_parameter);
        EXPECT_EQ(by_parameter[0], by_quotient ? 0.0 : 0.7);
    }
}

TEST(Tape, SoftOrsOfNothingTrue) {
    Tape tape;
    const Row zero = tape.constant(0);
    const std::vector<Term> three = {{zero}, {zero}, {zero}};
    const Row literal = tape.soft_or(three, 0.01);
    const Row from_zero = tape.soft_or_from_zero(three, 0.01);
    const Row of_others = tape.soft_or({}, 0.01, 4);
    tape.begin(1);
    tape.forward({});
    EXPECT_DOUBLE_EQ(tape.value(literal, 0), 0.01 * std::log(3));
    EXPECT_EQ(tape.value(from_zero, 0), 0);
    EXPECT_DOUBLE_EQ(tape.value(of_others, 0), 0.01 * std::log(4));
}

}  // namespace
}  // namespace neumann
