#include "reason/formulas.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace neumann::formulas {
namespace {

double product(std::span<const double> values, std::size_t without) {
    double result = 1;
    for (std::size_t i = 0; i < values.size(); ++i) result *= i == without ? 1.0 : values[i];
    return result;
}
constexpr std::size_t none = static_cast<std::size_t>(-1);

double bounded_margin(double weight, std::span<const double> body) {
    double margin = weight;
    for (double x : body) margin -= 1 - x;
    return margin;
}

// γ·log(1 + Σ(e^{x/γ} − 1)), relative to the largest value m: m + γ·log(e^{−m/γ} + Σ(e^{(x−m)/γ} − e^{−m/γ})). The
// largest one adds 1 to the sum, so that the rest is what log1p needs.
double leak_free_softor(double gamma, double initial, std::span<const double> values) {
    double largest = initial;
    for (double y : values) largest = std::max(largest, y);
    const bool small = largest < gamma;
    const auto term = [&](double y) {
        return small ? std::expm1(y / gamma) : std::exp((y - largest) / gamma) * -std::expm1(-y / gamma);
    };
    double rest = term(initial);
    for (double y : values) rest += term(y);
    return small ? gamma * std::log1p(rest) : largest + gamma * std::log1p(rest + std::expm1(-largest / gamma));
}

}  // namespace

double conjunction(Semantics semantics, double weight, std::span<const double> body) {
    switch (semantics) {
    case Semantics::Godel: {
        double smallest = weight;
        for (double x : body) smallest = std::min(smallest, x);
        return smallest;
    }
    case Semantics::Lukasiewicz:
        return std::max(0.0, bounded_margin(weight, body));
    default:
        return weight * product(body, none);
    }
}

void conjunction_gradient(Semantics semantics, double weight, std::span<const double> body, double gradient,
                          double& weight_gradient, std::span<double> body_gradient) {
    switch (semantics) {
    case Semantics::Godel: {
        // The first of the smallest; at 1 each of them, at 0 only the one that stands alone.
        const double smallest = conjunction(semantics, weight, body);
        const auto equal = static_cast<std::size_t>(std::ranges::count(body, smallest)) + (weight == smallest ? 1 : 0);
        if (smallest == 0 && equal > 1) return;
        bool given = false;
        for (std::size_t j = 0; j < body.size(); ++j) {
            if (body[j] != smallest || (given && smallest != 1)) continue;
            body_gradient[j] += gradient;
            given = true;
        }
        if (weight == smallest && (!given || smallest == 1)) weight_gradient += gradient;
        return;
    }
    case Semantics::Lukasiewicz: {
        const double margin = bounded_margin(weight, body);
        const auto open = [&](double x) { return margin > 0 || (margin == 0 && x < 1); };
        for (std::size_t j = 0; j < body.size(); ++j) body_gradient[j] += open(body[j]) ? gradient : 0;
        weight_gradient += open(weight) ? gradient : 0;
        return;
    }
    default:
        for (std::size_t j = 0; j < body.size(); ++j) body_gradient[j] += gradient * weight * product(body, j);
        weight_gradient += gradient * product(body, none);
    }
}

bool can_rise(double weight, std::span<const double> body) {
    return std::ranges::count(body, 0.0) + (weight == 0 ? 1 : 0) <= 1;
}

std::vector<std::size_t> best_instances(std::span<const std::uint32_t> clauses, std::span<const double> products,
                                        const std::vector<bool>& can_rise) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
        if (i == 0 || clauses[i] != clauses[i - 1]) {
            result.push_back(i);
            continue;
        }
        const std::size_t best = result.back();
        const bool rises =
            products[i] == 0 && products[best] == 0 && !can_rise.empty() && can_rise[i] && !can_rise[best];
        if (products[i] > products[best] || rises) result.back() = i;
    }
    return result;
}

double disjunction(Semantics semantics, double gamma, double initial, std::span<const double> values) {
    switch (semantics) {
    case Semantics::SoftOr:
        return leak_free_softor(gamma, initial, values);
    case Semantics::NoisyOr:
    case Semantics::Clausewise: {
        double none_holds = 1 - initial;
        for (double y : values) none_holds *= 1 - y;
        return 1 - none_holds;
    }
    case Semantics::Lukasiewicz: {
        double sum = initial;
        for (double y : values) sum += y;
        return std::min(1.0, sum);
    }
    case Semantics::MaxProduct:
    case Semantics::Godel: {
        double largest = initial;
        for (double y : values) largest = std::max(largest, y);
        return largest;
    }
    case Semantics::Paper:
        break;  // not a function of the initial value: see reference.cpp
    }
    assert(false);
    return 0;
}

void disjunction_gradient(Semantics semantics, double gamma, double initial, std::span<const double> values,
                          const std::vector<bool>& can_rise, double gradient, double& initial_gradient,
                          std::span<double> value_gradient) {
    const double result = disjunction(semantics, gamma, initial, values);
    switch (semantics) {
    case Semantics::SoftOr:
        for (std::size_t i = 0; i < values.size(); ++i)
            value_gradient[i] = gradient * softor_share(gamma, values[i], result);
        initial_gradient = gradient * softor_share(gamma, initial, result);
        return;
    case Semantics::NoisyOr:
    case Semantics::Clausewise: {
        double others = 1;
        for (double y : values) others *= 1 - y;
        initial_gradient = gradient * others;
        for (std::size_t i = 0; i < values.size(); ++i) {
            others = 1 - initial;
            for (std::size_t k = 0; k < values.size(); ++k) others *= k == i ? 1.0 : 1 - values[k];
            value_gradient[i] = gradient * others;
        }
        return;
    }
    case Semantics::Lukasiewicz: {
        double sum = initial;
        for (double y : values) sum += y;
        // Where the sum is exactly 1 it can only fall, and only by what is not 0.
        const auto open = [&](double y) { return sum < 1 || (sum == 1 && y > 0) ? gradient : 0; };
        for (std::size_t i = 0; i < values.size(); ++i) value_gradient[i] = open(values[i]);
        initial_gradient = open(initial);
        return;
    }
    default: {
        // The first of the largest, the initial value before all. At 0, where values can only rise, the first one
        // that can, and the initial value last.
        bool given = initial == result && result > 0;
        initial_gradient = given ? gradient : 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool takes = values[i] == result && !given && (result > 0 || can_rise[i]);
            value_gradient[i] = takes ? gradient : 0;
            given = given || takes;
        }
        if (initial == result && !given) initial_gradient = gradient;
    }
    }
}

double softor(double gamma, std::span<const double> values) {
    const double largest = *std::ranges::max_element(values);
    double sum = 0;
    for (double x : values) sum += std::exp((x - largest) / gamma);
    return largest + gamma * std::log(sum);
}

double softor_share(double gamma, double value, double result) { return std::exp((value - result) / gamma); }

}  // namespace neumann::formulas
