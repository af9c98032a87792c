// The way back through the steps of a tile: states of values, kept or computed again, and gradients.
#include <algorithm>
#include <utility>

#include "base/require_not_stopped.h"
#include "reason/flush_to_zero.h"
#include "reason/tile/tile_engine.h"

namespace neumann {

const float* TileEngine::state(const TileRecord& record, const PhaseRecord& phase, std::uint32_t round) {
    const std::span<const std::uint32_t> atoms = plan_.schedule.atoms_of(plan_.schedule.phases[phase.phase]);
    if (round == 0 || round >= phase.stable) {
        gather_rows(staged_.data(), round == 0 ? record.initial.data() : record.final.data(), atoms);
        return staged_.data();
    }
    if (round % phase.stride == 0) return phase.kept[round / phase.stride - 1].data();
    recompute(record, phase, round);
    return segment_.states[round - segment_.begin - 1].data();
}

const float* TileEngine::held_state(const TileRecord& record, const PhaseRecord& phase, std::uint32_t round) {
    if (round == 0) return held_zero_.data();
    if (round >= phase.rounds) return record.held_final.data();
    if (round % phase.stride == 0) return phase.kept_held[round / phase.stride - 1].data();
    recompute(record, phase, round);
    return segment_.held[round - segment_.begin - 1].data();
}

// Fills the segment that holds state `round`, starting from the last one that was kept before it.
void TileEngine::recompute(const TileRecord& record, const PhaseRecord& phase, std::uint32_t round) {
    const std::uint32_t begin = round / phase.stride * phase.stride;
    const std::uint32_t end = std::min(begin + phase.stride, phase.stable);
    if (segment_.begin == begin && segment_.end == end) return;
    const std::span<const std::uint32_t> atoms = plan_.schedule.atoms_of(plan_.schedule.phases[phase.phase]);
    again_.reserve(plan_.graph.atom_count());
    now_ = again_.data();
    copy_rows(now_, record.final.data(), plan_.graph.atom_count());
    if (begin == 0) {
        for (const std::uint32_t a : atoms) copy_rows(again_.row(a), record.initial.row(a), 1);
    } else {
        scatter_rows(now_, phase.kept[begin / phase.stride - 1].data(), atoms);
    }
    if (plan_.keeps_state()) {
        copy_rows(held_.data(), begin == 0 ? held_zero_.data() : phase.kept_held[begin / phase.stride - 1].data(),
                  plan_.graph.conjunction_count());
    }
    zero_aside_ = zero_;
    find_zero_rows(now_);
    PhaseRecord lanes;
    lanes.lane_rounds = phase.lane_rounds;
    for (std::uint32_t r = begin + 1; r < end; ++r) {
        update(atoms);
        commit(atoms, r, &lanes);
        const std::size_t index = r - begin - 1;
        if (segment_.states.size() == index) segment_.states.emplace_back();
        segment_.states[index].reserve(atoms.size());
        gather_rows(segment_.states[index].data(), now_, atoms);
        if (!plan_.keeps_state()) continue;
        if (segment_.held.size() == index) segment_.held.emplace_back();
        segment_.held[index].reserve(plan_.graph.conjunction_count());
        copy_rows(segment_.held[index].data(), held_.data(), plan_.graph.conjunction_count());
    }
    std::swap(zero_, zero_aside_);
    segment_.begin = begin;
    segment_.end = end;
}

TileEngine::Seeds TileEngine::clear_seeds() {
    gradient_.assign_zero(plan_.graph.atom_count());
    touched_.assign(plan_.graph.atom_count(), 0);
    return {gradient_.data(), touched_.data()};
}

void TileEngine::backward(const TileRecord& record, const float* weights, TileGradients& gradients) {
    const FlushToZero flush;
    weights_ = weights;
    const std::uint32_t atoms = plan_.graph.atom_count();
    initial_ = record.initial.data();
    segment_.begin = segment_.end = 0;
    gradients.initial.assign_zero(atoms);
    gradients.weights.assign_zero(plan_.graph.clause_count());
    incoming_.reserve(staged_.bytes() / RowArray::row_bytes);
    scratch_.reserve(std::size_t{2} * plan_.longest_body + 1);
    if (plan_.keeps_state()) {
        held_zero_.assign_zero(plan_.graph.conjunction_count());
        held_gradient_.assign_zero(plan_.graph.conjunction_count());
        carries_.assign(atoms, 0);
    }
    if (record.phase_count > 0) {
        before_.reserve(atoms);
        after_.reserve(atoms);
        copy_rows(before_.data(), record.final.data(), atoms);
        copy_rows(after_.data(), record.final.data(), atoms);
    }
    find_zero_rows(record.final.data());

    std::size_t records = record.phase_count;
    for (std::size_t p = plan_.schedule.phases.size(); p-- > 0;) {
        const Phase& phase = plan_.schedule.phases[p];
        if (records == 0 || record.phases[records - 1].phase != p) {
            // Updated once, from values below it that were final by then.
            backward_phase(record, phase, record.final.data(), record.final.data(), nullptr, nullptr, 1, nullptr,
                           gradients);
            continue;
        }
        const PhaseRecord& rounds = record.phases[--records];
        const std::span<const std::uint32_t> phase_atoms = plan_.schedule.atoms_of(phase);
        for (std::uint32_t r = rounds.rounds; r > 0; --r) {
            if (r <= rounds.stable) {
                scatter_rows(before_.data(), state(record, rounds, r - 1), phase_atoms);
                find_zero_rows(before_.data(), phase_atoms);
            }
            const bool state = plan_.keeps_state();
            backward_phase(record, phase, before_.data(), after_.data(),
                           state ? held_state(record, rounds, r - 1) : nullptr,
                           state ? held_state(record, rounds, r) : nullptr, r, &rounds, gradients);
            if (r <= rounds.stable) std::swap(before_, after_);
        }
        // Phases below do not read these atoms, but other phases with several rounds use the same two arrays.
        gather_rows(staged_.data(), record.final.data(), phase_atoms);
        scatter_rows(before_.data(), staged_.data(), phase_atoms);
        scatter_rows(after_.data(), staged_.data(), phase_atoms);
        segment_.begin = segment_.end = 0;
    }
    // Adding 0 makes −0, which a sum of tiny numbers may end as, the 0 that it is beside other neighbours.
    for (std::uint32_t a = 0; a < atoms; ++a) {
        float* to = gradients.initial.row(a);
        for (unsigned lane = 0; lane < tile_width; ++lane) to[lane] += gradient_.row(a)[lane] + 0.0F;
    }
    for (std::size_t i = 0; i < std::size_t{plan_.graph.clause_count()} * tile_width; ++i)
        gradients.weights.data()[i] += 0.0F;
}

void TileEngine::backward_phase(const TileRecord& record, const Phase& phase, const float* before, const float* after,
                                const float* held_before, const float* held_after, std::uint32_t round,
                                const PhaseRecord* lanes, TileGradients& gradients) {
    require_not_stopped("computing gradients");
    // Take the gradients of the step's outputs; the kernel then adds those of its inputs.
    listed_.clear();
    for (const std::uint32_t atom : plan_.schedule.atoms_of(phase)) {
        const bool carries = plan_.keeps_state() && carries_[atom] != 0;
        if (touched_[atom] == 0 && !carries) continue;
        float* taken = incoming_.row(listed_.size());
        float* gradient = gradient_.row(atom);
        bool any = carries;
        bool left = false;
        for (unsigned lane = 0; lane < tile_width; ++lane) {
            const bool runs = lanes == nullptr || round <= lanes->lane_rounds[lane];
            taken[lane] = runs ? gradient[lane] : 0.0F;
            if (runs) gradient[lane] = 0.0F;
            any = any || taken[lane] != 0;
            left = left || gradient[lane] != 0;
        }
        touched_[atom] = left ? 1 : 0;
        if (!any) continue;
        if (plan_.keeps_state()) carries_[atom] = 1;
        listed_.push_back(atom);
    }
    if (listed_.empty()) return;
    const BackwardStep step{plan_.view(),
                            plan_.gamma,
                            weights_,
                            record.initial.data(),
                            before,
                            after,
                            zero_.data(),
                            listed_.data(),
                            listed_.size(),
                            incoming_.data(),
                            gradient_.data(),
                            touched_.data(),
                            gradients.initial.data(),
                            gradients.weights.data(),
                            scratch_.data(),
                            held_before,
                            held_after,
                            held_gradient_.data()};
    plan_.step().backward(step);
}

}  // namespace neumann
