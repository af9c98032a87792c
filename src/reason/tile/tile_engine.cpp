#include "reason/tile/tile_engine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "base/require_not_stopped.h"
#include "reason/flush_to_zero.h"
#include "reason/formulas.h"
#include "reason/reason_error.h"
#include "reason/repeats.h"

namespace neumann {
namespace {

bool row_is_zero(const float* row) {
    float largest = 0;
    for (unsigned lane = 0; lane < tile_width; ++lane) largest = std::max(largest, row[lane]);
    return largest == 0;
}

// Marking the heads of changed atoms pays as long as it is a small part of the graph.
constexpr std::uint64_t marking_pays_below = 8;

}  // namespace

TileEngine::TileEngine(const TilePlan& plan) : plan_(plan) {
    const std::uint32_t atoms = plan.graph.atom_count();
    std::uint32_t largest = 0;
    for (const Phase& phase : plan.schedule.phases) largest = std::max(largest, phase.end - phase.begin);
    staged_.reserve(largest);
    status_.resize(largest);
    zero_.resize(atoms);
    changed_.reserve(atoms);
    listed_.reserve(largest);
    marked_.resize((atoms + 63) / 64);
    if (plan.keeps_state()) held_.reserve(plan.graph.conjunction_count());
}

std::size_t TileEngine::bytes() const {
    std::size_t total = zero_.capacity() + status_.capacity() + touched_.capacity() + carries_.capacity() +
                        4 * (changed_.capacity() + listed_.capacity()) + 8 * marked_.capacity();
    for (const RowArray* rows : {&again_, &staged_, &held_, &scratch_, &before_, &after_, &gradient_, &incoming_,
                                 &held_gradient_, &held_zero_})
        total += rows->bytes();
    for (const RowArray& rows : segment_.states) total += rows.bytes();
    for (const RowArray& rows : segment_.held) total += rows.bytes();
    return total;
}

std::uint8_t TileEngine::zero_flags(const float* row) const {
    std::uint8_t flags = row_is_zero(row) ? atom_is_zero : 0;
    if (plan_.graph.monotone) return flags;
    const auto negation = formulas::formulas_of(plan_.semantics).negation;
    const bool none =
        std::all_of(row, row + tile_width, [&](float x) { return negation(static_cast<double>(x)) == 0; });
    if (none) flags |= negation_is_zero;
    return flags;
}
void TileEngine::find_zero_rows(const float* rows) {
    for (std::size_t a = 0; a < zero_.size(); ++a) zero_[a] = zero_flags(rows + a * tile_width);
}
void TileEngine::find_zero_rows(const float* rows, std::span<const std::uint32_t> atoms) {
    for (const std::uint32_t a : atoms) zero_[a] = zero_flags(rows + std::size_t{a} * tile_width);
}

void TileEngine::forward(TileRecord& record, const float* weights, const Keeping& keeping) {
    const FlushToZero flush;
    weights_ = weights;
    keeps_held_ = plan_.keeps_state() && keeping.for_backward;
    keeps_every_ = keeping.every;
    const Schedule& schedule = plan_.schedule;
    initial_ = record.initial.data();
    record.phase_count = 0;
    record.final.reserve(plan_.graph.atom_count());
    now_ = record.final.data();
    copy_rows(now_, initial_, plan_.graph.atom_count());
    find_zero_rows(now_);
    if (plan_.keeps_state()) held_.assign_zero(plan_.graph.conjunction_count());

    const auto next_record = [&](std::uint32_t phase) -> PhaseRecord& {
        if (record.phases.size() == record.phase_count) record.phases.emplace_back();
        PhaseRecord& result = record.phases[record.phase_count++];
        result.phase = phase;
        result.stride = 1;
        result.kept_count = 0;
        return result;
    };
    if (!schedule.automatic) {
        // The values before the first step count as changed.
        changed_.clear();
        for (std::uint32_t a = 0; a < plan_.graph.atom_count(); ++a) {
            if ((zero_[a] & atom_is_zero) == 0) changed_.push_back(a);
        }
        for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
            PhaseRecord& phase = next_record(p);
            phase.lane_rounds.fill(schedule.steps);
            run_phase(p, schedule.steps, false, &phase, keeping.most);
        }
        record.steps.fill(schedule.total_steps());
    } else {
        const bool until_stable = info(plan_.semantics).idempotent_or;
        std::vector<std::uint32_t> repeats;
        if (schedule.cyclic_components > 0 && !until_stable) {
            const std::span<const float> rows(initial_, std::size_t{plan_.graph.atom_count()} * tile_width);
            repeats = find_repeats(plan_.graph, schedule, rows, tile_width, record.examples, plan_.progress);
        }
        record.steps.fill(0);
        std::array<std::uint32_t, tile_width> longest{};  // of the phases of this turn
        for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
            if (p == 0 || schedule.phases[p].turn != schedule.phases[p - 1].turn) {
                for (unsigned lane = 0; lane < tile_width; ++lane) record.steps[lane] += longest[lane];
                longest.fill(0);
            }
            if (plan_.progress) plan_.progress("reasoning", schedule.phases[p].begin, schedule.atoms.size());
            if (!schedule.phases[p].cyclic) {
                run_phase(p, 1, false, nullptr, 0);
                longest.fill(1);
                continue;
            }
            PhaseRecord& phase = next_record(p);
            std::uint32_t rounds = std::numeric_limits<std::uint32_t>::max();
            if (until_stable) {
                phase.lane_rounds.fill(1);
            } else {
                std::ranges::copy(std::span(repeats).subspan(std::size_t{p} * tile_width, tile_width),
                                  phase.lane_rounds.begin());
                rounds = std::ranges::max(phase.lane_rounds);
            }
            run_phase(p, rounds, until_stable, &phase, keeping.most);
            for (unsigned lane = 0; lane < tile_width; ++lane)
                longest[lane] = std::max(longest[lane], phase.lane_rounds[lane]);
        }
        for (unsigned lane = 0; lane < tile_width; ++lane) record.steps[lane] += longest[lane];
    }
    if (keeps_held_ && keeping.most > 0) {
        record.held_final.reserve(plan_.graph.conjunction_count());
        copy_rows(record.held_final.data(), held_.data(), plan_.graph.conjunction_count());
    }
}

// The atoms of a phase that its next round may change: heads of conjunctions with a body atom that changed, or all.
std::span<const std::uint32_t> TileEngine::next_atoms(const Phase& phase, std::uint64_t phase_edges, bool first) {
    const ReasoningGraph& graph = plan_.graph;
    const std::span<const std::uint32_t> phase_atoms = plan_.schedule.atoms_of(phase);
    std::uint64_t uses = 0;
    for (const std::uint32_t a : changed_) uses += graph.use_begin[a + 1] - graph.use_begin[a];
    if (uses * marking_pays_below >= phase_edges) return phase_atoms;
    const std::span<std::uint64_t> marked(marked_.data(), (phase_atoms.size() + 63) / 64);
    std::ranges::fill(marked, 0);
    const auto mark = [&](std::uint32_t atom) {
        const std::uint32_t place = plan_.schedule.place[atom] - phase.begin;
        if (place < phase_atoms.size()) marked[place / 64] |= std::uint64_t{1} << (place % 64);
    };
    if (first) {
        for (const std::uint32_t head : plan_.early_heads) mark(head);
    }
    for (const std::uint32_t a : changed_) {
        for (const std::uint32_t c : graph.uses_of(a)) mark(graph.head[c]);
    }
    listed_.clear();
    for (std::size_t word = 0; word < marked.size(); ++word) {
        for (std::uint64_t bits = marked[word]; bits != 0; bits &= bits - 1)
            listed_.push_back(phase_atoms[word * 64 + static_cast<unsigned>(std::countr_zero(bits))]);
    }
    return listed_;
}

void TileEngine::update(std::span<const std::uint32_t> atoms) {
    require_not_stopped("reasoning");
    const ForwardStep step{plan_.view(), plan_.gamma,  weights_,       initial_,       now_,        zero_.data(),
                           atoms.data(), atoms.size(), staged_.data(), status_.data(), held_.data()};
    plan_.step().forward(step);
}

// Takes over the results of a step, for the lanes that are still running.
void TileEngine::commit(std::span<const std::uint32_t> atoms, std::uint32_t round, PhaseRecord* record) {
    changed_.clear();
    const bool cyclic = record != nullptr && plan_.schedule.automatic;
    const bool until_stable = cyclic && info(plan_.semantics).idempotent_or;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if ((status_[i] & row_changed) == 0) continue;
        const std::uint32_t atom = atoms[i];
        float* row = now_ + std::size_t{atom} * tile_width;
        const float* staged = staged_.row(i);
        if (!cyclic) {
            copy_rows(row, staged, 1);
        } else {
            bool any = false;
            for (unsigned lane = 0; lane < tile_width; ++lane) {
                if (until_stable && row[lane] != staged[lane]) record->lane_rounds[lane] = round;
                if (round > record->lane_rounds[lane] || row[lane] == staged[lane]) continue;
                row[lane] = staged[lane];
                any = true;
            }
            if (!any) continue;
        }
        if (plan_.graph.monotone) {
            zero_[atom] = (status_[i] & row_nonzero) == 0 ? atom_is_zero : 0;
        } else {
            zero_[atom] = zero_flags(row);
        }
        changed_.push_back(atom);
    }
}

void TileEngine::keep(const Phase& phase, std::uint32_t round, PhaseRecord& record, std::size_t max_kept) {
    if (round % record.stride != 0) return;
    if (record.kept_count == max_kept) {
        if (keeps_every_)
            throw ReasonError(fmt::format("there is no room for the values of more than {} steps within the memory "
                                          "limit: ask for no history, for fewer steps, or raise the limit",
                                          max_kept));
        // Thin out the kept states to every second one.
        for (std::size_t i = 1; i < record.kept_count; i += 2) {
            std::swap(record.kept[i / 2], record.kept[i]);
            if (keeps_held_) std::swap(record.kept_held[i / 2], record.kept_held[i]);
        }
        record.kept_count /= 2;
        record.stride *= 2;
    }
    if (round % record.stride != 0) return;
    const std::span<const std::uint32_t> atoms = plan_.schedule.atoms_of(phase);
    if (record.kept.size() == record.kept_count) record.kept.emplace_back();
    record.kept[record.kept_count].reserve(atoms.size());
    gather_rows(record.kept[record.kept_count].data(), now_, atoms);
    if (keeps_held_) {
        if (record.kept_held.size() == record.kept_count) record.kept_held.emplace_back();
        record.kept_held[record.kept_count].reserve(plan_.graph.conjunction_count());
        copy_rows(record.kept_held[record.kept_count].data(), held_.data(), plan_.graph.conjunction_count());
    }
    ++record.kept_count;
}

void TileEngine::run_phase(std::uint32_t phase_number, std::uint32_t rounds, bool until_stable, PhaseRecord* record,
                           std::size_t max_kept) {
    const Phase& phase = plan_.schedule.phases[phase_number];
    const std::span<const std::uint32_t> phase_atoms = plan_.schedule.atoms_of(phase);
    // Before the first round all values are unchanged only in the first phase; a cycle's first round computes
    // everything.
    const bool from_first = !plan_.schedule.automatic && plan_.schedule.phases.size() == 1;
    const bool follow_changes = (from_first || phase.cyclic) && !plan_.needs_steps();
    std::uint64_t edges = 0;
    if (follow_changes) {
        for (const std::uint32_t a : phase_atoms) edges += plan_.graph.dependencies(a).size();
    }
    std::uint32_t round = 0;
    bool stable = false;
    while (round < rounds && !stable) {
        ++round;
        if (plan_.progress && !plan_.schedule.automatic) plan_.progress("reasoning", round - 1, rounds);
        const bool some = follow_changes && (from_first || round > 1);
        const std::span<const std::uint32_t> atoms = some ? next_atoms(phase, edges, round == 1) : phase_atoms;
        update(atoms);
        commit(atoms, round, record);
        stable = changed_.empty() && !plan_.needs_steps();
        if (record != nullptr && max_kept > 0 && !stable && round < rounds) keep(phase, round, *record, max_kept);
    }
    if (record == nullptr) return;
    record->stable = stable ? round - 1 : round;
    record->rounds = until_stable ? std::max(1U, record->stable) : rounds;
}

}  // namespace neumann
