#include "reason/tile/tile_gradients.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reason/tile/tile_pass.h"

namespace neumann {
namespace {

// A column of rows as a row of the caller's array.
template <class RowOf>
void write_rows(std::size_t count, const RowOf& row_of, std::size_t first_example, std::size_t lanes,
                const NumberSpan& to) {
    for (std::size_t i = 0; i < count; ++i) {
        const float* row = row_of(i);
        for (std::size_t lane = 0; lane < lanes; ++lane) to.set((first_example + lane) * count + i, row[lane]);
    }
}

// Each sum goes through the lanes one by one; several sums at a time do not wait for each other.
template <class RowOf>
void add_rows(std::size_t count, const RowOf& row_of, const double* factors, std::size_t lanes, double* sums) {
    constexpr std::size_t together = 8;
    for (std::size_t first = 0; first < count; first += together) {
        const std::size_t some = std::min(together, count - first);
        std::array<const float*, together> rows{};
        for (std::size_t i = 0; i < some; ++i) rows[i] = row_of(first + i);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            for (std::size_t i = 0; i < some; ++i)
                sums[first + i] += factors[lane] * static_cast<double>(rows[i][lane]);
        }
    }
}

}  // namespace

GradientReader::GradientReader(const GradientRequest& wanted, const ReasoningGraph& graph, std::size_t examples,
                               std::vector<std::unique_ptr<TileGradients>>& spare)
    : wanted_(wanted), graph_(graph), examples_(examples), spare_(spare), come_(tiles_of(examples)) {}

std::unique_ptr<TileGradients> GradientReader::memory() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return std::make_unique<TileGradients>();
    std::unique_ptr<TileGradients> taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
}

void GradientReader::take(std::size_t tile, std::unique_ptr<TileGradients> gradients) {
    write(tile, *gradients);
    const std::scoped_lock lock(mutex_);
    come_[tile] = std::move(gradients);
    for (; next_ < come_.size() && come_[next_] != nullptr; ++next_) {
        add_up(next_, *come_[next_]);
        spare_.push_back(std::move(come_[next_]));
    }
}

void GradientReader::write(std::size_t tile, const TileGradients& gradients) const {
    const std::size_t first = tile * tile_width;
    const std::size_t lanes = std::min<std::size_t>(tile_width, examples_ - first);
    write_rows(
        wanted_.inputs.size(), [&](std::size_t i) { return gradients.initial.row(wanted_.inputs[i]); }, first, lanes,
        wanted_.by_input);
    if (wanted_.by_atom.size() > 0)
        write_rows(
            graph_.atom_count(), [&](std::size_t i) { return gradients.initial.row(i); }, first, lanes,
            wanted_.by_atom);
    if (wanted_.by_clause.size() > 0)
        write_rows(
            graph_.clause_count(), [&](std::size_t i) { return gradients.weights.row(i); }, first, lanes,
            wanted_.by_clause);
}

void GradientReader::add_up(std::size_t tile, const TileGradients& gradients) const {
    const std::size_t first = tile * tile_width;
    const std::size_t lanes = std::min<std::size_t>(tile_width, examples_ - first);
    std::array<double, tile_width> ones{};
    ones.fill(1.0);
    for (const GradientSums& sums : wanted_.sums) {
        const double* factors = sums.factors.empty() ? ones.data() : sums.factors.data() + first;
        add_rows(
            sums.by_clause.size(), [&](std::size_t i) { return gradients.weights.row(sums.first_clause + i); }, factors,
            lanes, sums.by_clause.data());
        add_rows(
            sums.atoms.size(), [&](std::size_t i) { return gradients.initial.row(sums.atoms[i]); }, factors, lanes,
            sums.by_atom.data());
    }
}

}  // namespace neumann
