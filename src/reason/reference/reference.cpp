#include "reason/reference/reference.h"

#include <algorithm>

#include "base/require_not_stopped.h"
#include "reason/formulas.h"
#include "reason/repeats.h"

namespace neumann {

formulas::AtomView ReferenceReasoner::read(std::uint32_t atom, std::span<const double> weights,
                                           std::span<const double> initial, std::span<const double> before,
                                           formulas::AtomBuffer& buffer) const {
    buffer.clear();
    for (std::uint32_t c = graph_.in_begin[atom]; c < graph_.in_begin[atom + 1]; ++c) {
        for (const GraphLiteral literal : graph_.literals(c)) {
            const double value = before[literal.atom()];
            buffer.add_literal(literal.negated() ? formulas_.negation(value) : value);
        }
        buffer.end_conjunction(graph_.clause[c], weights[graph_.clause[c]]);
    }
    return buffer.view(gamma_, initial[atom], before[atom]);
}

std::size_t ReferenceReasoner::state_size() const {
    return info(semantics_).keeps_state ? graph_.conjunction_count() : 0;
}

ReferenceRun ReferenceReasoner::forward(std::span<const double> weights, std::span<const double> initial,
                                        const ReferenceRun* frozen) const {
    ReferenceRun run;
    run.values.emplace_back(initial.begin(), initial.end());
    run.state.emplace_back(state_size(), 0.0);
    formulas::Clamp clamp(run.overshoot, frozen != nullptr ? &frozen->overshoot : nullptr);
    formulas::AtomBuffer buffer;
    const auto advance = [&](std::uint32_t phase) {
        require_not_stopped("reasoning");
        const std::vector<double>& before = run.values.back();
        std::vector<double> values = before;
        std::vector<double> state = run.state.back();
        for (const std::uint32_t atom : schedule_.atoms_of(schedule_.phases[phase])) {
            const formulas::AtomView view = read(atom, weights, initial, before, buffer);
            values[atom] = formulas_.forward(view, state_of(state, atom), clamp);
        }
        run.phase_of_step.push_back(phase);
        run.values.push_back(std::move(values));
        if (info(semantics_).keeps_state) run.state.push_back(std::move(state));
    };
    if (frozen != nullptr) {
        for (const std::uint32_t phase : frozen->phase_of_step) advance(phase);
        return run;
    }
    const std::vector<float> rounded(initial.begin(), initial.end());
    const std::vector<std::uint32_t> repeats = find_repeats(graph_, schedule_, rounded, 1, 1);
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
    ReferenceGradients result{std::vector<double>(graph_.clause_count()), std::vector<double>(graph_.atom_count())};
    std::vector<double> gradient(output_gradient.begin(), output_gradient.end());
    std::vector<double> state_gradient(state_size());
    const bool keeps_state = info(semantics_).keeps_state;
    formulas::AtomBuffer buffer;
    for (std::size_t t = run.phase_of_step.size(); t-- > 0;) {
        require_not_stopped("computing gradients");
        const std::span<const std::uint32_t> atoms = schedule_.atoms_of(schedule_.phases[run.phase_of_step[t]]);
        const std::vector<double>& state_before = run.state[keeps_state ? t : 0];
        const std::vector<double>& state_after = run.state[keeps_state ? t + 1 : 0];
        std::vector<double> earlier = gradient;  // of atoms that the step left alone
        for (const std::uint32_t atom : atoms) earlier[atom] = 0;
        for (const std::uint32_t atom : atoms) {
            const formulas::AtomView view = read(atom, weights, initial, run.values[t], buffer);
            formulas::AtomGradient to = buffer.gradient();
            to.state = state_of(state_gradient, atom);
            formulas_.backward(view, state_of(state_before, atom), state_of(state_after, atom), gradient[atom], to);
            result.initial[atom] += to.initial;
            earlier[atom] += to.before;
            for (std::uint32_t k = 0; k < view.size(); ++k) {
                const std::uint32_t c = graph_.in_begin[atom] + k;
                result.weights[graph_.clause[c]] += to.weight[k];
                const std::span<const GraphLiteral> body = graph_.literals(c);
                for (std::size_t j = 0; j < body.size(); ++j) {
                    const double by_literal = to.body(view, k)[j];
                    const std::uint32_t read = body[j].atom();
                    earlier[read] +=
                        body[j].negated() ? formulas_.negation_gradient(run.values[t][read], by_literal) : by_literal;
                }
            }
        }
        gradient = std::move(earlier);
    }
    for (std::size_t a = 0; a < gradient.size(); ++a) result.initial[a] += gradient[a];
    return result;
}

}  // namespace neumann
