// Between rows of atoms and arrays of someone else's, all in the GPU's memory.
#include <algorithm>
#include <vector>

#include "reason/gpu/gpu_runner.h"
#include "reason/reason_error.h"

namespace neumann {

GpuMove GpuRunner::move_rows(const GpuPass& pass, std::span<const std::uint32_t> atoms,
                             std::span<const std::uint32_t> columns, const DeviceRows& rows) {
    const std::size_t count = atoms.size();
    std::vector<std::uint32_t> list(atoms.begin(), atoms.end());
    list.insert(list.end(), columns.begin(), columns.end());
    list.push_back(0);  // the flag for numbers that are no probabilities
    device_.wait();
    lists_.reserve(device_, list.size() * sizeof(std::uint32_t));
    send(lists_.as<void>(), list.data(), list.size() * sizeof(std::uint32_t));
    GpuMove move = move_of(pass);
    move.atoms = lists_.as<std::uint32_t>();
    move.columns = move.atoms + count;
    move.count = static_cast<std::uint32_t>(count);
    move.table = rows.data;
    move.width = rows.width;
    move.examples = static_cast<std::uint32_t>(pass.examples);
    return move;
}

void GpuRunner::put(const GpuPass& pass, std::span<const std::uint32_t> atoms, const DeviceRows& rows, float* to,
                    bool checked) {
    device_.follow(rows.stream);
    std::vector<std::uint32_t> left(atoms.size());
    for (std::uint32_t i = 0; i < left.size(); ++i) left[i] = i;
    // Those of one atom one after the other.
    for (bool first = true; !left.empty(); first = false) {
        std::vector<bool> taken(plan_.graph.atom_count());
        std::vector<std::uint32_t> now;
        std::vector<std::uint32_t> columns;
        std::erase_if(left, [&](std::uint32_t i) {
            if (taken[atoms[i]]) return false;
            taken[atoms[i]] = true;
            now.push_back(atoms[i]);
            columns.push_back(rows.columns[i]);
            return true;
        });
        GpuMove move = move_rows(pass, now, columns, rows);
        move.to = to;
        move.add = !first;
        std::uint32_t* const wrong = lists_.as<std::uint32_t>() + 2 * now.size();
        move.no_probability = checked ? wrong : nullptr;
        device_.move(GpuMoving::PutRows, move);
        if (!checked) continue;
        std::uint32_t found = 0;
        device_.download(&found, wrong, sizeof(found));
        if (found != 0) throw ReasonError("a value of an input is not in [0,1]");
    }
}

}  // namespace neumann
