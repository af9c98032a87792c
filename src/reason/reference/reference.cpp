#include "reason/reference/reference.h"

#include <algorithm>
#include <cmath>

#include "reason/formulas.h"

namespace neumann {
namespace {

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& places) {
    std::vector<double> result;
    for (const std::size_t place : places) result.push_back(values[place]);
    return result;
}

double value_of(GraphLiteral literal, const std::vector<double>& values) {
    return literal.negated() ? 1 - values[literal.atom()] : values[literal.atom()];
}

}  // namespace

// Clamps to 1 and notes by how much; or repeats what an earlier run noted.
struct ReferenceReasoner::Clamp {
    std::vector<double>& overshoot;
    const std::vector<double>* frozen;

    double operator()(double value) {
        const double off = frozen != nullptr ? (*frozen)[overshoot.size()] : std::max(0.0, value - 1);
        overshoot.push_back(off);
        return frozen != nullptr || off == 0 ? value - off : 1.0;
    }
};

void ReferenceReasoner::step(const ReferenceRun& run, std::span<const std::uint32_t> atoms,
                             std::span<const double> weights, std::span<const double> initial,
                             std::vector<double>& values, std::vector<double>& held, Clamp& clamp) const {
    const std::vector<double>& before = run.values.back();
    std::vector<double> body;
    std::vector<double> conjunctions;
    for (const std::uint32_t atom : atoms) {
        conjunctions.clear();
        for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
            body.clear();
            for (const GraphLiteral literal : graph_.literals(c)) body.push_back(value_of(literal, before));
            const double weight = weights[graph_.clause[c]];
            if (semantics_ == Semantics::Paper) {
                const double two[] = {held[c], formulas::conjunction(semantics_, 1.0, body)};
                held[c] = clamp(formulas::softor(gamma_, two));
                conjunctions.push_back(weight * held[c]);
            } else {
                conjunctions.push_back(formulas::conjunction(semantics_, weight, body));
            }
        }
        if (semantics_ == Semantics::Paper) {
            const double derived = clamp(formulas::softor(gamma_, conjunctions));
            const double two[] = {before[atom], derived};
            values[atom] = clamp(formulas::softor(gamma_, two));
        } else {
            if (semantics_ == Semantics::Clausewise)
                conjunctions = picked(conjunctions, formulas::best_instances(clauses_of(atom), conjunctions, {}));
            const double value = formulas::disjunction(semantics_, gamma_, initial[atom], conjunctions);
            values[atom] = semantics_ == Semantics::SoftOr ? clamp(value) : value;
        }
    }
}

ReferenceRun ReferenceReasoner::forward(std::span<const double> weights, std::span<const double> initial,
                                        const ReferenceRun* frozen) const {
    const bool paper = semantics_ == Semantics::Paper;
    ReferenceRun run;
    run.values.emplace_back(initial.begin(), initial.end());
    run.held.emplace_back(paper ? graph_.conjunction_count() : 0, 0.0);
    Clamp clamp{run.overshoot, frozen != nullptr ? &frozen->overshoot : nullptr};
    const auto advance = [&](std::uint32_t phase) {
        std::vector<double> values = run.values.back();
        std::vector<double> held = run.held.back();
        step(run, schedule_.atoms_of(schedule_.phases[phase]), weights, initial, values, held, clamp);
        run.phase_of_step.push_back(phase);
        run.values.push_back(std::move(values));
        if (paper) run.held.push_back(std::move(held));
    };
    if (frozen != nullptr) {
        for (const std::uint32_t phase : frozen->phase_of_step) advance(phase);
        return run;
    }
    const std::vector<float> rounded(initial.begin(), initial.end());
    const std::vector<std::uint32_t> repeats = find_repeats(graph_, schedule_, rounded, 1);
    for (std::uint32_t p = 0; p < schedule_.phases.size(); ++p) {
        if (schedule_.phases[p].cyclic && info(semantics_).idempotent_or) {
            do {
                advance(p);
            } while (run.values.back() != run.values[run.values.size() - 2]);
            const std::size_t changing = static_cast<std::size_t>(std::ranges::count(run.phase_of_step, p)) - 1;
            if (changing > 0) {  // the last one changed nothing
                run.phase_of_step.pop_back();
                run.values.pop_back();
            }
        } else {
            for (std::uint32_t i = 0; i < (schedule_.automatic ? repeats[p] : schedule_.steps); ++i) advance(p);
        }
    }
    return run;
}

ReferenceGradients ReferenceReasoner::backward(const ReferenceRun& run, std::span<const double> weights,
                                               std::span<const double> initial,
                                               std::span<const double> output_gradient) const {
    const bool paper = semantics_ == Semantics::Paper;
    ReferenceGradients result{std::vector<double>(graph_.clause_count()), std::vector<double>(graph_.atom_count())};
    std::vector<double> gradient(output_gradient.begin(), output_gradient.end());
    std::vector<double> held_gradient(paper ? graph_.conjunction_count() : 0);
    std::vector<double> body;
    std::vector<double> body_gradient;
    std::vector<double> conjunctions;
    std::vector<double> conjunction_gradient;
    std::vector<bool> can_rise;
    std::vector<double> products;  // without weights, which would make all instances of a clause equal where they are 0
    for (std::size_t t = run.phase_of_step.size(); t-- > 0;) {
        const std::vector<double>& before = run.values[t];
        const std::span<const std::uint32_t> atoms = schedule_.atoms_of(schedule_.phases[run.phase_of_step[t]]);
        std::vector<double> earlier = gradient;  // of atoms that the step left alone
        for (const std::uint32_t atom : atoms) earlier[atom] = 0;
        for (const std::uint32_t atom : atoms) {
            const std::uint32_t first = graph_.in_begin[atom];
            const std::uint32_t count = graph_.in_begin[atom + 1] - first;
            conjunctions.assign(count, 0);
            conjunction_gradient.assign(count, 0);
            can_rise.assign(count, false);
            products.assign(count, 0);
            const auto load_body = [&](std::uint32_t c) {
                body.clear();
                for (const GraphLiteral literal : graph_.literals(c)) body.push_back(value_of(literal, before));
                body_gradient.assign(body.size(), 0);
            };
            for (std::uint32_t k = 0; k < count; ++k) {
                const double weight = weights[graph_.clause[first + k]];
                load_body(first + k);
                can_rise[k] = formulas::can_rise(weight, body);
                products[k] = formulas::conjunction(semantics_, 1.0, body);
                conjunctions[k] =
                    paper ? weight * run.held[t + 1][first + k] : formulas::conjunction(semantics_, weight, body);
            }
            if (paper) {
                const double total = formulas::softor(gamma_, conjunctions);
                const double two[] = {before[atom], std::min(1.0, total)};
                const double both = formulas::softor(gamma_, two);
                earlier[atom] += gradient[atom] * formulas::softor_share(gamma_, two[0], both);
                const double to_derived = gradient[atom] * formulas::softor_share(gamma_, two[1], both);
                for (std::uint32_t k = 0; k < count; ++k)
                    conjunction_gradient[k] = to_derived * formulas::softor_share(gamma_, conjunctions[k], total);
            } else {
                std::vector<std::size_t> best;
                if (semantics_ == Semantics::Clausewise) {
                    best = formulas::best_instances(clauses_of(atom), products, can_rise);
                    conjunctions = picked(conjunctions, best);
                }
                double to_initial = 0;
                formulas::disjunction_gradient(semantics_, gamma_, initial[atom], conjunctions, can_rise,
                                               gradient[atom], to_initial, conjunction_gradient);
                result.initial[atom] += to_initial;
                if (semantics_ == Semantics::Clausewise) {
                    const std::vector<double> to_best = conjunction_gradient;
                    conjunction_gradient.assign(count, 0);
                    for (std::size_t k = 0; k < best.size(); ++k) conjunction_gradient[best[k]] = to_best[k];
                }
            }
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t c = first + k;
                double& weight_gradient = result.weights[graph_.clause[c]];
                const double weight = weights[graph_.clause[c]];
                load_body(c);
                if (paper) {
                    weight_gradient += conjunction_gradient[k] * run.held[t + 1][c];
                    const double to_held = held_gradient[c] + conjunction_gradient[k] * weight;
                    const double two[] = {run.held[t][c], formulas::conjunction(semantics_, 1.0, body)};
                    const double both = formulas::softor(gamma_, two);
                    held_gradient[c] = to_held * formulas::softor_share(gamma_, two[0], both);
                    double unused = 0;
                    formulas::conjunction_gradient(semantics_, 1.0, body,
                                                   to_held * formulas::softor_share(gamma_, two[1], both), unused,
                                                   body_gradient);
                } else {
                    formulas::conjunction_gradient(semantics_, weight, body, conjunction_gradient[k], weight_gradient,
                                                   body_gradient);
                }
                const std::span<const GraphLiteral> literals = graph_.literals(c);
                for (std::size_t j = 0; j < literals.size(); ++j)
                    earlier[literals[j].atom()] += literals[j].negated() ? -body_gradient[j] : body_gradient[j];
            }
        }
        gradient = std::move(earlier);
    }
    for (std::size_t a = 0; a < gradient.size(); ++a) result.initial[a] += gradient[a];
    return result;
}

}  // namespace neumann
