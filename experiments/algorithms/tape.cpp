#include "algorithms/tape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neumann {
namespace {

constexpr double negligible = -60;  // e to this is lost beside 1

std::vector<Tape::Term> as_terms(std::span<const Tape::Row> rows) {
    std::vector<Tape::Term> terms;
    terms.reserve(rows.size());
    for (const Tape::Row row : rows) terms.push_back({row});
    return terms;
}

double weak_exp(double x) {
    if (x < negligible) return 0;
    return x == 0 ? 1 : std::exp(x);  // as of the largest number, which is there in every sum
}

}  // namespace

Tape::Row Tape::new_row(bool shared) {
    shared_.push_back(shared);
    initial_.push_back(0);
    return static_cast<Row>(shared_.size() - 1);
}

Tape::Row Tape::constant(double value) {
    const Row row = new_row(true);
    initial_[row] = value;
    given_.push_back(row);
    return row;
}

Tape::Row Tape::input(double otherwise) {
    const Row row = new_row(false);
    initial_[row] = otherwise;
    given_.push_back(row);
    return row;
}

Tape::Row Tape::add(Kind kind, std::span<const Term> terms, double gamma, double others) {
    const auto begin = static_cast<std::uint32_t>(terms_.size());
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    const bool shared = std::ranges::all_of(terms, [&](const Term& term) { return shared_[term.row]; });
    const Row out = new_row(shared);
    steps_.push_back({kind, out, begin, static_cast<std::uint32_t>(terms_.size()), gamma, others});
    return out;
}

Tape::Row Tape::complement(Row row) {
    const Term term{row};
    return add(Kind::Complement, {&term, 1});
}

Tape::Row Tape::product(std::span<const Row> rows) { return add(Kind::Product, as_terms(rows)); }

Tape::Row Tape::product_by_quotient(std::span<const Row> rows) { return add(Kind::ProductByQuotient, as_terms(rows)); }

Tape::Row Tape::sum(std::span<const Term> terms) { return add(Kind::Sum, terms); }

Tape::Row Tape::largest(std::span<const Term> terms) { return add(Kind::Largest, terms); }

Tape::Row Tape::either(Row a, Row b) {
    const Term terms[] = {{a}, {b}};
    return add(Kind::Either, terms);
}

Tape::Row Tape::soft_or(std::span<const Term> terms, double gamma, double others) {
    return add(Kind::SoftOr, terms, gamma, others);
}

Tape::Row Tape::soft_or_from_zero(std::span<const Term> terms, double gamma) {
    return add(Kind::SoftOrFromZero, terms, gamma);
}

Tape::Row Tape::clamped(Row row) {
    const Term term{row};
    return add(Kind::Clamped, {&term, 1});
}

Tape::Row Tape::over_largest(std::span<const Row> rows) {
    const std::vector<Term> terms = as_terms(rows);
    const auto first = static_cast<Row>(shared_.size());
    const auto begin = static_cast<std::uint32_t>(terms_.size());
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    for (const Row row : rows) new_row(shared_[row]);
    steps_.push_back({Kind::OverLargest, first, begin, static_cast<std::uint32_t>(terms_.size())});
    return first;
}

void Tape::begin(std::size_t examples) {
    if (examples != examples_ || place_.size() != shared_.size()) {
        examples_ = examples;
        place_.resize(shared_.size());
        std::size_t next = 0;
        for (Row row = 0; row < shared_.size(); ++row) {
            place_[row] = next;
            next += width(row);
        }
        values_.assign(next, 0.0);
        gradients_.assign(next, 0.0);
    }
    for (const Row row : given_)
        std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(at(row)), width(row), initial_[row]);
}

void Tape::forward(std::span<const double> parameters) {
    parameters_.assign(parameters.begin(), parameters.end());
    for (const Step& step : steps_) run(step);
}

std::span<const Tape::Operand> Tape::operands_of(const Step& step) {
    operands_.clear();
    for (const Term& term : terms_of(step)) {
        const std::size_t place = at(term.row);
        operands_.push_back({values_.data() + place, gradients_.data() + place,
                             shared_[term.row] ? std::size_t{0} : std::size_t{1},
                             term.parameter == no_parameter ? 1.0 : parameters_[term.parameter], term.parameter});
    }
    return operands_;
}

void Tape::run(const Step& step) {
    if (step.kind == Kind::OverLargest) return run_over_largest(step);
    double* out = values_.data() + at(step.out);
    const std::size_t count = width(step.out);
    const std::span<const Operand> operands = operands_of(step);
    const auto fold = [&](double start, auto&& join) {
        std::fill_n(out, count, start);
        for (const Operand& x : operands) {
            for (std::size_t e = 0; e < count; ++e) out[e] = join(out[e], x[e]);
        }
    };
    switch (step.kind) {
    case Kind::Complement:
        for (std::size_t e = 0; e < count; ++e) out[e] = 1 - operands[0][e];
        break;
    case Kind::Clamped:
        for (std::size_t e = 0; e < count; ++e) out[e] = std::min(1.0, operands[0][e]);
        break;
    case Kind::Product:
    case Kind::ProductByQuotient:
        fold(1, [](double product, double x) { return product * x; });
        break;
    case Kind::Sum:
        fold(0, [](double sum, double x) { return sum + x; });
        break;
    case Kind::Largest:
        fold(std::numeric_limits<double>::lowest(), [](double most, double x) { return std::max(most, x); });
        break;
    case Kind::Either:
        fold(0, [](double a, double b) { return a + b - a * b; });
        break;
    case Kind::SoftOr:
    case Kind::SoftOrFromZero:
        run_soft_or(step, operands, out, count);
        break;
    case Kind::OverLargest:
        break;
    }
}

void Tape::run_soft_or(const Step& step, std::span<const Operand> operands, double* out, std::size_t count) {
    const bool from_zero = step.kind == Kind::SoftOrFromZero;
    // What counts beside the operands as so many numbers of 0.
    const double others = from_zero ? 1.0 - static_cast<double>(operands.size()) : step.others;
    const bool has_zero = from_zero || step.others > 0;
    std::fill_n(out, count, has_zero ? 0.0 : std::numeric_limits<double>::lowest());
    for (const Operand& x : operands) {
        for (std::size_t e = 0; e < count; ++e) out[e] = std::max(out[e], x[e]);
    }
    // Near 0 the difference of numbers near 1 would be lost.
    const auto is_near_zero = [&](std::size_t e) { return from_zero && out[e] < 20 * step.gamma; };
    sums_.assign(count, 0.0);
    for (const Operand& x : operands) {
        for (std::size_t e = 0; e < count; ++e)
            sums_[e] += is_near_zero(e) ? std::expm1(x[e] / step.gamma) : weak_exp((x[e] - out[e]) / step.gamma);
    }
    for (std::size_t e = 0; e < count; ++e) {
        if (is_near_zero(e)) {
            out[e] = step.gamma * std::log1p(sums_[e]);
        } else {
            out[e] += step.gamma * std::log(sums_[e] + others * weak_exp(-out[e] / step.gamma));
        }
    }
}

void Tape::run_over_largest(const Step& step) {
    double most = 1;
    for (const Term& term : terms_of(step)) {
        const double* x = values_.data() + at(term.row);
        most = std::max(most, *std::max_element(x, x + width(term.row)));
    }
    Row out = step.out;
    for (const Term& term : terms_of(step)) {
        const double* x = values_.data() + at(term.row);
        double* y = values_.data() + at(out);
        for (std::size_t e = 0; e < width(out); ++e) y[e] = x[e] / most;
        ++out;
    }
}

void Tape::begin_backward() { std::ranges::fill(gradients_, 0.0); }

void Tape::backward(std::span<double> by_parameter) {
    for (std::size_t i = steps_.size(); i-- > 0;) go_back(steps_[i], by_parameter);
}

template <class Slope>
void Tape::pass(const Operand& operand, std::span<const double> gradients, std::span<double> by_parameter,
                Slope&& slope) {
    double to_parameter = 0;
    for (std::size_t e = 0; e < gradients.size(); ++e) {
        if (gradients[e] == 0) continue;
        const double gradient = gradients[e] * slope(e);
        operand.gradients[e * operand.stride] += gradient * operand.factor;
        to_parameter += gradient * operand.values[e * operand.stride];
    }
    if (operand.parameter != no_parameter) by_parameter[operand.parameter] += to_parameter;
}

void Tape::go_back(const Step& step, std::span<double> by_parameter) {
    const std::span<const double> gradients = std::span(gradients_).subspan(at(step.out), width(step.out));
    if (step.kind == Kind::OverLargest) return go_back_over_largest(step);
    if (std::ranges::all_of(gradients, [](double gradient) { return gradient == 0; })) return;
    const double* result = values_.data() + at(step.out);
    const std::span<const Operand> operands = operands_of(step);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Operand& x = operands[i];
        const auto pass_on = [&](auto&& slope) { pass(x, gradients, by_parameter, slope); };
        switch (step.kind) {
        case Kind::Complement:
            pass_on([](std::size_t) { return -1.0; });
            break;
        case Kind::Clamped:
        case Kind::Sum:
            pass_on([](std::size_t) { return 1.0; });
            break;
        case Kind::Product:
            pass_on([&](std::size_t e) {
                double others = 1;
                for (std::size_t j = 0; j < operands.size(); ++j) others *= j == i ? 1.0 : operands[j][e];
                return others;
            });
            break;
        case Kind::ProductByQuotient:
            pass_on([&](std::size_t e) { return x[e] == 0 ? 0.0 : result[e] / x[e]; });
            break;
        case Kind::Largest:  // the first of them
            pass_on([&](std::size_t e) {
                const auto before = operands.first(i);
                const bool taken = std::ranges::any_of(before, [&](const Operand& o) { return o[e] == result[e]; });
                return !taken && x[e] == result[e] ? 1.0 : 0.0;
            });
            break;
        case Kind::Either:
            pass_on([&](std::size_t e) { return 1 - operands[1 - i][e]; });
            break;
        case Kind::SoftOr:
        case Kind::SoftOrFromZero:
            pass_on([&](std::size_t e) { return weak_exp((x[e] - result[e]) / step.gamma); });
            break;
        case Kind::OverLargest:
            break;
        }
    }
}

// y = x/m: to x by 1/m, and to the largest of them by −x/m², in equal parts where there are several.
void Tape::go_back_over_largest(const Step& step) {
    const std::span<const Term> terms = terms_of(step);
    double most = 1;
    std::vector<std::size_t> places;
    double to_most = 0;
    Row out = step.out;
    for (const Term& term : terms) {
        for (std::size_t e = 0; e < width(out); ++e) {
            const double x = values_[at(term.row) + e];
            if (x > most) places.clear();
            most = std::max(most, x);
            if (x == most && most > 1) places.push_back(at(term.row) + e);
            to_most -= gradients_[at(out) + e] * x;
        }
        ++out;
    }
    out = step.out;
    for (const Term& term : terms) {
        for (std::size_t e = 0; e < width(out); ++e) gradients_[at(term.row) + e] += gradients_[at(out) + e] / most;
        ++out;
    }
    for (const std::size_t place : places)
        gradients_[place] += to_most / (most * most) / static_cast<double>(places.size());
}

}  // namespace neumann
