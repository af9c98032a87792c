#include "oracle/values.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/rng.h"

namespace neumann::oracle {
namespace {

constexpr double gamma = 0.01;  // exp(1/γ) ≈ 3e43: far from overflow in double precision

std::vector<double> one_step(const std::vector<Instance>& instances, const Setting& setting, Or how,
                             const std::vector<double>& values) {
    std::vector<double> next(values.size());  // Soft: the sum inside the logarithm
    for (std::size_t a = 0; a < next.size(); ++a)
        next[a] = how == Or::Soft ? std::expm1(setting.initial[a] / gamma) : setting.initial[a];
    for (const Instance& i : instances) {
        double product = setting.weights[i.clause];
        for (std::uint32_t atom : i.body) product *= values[atom];
        for (std::uint32_t atom : i.negated) product *= 1 - values[atom];
        next[i.head] = how == Or::Soft ? next[i.head] + std::expm1(product / gamma) : std::max(next[i.head], product);
    }
    if (how == Or::Soft) {
        for (double& sum : next) sum = std::min(1.0, gamma * std::log1p(sum));
    }
    return next;
}

}  // namespace

std::vector<std::size_t> strata(const std::vector<Instance>& instances, std::size_t atoms) {
    std::vector<std::size_t> result(atoms, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instance& i : instances) {
            std::size_t least = result[i.head];
            for (std::uint32_t atom : i.body) least = std::max(least, result[atom]);
            for (std::uint32_t atom : i.negated) least = std::max(least, result[atom] + 1);
            changed = changed || least > result[i.head];
            result[i.head] = least;
            if (least > atoms) throw std::logic_error("an atom depends on its own negation");
        }
    }
    return result;
}

std::vector<double> evaluate(const std::vector<Instance>& instances, const Setting& setting, Or how,
                             std::size_t steps) {
    std::vector<double> values = setting.initial;
    const std::vector<std::size_t> stratum = strata(instances, values.size());
    const std::size_t highest = stratum.empty() ? 0 : std::ranges::max(stratum);
    for (std::size_t at = 0; at <= highest; ++at) {
        for (std::size_t step = 0; step < steps; ++step) {
            std::vector<double> next = one_step(instances, setting, how, values);
            for (std::size_t a = 0; a < next.size(); ++a) {
                if (stratum[a] != at) next[a] = values[a];
            }
            if (next == values) break;
            values = std::move(next);
        }
    }
    return values;
}

bool is_acyclic(const BruteForce& brute) {
    std::vector<bool> settled(brute.atoms.size(), true);
    for (const Instance& i : brute.instances) settled[i.head] = false;
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<bool> ready(brute.atoms.size(), true);
        for (const Instance& i : brute.instances) {
            for (const std::vector<std::uint32_t>* atoms : {&i.body, &i.negated}) {
                for (std::uint32_t atom : *atoms) ready[i.head] = ready[i.head] && settled[atom];
            }
        }
        for (std::size_t a = 0; a < settled.size(); ++a) {
            if (settled[a] || !ready[a]) continue;
            settled[a] = changed = true;
        }
    }
    return std::ranges::find(settled, false) == settled.end();
}

Setting random_setting(const BruteForce& brute, std::uint64_t seed, bool new_weights) {
    Rng rng(seed);
    Setting setting{brute.initial, brute.weights};
    for (std::size_t a = 0; a < brute.atoms.size(); ++a) {
        // The graph stores initial values in single precision.
        setting.initial[a] =
            brute.neural[a] ? rng.uniform() : static_cast<double>(static_cast<float>(brute.initial[a]));
    }
    for (std::size_t c = 0; c < brute.weights.size() && new_weights; ++c) {
        if (!brute.certain[c]) setting.weights[c] = rng.uniform();
    }
    return setting;
}

}  // namespace neumann::oracle
