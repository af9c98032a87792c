#include "reason/tile/tile_pass.h"

#include <algorithm>
#include <limits>

namespace neumann {
namespace {

void read_lane(const RowArray& rows, std::size_t lane, const NumberSpan& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to.set(i, rows.row(i)[lane]);
}

}  // namespace

void TilePass::read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const {
    for (std::size_t first = 0; first < examples; first += tile_width) {
        const RowArray& rows = tile_of(first).final;
        const std::size_t lanes = std::min<std::size_t>(tile_width, examples - first);
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const float* row = rows.row(atoms[i]);
            for (std::size_t lane = 0; lane < lanes; ++lane) to.set((first + lane) * atoms.size() + i, row[lane]);
        }
    }
}

void TilePass::read_values(std::size_t example, const NumberSpan& to) const {
    read_lane(tile_of(example).final, example % tile_width, to);
}
void TilePass::read_initials(std::size_t example, const NumberSpan& to) const {
    read_lane(tile_of(example).initial, example % tile_width, to);
}
void TilePass::gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                      const NumberSpan& to) const {
    for (std::size_t i = 0; i < atoms.size(); ++i)
        to.set(i, tile_of(of_examples[i]).final.row(atoms[i])[of_examples[i] % tile_width]);
}
std::uint32_t TilePass::steps(std::size_t example) const { return tile_of(example).steps[example % tile_width]; }

std::vector<std::uint32_t> TilePass::rounds(std::size_t example) const {
    const Schedule& schedule = plan->schedule;
    std::vector<std::uint32_t> result(schedule.phases.size(), schedule.automatic ? 1 : schedule.steps);
    const TileRecord& tile = tile_of(example);
    for (std::size_t i = 0; i < tile.phase_count; ++i)
        result[tile.phases[i].phase] = tile.phases[i].lane_rounds[example % tile_width];
    return result;
}

void TilePass::read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const {
    const Schedule& schedule = plan->schedule;
    const TileRecord& record = tile_of(example);
    const std::size_t lane = example % tile_width;
    // Where to look for an atom while a phase is under way.
    constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> asked(plan->graph.atom_count(), nowhere);
    for (std::uint32_t i = 0; i < atoms.size(); ++i) asked[atoms[i]] = i;
    std::vector<float> values;
    for (const std::uint32_t a : atoms) values.push_back(record.initial.row(a)[lane]);
    std::size_t next = 0;
    const auto put = [&] {  // an atom may be asked for twice
        for (const std::uint32_t a : atoms) to.set(next++, values[asked[a]]);
    };
    put();
    std::vector<const PhaseRecord*> recorded(schedule.phases.size(), nullptr);
    for (std::size_t i = 0; i < record.phase_count; ++i) recorded[record.phases[i].phase] = &record.phases[i];
    schedule.for_each_step(
        rounds(example),
        [&](std::uint32_t p, std::uint32_t round) {
            const PhaseRecord* phase = recorded[p];
            // A pass that keeps its history keeps every state.
            const RowArray* state = phase != nullptr && round < phase->stable ? &phase->kept[round - 1] : nullptr;
            const std::span<const std::uint32_t> phase_atoms = schedule.atoms_of(schedule.phases[p]);
            for (std::size_t i = 0; i < phase_atoms.size(); ++i) {
                const std::uint32_t place = asked[phase_atoms[i]];
                if (place == nowhere) continue;
                values[place] = state != nullptr ? state->row(i)[lane] : record.final.row(phase_atoms[i])[lane];
            }
        },
        put);
}

std::size_t TilePass::bytes() const {
    std::size_t total = 0;
    for (const TileRecord& tile : tiles) {
        total += tile.initial.bytes() + tile.final.bytes() + tile.held_final.bytes();
        for (const PhaseRecord& phase : tile.phases) {
            for (const RowArray& rows : phase.kept) total += rows.bytes();
            for (const RowArray& rows : phase.kept_held) total += rows.bytes();
        }
    }
    return total;
}

}  // namespace neumann
