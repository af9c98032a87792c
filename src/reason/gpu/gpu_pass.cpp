#include "reason/gpu/gpu_pass.h"

#include <algorithm>
#include <cstring>

namespace neumann {

std::mutex& gpu_mutex() {
    static std::mutex mutex;
    return mutex;
}

// A tile's rows, as many as there are in the array.
std::vector<float> GpuPass::tile_of(const float* from, std::size_t count, std::size_t example) const {
    std::vector<float> result(count * tile_width);
    const std::scoped_lock lock(gpu_mutex());
    device.download(result.data(), from + example / tile_width * result.size(), result.size() * sizeof(float));
    return result;
}

std::vector<float> GpuPass::get(float* from, std::span<const std::uint32_t> atoms) const {
    std::vector<float> result(atoms.size() * tiles * tile_width);
    if (result.empty()) return result;
    // No transfer from `sent_` is pending: earlier ones were waited for.
    asked_.reserve(device, atoms.size_bytes());
    answers_.reserve(device, result.size() * sizeof(float));
    sent_.reserve(device, std::max(atoms.size_bytes(), result.size() * sizeof(float)), true);
    std::memcpy(sent_.as<void>(), atoms.data(), atoms.size_bytes());
    device.upload(asked_.as<void>(), sent_.as<void>(), atoms.size_bytes());
    GpuMove move;
    move.tiles = tiles;
    move.rows = static_cast<std::uint32_t>(rows());
    move.atoms = asked_.as<std::uint32_t>();
    move.count = static_cast<std::uint32_t>(atoms.size());
    move.from = from;
    move.kept = answers_.as<float>();
    device.move(GpuMoving::Get, move);
    device.download(sent_.as<void>(), answers_.as<void>(), result.size() * sizeof(float));
    std::memcpy(result.data(), sent_.as<void>(), result.size() * sizeof(float));
    return result;
}

void GpuPass::get(float* from, std::span<const std::uint32_t> atoms, const DeviceRows& to) const {
    if (tiles == 0 || to.width == 0) return;
    device.follow(to.stream);
    std::vector<std::uint32_t> lists(atoms.begin(), atoms.end());
    lists.insert(lists.end(), to.columns.begin(), to.columns.end());
    const std::size_t bytes = lists.size() * sizeof(std::uint32_t);
    device.wait();
    if (atoms.size() < to.width) device.clear(to.data, examples * to.width * sizeof(float));
    if (!atoms.empty()) {
        asked_.reserve(device, bytes);
        sent_.reserve(device, bytes, true);
        std::memcpy(sent_.as<void>(), lists.data(), bytes);
        device.upload(asked_.as<void>(), sent_.as<void>(), bytes);
        GpuMove move;
        move.tiles = tiles;
        move.rows = static_cast<std::uint32_t>(rows());
        move.atoms = asked_.as<std::uint32_t>();
        move.columns = move.atoms + atoms.size();
        move.count = static_cast<std::uint32_t>(atoms.size());
        move.from = from;
        move.table = to.data;
        move.width = to.width;
        move.examples = static_cast<std::uint32_t>(examples);
        device.move(GpuMoving::GetRows, move);
    }
    device.wait();
}

void GpuPass::read_outputs(std::span<const std::uint32_t> atoms, const NumberSpan& to) const {
    const std::scoped_lock lock(gpu_mutex());
    const std::vector<float> found = get(final, atoms);
    for (std::size_t i = 0; i < examples * atoms.size(); ++i) to.set(i, found[i]);
}

void GpuPass::write_outputs(std::span<const std::uint32_t> atoms, const DeviceRows& to) const {
    const std::scoped_lock lock(gpu_mutex());
    get(final, atoms, to);
}

void GpuPass::gather(std::span<const std::uint32_t> of_examples, std::span<const std::uint32_t> atoms,
                     const NumberSpan& to) const {
    std::vector<std::uint32_t> asked(atoms.begin(), atoms.end());
    std::ranges::sort(asked);
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    const std::scoped_lock lock(gpu_mutex());
    const std::vector<float> found = get(final, asked);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const auto place = static_cast<std::size_t>(std::ranges::lower_bound(asked, atoms[i]) - asked.begin());
        to.set(i, found[of_examples[i] * asked.size() + place]);
    }
}

void GpuPass::read_values(std::size_t example, const NumberSpan& to) const {
    const std::vector<float> found = tile_of(final, rows(), example);
    for (std::size_t a = 0; a < to.size(); ++a) to.set(a, found[a * tile_width + example % tile_width]);
}
void GpuPass::read_initials(std::size_t example, const NumberSpan& to) const {
    const std::vector<float> found = tile_of(initial, rows(), example);
    for (std::size_t a = 0; a < to.size(); ++a) to.set(a, found[a * tile_width + example % tile_width]);
}

std::vector<std::uint32_t> GpuPass::rounds(std::size_t example) const {
    std::vector<std::uint32_t> result;
    for (const GpuRounds& phase : phases)
        result.push_back(phase.by_example.empty() ? phase.rounds : phase.by_example[example]);
    return result;
}

void GpuPass::read_history(std::size_t example, std::span<const std::uint32_t> atoms, const NumberSpan& to) const {
    const Schedule& schedule = plan->schedule;
    const std::size_t lane = example % tile_width;
    std::vector<float> now = tile_of(initial, rows(), example);
    const std::vector<float> last = tile_of(final, rows(), example);
    std::size_t next = 0;
    const auto put = [&] {
        for (const std::uint32_t a : atoms) to.set(next++, now[a * tile_width + lane]);
    };
    put();
    schedule.for_each_step(
        rounds(example),
        [&](std::uint32_t p, std::uint32_t round) {
            const std::span<const std::uint32_t> phase = schedule.atoms_of(schedule.phases[p]);
            const bool is_last = round >= phases[p].rounds;
            const bool direct = !states.empty();
            const std::vector<float> state =
                is_last  ? std::vector<float>()
                : direct ? tile_of(states[round - 1], rows(), example)
                         : tile_of(phases[p].kept[round - 1].as<float>(), phase.size(), example);
            for (std::size_t i = 0; i < phase.size(); ++i) {
                const std::size_t place = phase[i] * tile_width + lane;
                now[place] = is_last ? last[place] : state[direct ? place : i * tile_width + lane];
            }
        },
        put);
}

std::size_t GpuPass::bytes() const {
    std::size_t total = memory.bytes() + values.bytes() + list.bytes() + asked_.bytes() + answers_.bytes();
    for (const GpuRounds& phase : phases) {
        for (const GpuMemory& state : phase.kept) total += state.bytes();
    }
    return total;
}

}  // namespace neumann
