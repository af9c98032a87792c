// A tape of arithmetic: rows of numbers, one number per example, written down once and then run forwards and backwards
// with changing inputs and parameters. In double precision, as it is for comparison and not for speed.
//
// A row that depends on no example's input is shared: it has one number for all of them. Terms are rows times
// parameters, so that the gradient by a parameter is at hand wherever it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neumann {

class Tape {
public:
    using Row = std::uint32_t;
    static constexpr std::uint32_t no_parameter = 0xffffffffU;
    struct Term {
        Row row;
        std::uint32_t parameter = no_parameter;  // stands for 1
    };

    // Rows that the caller sets.
    Row constant(double value);
    Row input(double otherwise);  // each example has its own number; what is not set is `otherwise`

    Row complement(Row row);  // 1 − x
    Row product(std::span<const Row> rows);
    // The same with a gradient of value/factor by a factor, and 0 where that is 0/0.
    Row product_by_quotient(std::span<const Row> rows);
    Row sum(std::span<const Term> terms);
    Row largest(std::span<const Term> terms);
    Row either(Row a, Row b);  // a + b − a·b
    // γ·log(others + Σ e^{x/γ}): as many others as there are further terms of 0.
    Row soft_or(std::span<const Term> terms, double gamma, double others = 0);
    Row soft_or_from_zero(std::span<const Term> terms, double gamma);  // γ·log(1 + Σ(e^{x/γ} − 1))
    Row clamped(Row row);                                              // min(1, x), with the derivative of x
    // All divided by the largest number of them all, in whichever example, if that is more than 1. The first of as
    // many new rows.
    Row over_largest(std::span<const Row> rows);

    // Begins a pass: inputs are what they are unless set.
    void begin(std::size_t examples);
    void set(Row input, std::size_t example, double value) { values_[at(input) + example] = value; }
    void forward(std::span<const double> parameters);
    double value(Row row, std::size_t example) const { return values_[at(row) + (shared_[row] ? 0 : example)]; }

    // After forward: what the loss's gradient is by a row, then by the parameters (added to).
    void begin_backward();
    void seed(Row row, std::size_t example, double gradient) {
        gradients_[at(row) + (shared_[row] ? 0 : example)] += gradient;
    }
    void backward(std::span<double> by_parameter);

private:
    enum class Kind : std::uint8_t {
        Complement,
        Product,
        ProductByQuotient,
        Sum,
        Largest,
        Either,
        SoftOr,
        SoftOrFromZero,
        Clamped,
        OverLargest
    };
    struct Step {
        Kind kind;
        Row out;
        std::uint32_t begin;  // its terms
        std::uint32_t end;
        double gamma = 0;
        double others = 0;
    };
    struct Operand {
        const double* values;
        double* gradients;
        std::size_t stride;  // 0: shared
        double factor;
        std::uint32_t parameter;
        double operator[](std::size_t e) const { return factor * values[e * stride]; }
    };

    Row add(Kind kind, std::span<const Term> terms, double gamma = 0, double others = 0);
    Row new_row(bool shared);
    std::size_t at(Row row) const { return place_[row]; }
    std::size_t width(Row row) const { return shared_[row] ? 1 : examples_; }
    std::span<const Term> terms_of(const Step& step) const {
        return std::span(terms_).subspan(step.begin, step.end - step.begin);
    }
    // What the step works on, in a list that the next step takes over.
    std::span<const Operand> operands_of(const Step& step);
    void run(const Step& step);
    void run_soft_or(const Step& step, std::span<const Operand> operands, double* out, std::size_t count);
    void run_over_largest(const Step& step);
    void go_back(const Step& step, std::span<double> by_parameter);
    void go_back_over_largest(const Step& step);
    // Passes gradient·slope(e) on to the operand, for each example whose gradient is not 0.
    template <class Slope>
    static void pass(const Operand& operand, std::span<const double> gradients, std::span<double> by_parameter,
                     Slope&& slope);

    std::vector<bool> shared_;     // per row
    std::vector<double> initial_;  // per row: of constants and inputs
    std::vector<Row> given_;       // constants and inputs
    std::vector<Step> steps_;
    std::vector<Term> terms_;

    std::size_t examples_ = 0;
    std::vector<std::size_t> place_;  // per row: of its first number
    std::vector<double> values_;
    std::vector<double> gradients_;
    std::vector<double> parameters_;
    std::vector<Operand> operands_;
    std::vector<double> sums_;
};

}  // namespace neumann
