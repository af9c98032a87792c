// The way back through the steps of a pass on a GPU.
#include <algorithm>

#include "reason/gpu/gpu_runner.h"

namespace neumann {

GpuRunner::Gradients GpuRunner::backward(const GpuPass& pass, std::span<const GpuValue> seeds, bool weights_wanted,
                                         const std::function<void(float*)>& put_seeds) {
    GpuBlock counted(nullptr);
    lay_out(counted, pass.tiles, back_);
    if (work_.reserve(device_, counted.used())) ++generation_;
    GpuBlock block(work_.as<unsigned char>());
    lay_out(block, pass.tiles, back_);

    const std::size_t clauses = std::size_t{plan_.graph.clause_count()} * tile_width * pass.tiles * sizeof(float);
    device_.clear(back_.gradient, pass.array_bytes());
    device_.clear(back_.initial_gradient, pass.array_bytes());
    device_.clear(back_.weight_gradient, clauses);
    put(pass, seeds, seeds_, back_.gradient);
    if (put_seeds) put_seeds(back_.gradient);
    const auto steps = [&] {
        GpuStep step = step_of(pass);
        step.totals = back_.totals;
        step.partial = back_.results;
        step.partial_rows = cut_.results;
        step.incoming = back_.incoming;
        step.gradient = back_.gradient;
        step.initial_gradient = back_.initial_gradient;
        step.weight_gradient = back_.weight_gradient;
        step.conjunction_gradient = back_.conjunction_gradient;
        step.weight_part = back_.weight_part;
        step.state_gradient = back_.state_gradient;
        if (!direct()) {
            device_.copy(back_.before, pass.final, pass.array_bytes());
            device_.copy(back_.after, pass.final, pass.array_bytes());
        }
        const std::uint32_t together = tiles_of_slice(pass.tiles);
        for (std::uint32_t tile = 0; tile < pass.tiles; tile += together) {
            slice_ = {tile, std::min(together, pass.tiles - tile)};
            if (back_.state_gradient != nullptr)
                device_.clear(back_.state_gradient,
                              std::size_t{plan_.graph.conjunction_count()} * tile_width * slice_.count * sizeof(float));
            direct() ? back_direct(step, pass, weights_wanted) : back_staged(step, pass, weights_wanted);
        }
        slice_ = {};
        GpuMove clean = move_of(pass);
        clean.count = clean.rows;
        clean.from = back_.gradient;
        clean.to = back_.initial_gradient;
        device_.move(GpuMoving::Clean, clean);
        clean.rows = clean.count = plan_.graph.clause_count();
        clean.from = nullptr;
        clean.to = back_.weight_gradient;
        if (clean.count > 0) device_.move(GpuMoving::Clean, clean);
    };
    if (direct()) {
        const std::uint64_t what = 2 * (generation_ + 1) + (weights_wanted ? 1 : 0);
        take(pass.back_noted, what + (std::uint64_t{pass.tiles} << 32), steps);
    } else {
        steps();
    }
    return {back_.initial_gradient, back_.weight_gradient};
}

// One step, whose values before and after are set.
void GpuRunner::back_through(GpuStep& step, const GpuPass& pass, std::uint32_t number, std::uint32_t round,
                             bool weights_wanted) const {
    const GpuPhasePlan& phase = cut_.phases[number];
    const Phase& atoms = plan_.schedule.phases[number];
    GpuMove move = move_of(pass);
    move.atoms = atoms_of(atoms);
    move.count = atoms.end - atoms.begin;
    move.round = round;
    const bool limited = !pass.phases[number].by_example.empty();
    move.lane_rounds = limited ? pass.phases[number].lane_rounds.as<std::uint32_t>() : nullptr;
    move.from = back_.gradient;
    move.to = back_.incoming;
    this->move(GpuMoving::Take, move);
    launch(step, GpuWork::Totals, phase.heads.chunks);
    launch(step, GpuWork::TotalsJoin, phase.heads.trees);
    launch(step, GpuWork::Finish, phase.heads.heads);
    launch(step, GpuWork::Reverse, phase.heads.items);
    launch(step, GpuWork::Pull, phase.pulls.items);
    launch_levels(step, GpuWork::PullJoin, phase.pulls);
    if (!weights_wanted) return;
    launch(step, GpuWork::Weigh, phase.weights.items);
    launch_levels(step, GpuWork::WeighJoin, phase.weights);
}

void GpuRunner::back_direct(GpuStep& step, const GpuPass& pass, bool weights_wanted) const {
    for (std::uint32_t t = plan_.schedule.steps; t > 0; --t) {
        step.before = t > 1 ? pass.states[t - 2] : pass.initial;
        step.after = pass.states[t - 1];
        if (!pass.held_states.empty()) {
            step.state_before = pass.held_states[t - 1];
            step.state_after = pass.held_states[t];
        }
        back_through(step, pass, 0, t, weights_wanted);
    }
}

void GpuRunner::back_staged(GpuStep& step, const GpuPass& pass, bool weights_wanted) const {
    const Schedule& schedule = plan_.schedule;
    for (auto p = static_cast<std::uint32_t>(schedule.phases.size()); p-- > 0;) {
        const Phase& phase = schedule.phases[p];
        const std::uint32_t count = phase.end - phase.begin;
        if (schedule.automatic && !phase.cyclic) {
            // Updated once, from values below it that were final by then.
            step.before = pass.final;
            step.after = pass.final;
            back_through(step, pass, p, 1, weights_wanted);
            continue;
        }
        const auto set = [&](float* rows, std::uint32_t round) {
            const std::uint32_t rounds = pass.phases[p].rounds;
            if (round == 0 || round == rounds) {
                copy_rows(pass, atoms_of(phase), count, round == 0 ? pass.initial : pass.final, rows);
                return;
            }
            GpuMove move = move_of(pass);
            move.atoms = atoms_of(phase);
            move.count = count;
            move.kept = pass.phases[p].kept[round - 1].as<float>();
            move.to = rows;
            this->move(GpuMoving::Scatter, move);
        };
        step.before = back_.before;
        step.after = back_.after;
        for (std::uint32_t round = pass.phases[p].rounds; round > 0; --round) {
            set(back_.before, round - 1);
            set(back_.after, round);
            if (!pass.held_states.empty()) {
                step.state_before = pass.held_states[round - 1];
                step.state_after = pass.held_states[round];
            }
            back_through(step, pass, p, round, weights_wanted);
        }
        copy_rows(pass, atoms_of(phase), count, pass.final, back_.before);
        copy_rows(pass, atoms_of(phase), count, pass.final, back_.after);
    }
}

}  // namespace neumann
