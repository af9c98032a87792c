// Steps on a GPU where phases come one after the other: those of strata, or of an automatic schedule.
#include <algorithm>

#include "reason/gpu/gpu_runner.h"
#include "reason/repeats.h"

namespace neumann {

// The rounds of cycles, for semantics without a fixed point that the values reach.
void GpuRunner::find_rounds(GpuPass& pass) const {
    const Schedule& schedule = plan_.schedule;
    const std::size_t atoms = plan_.graph.atom_count();
    std::vector<float> rows(atoms * tile_width);
    for (std::size_t p = 0; p < pass.phases.size(); ++p) {
        if (schedule.phases[p].cyclic) pass.phases[p].by_example.assign(pass.tiles * tile_width, 1);
    }
    for (std::size_t tile = 0; tile < pass.tiles; ++tile) {
        device_.download(rows.data(), pass.initial + tile * (atoms + 1) * tile_width, rows.size() * sizeof(float));
        const auto examples = static_cast<unsigned>(std::min(tile_width, pass.examples - tile * tile_width));
        const std::vector<std::uint32_t> found =
            find_repeats(plan_.graph, schedule, rows, tile_width, examples, plan_.options.progress);
        for (std::size_t p = 0; p < pass.phases.size(); ++p) {
            if (!schedule.phases[p].cyclic) continue;
            std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(p * tile_width), tile_width,
                        pass.phases[p].by_example.begin() + static_cast<std::ptrdiff_t>(tile * tile_width));
        }
    }
    for (GpuRounds& phase : pass.phases) {
        if (!phase.by_example.empty()) phase.rounds = std::ranges::max(phase.by_example);
    }
}

void GpuRunner::run_staged(GpuPass& pass) const {
    const Schedule& schedule = plan_.schedule;
    device_.copy(pass.final, pass.initial, pass.array_bytes());
    if (schedule.automatic && schedule.cyclic_components > 0 && !info(plan_.options.semantics).idempotent_or)
        find_rounds(pass);
    const std::size_t held_bytes =
        std::size_t{plan_.graph.conjunction_count()} * tile_width * sizeof(float) * pass.tiles;
    if (!pass.held_states.empty()) device_.clear(pass.held_states.front(), held_bytes);
    for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
        if (plan_.options.progress && schedule.automatic)
            plan_.options.progress("reasoning", schedule.phases[p].begin, schedule.atoms.size());
        if (!schedule.automatic || schedule.phases[p].cyclic) {
            run_rounds(pass, p);
            continue;
        }
        GpuStep step = step_of(pass);
        step.before = pass.final;
        step.after = pass.final;
        update(step, cut_.phases[p]);
    }
}

// A phase whose atoms read each other.
void GpuRunner::run_rounds(GpuPass& pass, std::uint32_t number) const {
    GpuRounds& phase = pass.phases[number];
    const Phase& atoms = plan_.schedule.phases[number];
    const bool cyclic = plan_.schedule.automatic;
    const bool until_stable = cyclic && info(plan_.options.semantics).idempotent_or;
    if (until_stable) phase.by_example.assign(pass.tiles * tile_width, 1);
    const std::size_t bytes = phase.by_example.size() * sizeof(std::uint32_t);
    if (cyclic) {
        phase.lane_rounds.reserve(device_, bytes);
        device_.upload(phase.lane_rounds.as<void>(), phase.by_example.data(), bytes);
    }
    GpuStep step = step_of(pass);
    step.before = pass.final;
    step.after = pass.staged;
    const std::size_t kept_bytes = std::size_t{atoms.end - atoms.begin} * tile_width * sizeof(float) * pass.tiles;
    for (std::uint32_t round = 1; until_stable || round <= phase.rounds; ++round) {
        if (!pass.held_states.empty()) {
            step.state_before = pass.held_states[(round - 1) % pass.held_states.size()];
            step.state_after = pass.held_states[round % pass.held_states.size()];
        }
        update(step, cut_.phases[number]);
        GpuMove move = move_of(pass);
        move.atoms = atoms_of(atoms);
        move.count = atoms.end - atoms.begin;
        move.from = pass.staged;
        move.to = pass.final;
        move.round = round;
        move.lane_rounds = cyclic ? phase.lane_rounds.as<std::uint32_t>() : nullptr;
        move.until_stable = until_stable;
        if (pass.kept != Keep::Results) {
            if (phase.kept.size() < round) phase.kept.emplace_back();
            phase.kept[round - 1].reserve(device_, kept_bytes);
            move.kept = phase.kept[round - 1].as<float>();
        }
        device_.move(GpuMoving::Commit, move);
        if (!until_stable) continue;
        device_.download(phase.by_example.data(), phase.lane_rounds.as<void>(), bytes);
        const std::uint32_t last = std::ranges::max(phase.by_example);
        phase.rounds = std::max(1U, last);
        if (last < round || round == UINT32_MAX) break;
    }
}

}  // namespace neumann
