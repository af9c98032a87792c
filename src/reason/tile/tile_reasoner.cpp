// The tile engine: sixteen examples side by side, each step in vector instructions, tiles spread over threads.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/parallel.h"
#include "reason/choose_kernel.h"
#include "reason/reasoner.h"
#include "reason/tile/tile_engine.h"
#include "reason/tile/tile_gradients.h"
#include "reason/tile/tile_pass.h"

namespace neumann {

extern const EngineInfo tile_engine;

namespace {

// Without −0 and without numbers so small that the kernels take them for 0.
float normal(float value) { return value < std::numeric_limits<float>::min() ? 0.0F : value; }

class TileReasoner final : public GraphReasoner {
public:
    TileReasoner(ReasoningGraph all, const ReasonOptions& options, const GraphLevels* levels);

    std::string description() const override { return fmt::format("graph engine, {} kernel", plan_.kernel->name); }
    std::size_t bytes() const override;

private:
    std::unique_ptr<PassState> make_state() const override { return std::make_unique<TilePass>(); }
    void compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const override;
    void differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const override;
    std::uint64_t bytes_needed(std::size_t examples, Keep keep) const override;

    std::size_t workers(std::size_t tiles) const;
    // Of all phases together. The values of conjunctions are stored in full with each.
    std::size_t rows_of_state() const {
        const std::size_t held = plan_.keeps_state() ? graph().conjunction_count() : 0;
        return schedule().atoms.size() + schedule().phases.size() * held;
    }
    std::size_t most_states(std::size_t examples, Keep keep) const;
    std::size_t states_within_budget(std::size_t tiles) const;
    void fill_initial(const InputBatch& inputs, std::span<const float> initial, std::size_t tile, RowArray& rows) const;
    void for_each_tile(std::size_t tiles, const std::function<void(TileEngine&, std::size_t)>& work) const;
    std::unique_ptr<TileEngine> take_engine() const;

    TilePlan plan_;
    std::uint64_t edges_;
    std::vector<std::uint32_t> facts_;  // atoms whose initial value is not 0
    // Working memory, lent to threads for the time of a pass.
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<TileEngine>> engines_;
    mutable std::vector<std::unique_ptr<TileGradients>> gradients_;
};

TileReasoner::TileReasoner(ReasoningGraph all, const ReasonOptions& options, const GraphLevels* levels)
    : GraphReasoner(tile_engine, std::move(all), options, levels), plan_{.graph = graph(),
                                                                         .schedule = schedule(),
                                                                         .semantics = options.semantics,
                                                                         .gamma = static_cast<float>(options.gamma),
                                                                         .kernel = &kernel_called(options.kernel),
                                                                         .early_heads = {},
                                                                         .longest_body = 0,
                                                                         .progress = options.progress},
      edges_(graph().edge_count()) {
    for (std::uint32_t c = 0; c < graph().conjunction_count(); ++c) {
        const std::uint32_t length = graph().body_begin[c + 1] - graph().body_begin[c];
        plan_.longest_body = std::max(plan_.longest_body, length);
        if (length == 0 || std::ranges::any_of(graph().literals(c), &GraphLiteral::negated))
            plan_.early_heads.push_back(graph().head[c]);
    }
    for (std::uint32_t a = 0; a < graph().atom_count(); ++a) {
        if (normal(graph().initial[a]) > 0) facts_.push_back(a);
    }
}

std::unique_ptr<TileEngine> TileReasoner::take_engine() const {
    const std::scoped_lock lock(mutex_);
    if (engines_.empty()) return std::make_unique<TileEngine>(plan_);
    std::unique_ptr<TileEngine> taken = std::move(engines_.back());
    engines_.pop_back();
    return taken;
}

std::size_t TileReasoner::workers(std::size_t tiles) const {
    const std::size_t steps = std::max<std::size_t>(1, schedule().total_steps());
    const bool pays = tiles * steps * edges_ >= options().parallel_from;
    return pays ? std::min<std::size_t>(std::max(1U, options().threads), tiles) : std::min<std::size_t>(1, tiles);
}

void TileReasoner::for_each_tile(std::size_t tiles, const std::function<void(TileEngine&, std::size_t)>& work) const {
    std::atomic<std::size_t> next{0};
    const std::size_t threads = workers(tiles);
    parallel_chunks(static_cast<unsigned>(threads), threads, [&](std::size_t) {
        std::unique_ptr<TileEngine> engine = take_engine();
        for (std::size_t tile = next++; tile < tiles; tile = next++) work(*engine, tile);
        const std::scoped_lock lock(mutex_);
        engines_.push_back(std::move(engine));
    });
}

// How many states to keep of each tile. Fewer than this least number would save nothing: the states between two kept
// ones are computed again, all at once, by each thread.
std::size_t TileReasoner::states_within_budget(std::size_t tiles) const {
    const std::size_t bytes = std::max<std::size_t>(1, rows_of_state() * RowArray::row_bytes * tiles);
    const double ratio =
        static_cast<double>(std::max(1U, options().threads)) / static_cast<double>(std::max<std::size_t>(1, tiles));
    const auto least = static_cast<std::size_t>(std::ceil(std::sqrt(ratio * options().steps.value_or(16))));
    return std::max({std::size_t{1}, least, static_cast<std::size_t>(options().memory_budget / bytes)});
}

// How many states of each tile a pass may keep. The values of every step are all kept: where their number is not known
// beforehand, as many as there is room for.
std::size_t TileReasoner::most_states(std::size_t examples, Keep keep) const {
    if (keep == Keep::Results) return 0;
    const std::size_t tiles = tiles_of(examples);
    if (keep == Keep::Backward) return states_within_budget(tiles);
    if (options().memory_limit == 0 || !schedule().automatic) return std::numeric_limits<std::size_t>::max();
    const std::uint64_t taken = graph().bytes() + bytes_needed(examples, keep);
    const std::uint64_t left = options().memory_limit - std::min(taken, options().memory_limit);
    return 1 + left / std::max<std::size_t>(1, rows_of_state() * RowArray::row_bytes * tiles);
}

// Rows of tile_width floats are nearly all of it. Of a cycle, whose steps are not known yet, one is counted.
std::uint64_t TileReasoner::bytes_needed(std::size_t examples, Keep keep) const {
    const std::uint64_t tiles = tiles_of(examples);
    const std::uint64_t atoms = graph().atom_count();
    const std::uint64_t held = plan_.keeps_state() ? graph().conjunction_count() : 0;
    const std::uint64_t steps = schedule().automatic ? (schedule().cyclic_components > 0 ? 1 : 0) : schedule().steps;
    const std::uint64_t kept = keep == Keep::Results    ? 0
                               : keep == Keep::Backward ? std::min<std::uint64_t>(states_within_budget(tiles), steps)
                                                        : steps;
    const std::uint64_t repeats = schedule().automatic && !info(options().semantics).idempotent_or ? atoms : 0;
    std::uint64_t per_tile = 2 * atoms + kept * rows_of_state();
    std::uint64_t per_thread = schedule().atoms.size() + held + (schedule().cyclic_components > 0 ? repeats : 0);
    if (keeps_backward(keep)) {
        per_tile += held;
        per_thread += 5 * atoms + schedule().atoms.size() + 2 * held + graph().clause_count();
    }
    return (tiles * per_tile + workers(tiles) * per_thread) * RowArray::row_bytes;
}

void TileReasoner::fill_initial(const InputBatch& inputs, std::span<const float> initial, std::size_t tile,
                                RowArray& rows) const {
    if (initial.empty()) {
        rows.assign_zero(graph().atom_count());
        for (const std::uint32_t a : facts_) std::fill_n(rows.row(a), tile_width, graph().initial[a]);
    } else {
        rows.reserve(initial.size());
        for (std::size_t a = 0; a < initial.size(); ++a) std::fill_n(rows.row(a), tile_width, normal(initial[a]));
    }
    const std::size_t end = std::min(inputs.examples(), (tile + 1) * tile_width);
    for (std::size_t e = tile * tile_width; e < end; ++e) {
        const std::span<const std::uint32_t> atoms = inputs.atoms(e);
        const std::span<const float> values = inputs.values(e);
        for (std::size_t i = 0; i < atoms.size(); ++i) rows.row(atoms[i])[e % tile_width] = normal(values[i]);
    }
}

void TileReasoner::compute(const InputBatch& inputs, std::span<const float> initial, PassState& state) const {
    auto& pass = static_cast<TilePass&>(state);
    pass.rounded_weights.clear();
    for (const double weight : pass.weights) pass.rounded_weights.push_back(normal(static_cast<float>(weight)));
    const std::size_t tiles = tiles_of(inputs.examples());
    if (pass.tiles.size() < tiles) pass.tiles.resize(tiles);
    const TileEngine::Keeping keeping = {.most = most_states(inputs.examples(), pass.kept),
                                         .every = keeps_history(pass.kept),
                                         .for_backward = pass.kept != Keep::History};
    for_each_tile(tiles, [&](TileEngine& engine, std::size_t t) {
        pass.tiles[t].examples =
            static_cast<unsigned>(std::min(inputs.examples() - t * tile_width, std::size_t{tile_width}));
        fill_initial(inputs, initial, t, pass.tiles[t].initial);
        engine.forward(pass.tiles[t], pass.rounded_weights.data(), keeping);
    });
}

void TileReasoner::differentiate(const PassState& state, const InputBatch& seeds, const GradientRequest& wanted) const {
    const auto& pass = static_cast<const TilePass&>(state);
    std::vector<std::unique_ptr<TileGradients>> spare;
    {
        const std::scoped_lock lock(mutex_);
        spare = std::exchange(gradients_, {});
    }
    GradientReader reader(wanted, graph(), pass.examples, spare);
    for_each_tile(tiles_of(pass.examples), [&](TileEngine& engine, std::size_t t) {
        const TileEngine::Seeds to = engine.clear_seeds();
        const std::size_t end = std::min(pass.examples, (t + 1) * tile_width);
        for (std::size_t e = t * tile_width; e < end; ++e) {
            const std::span<const std::uint32_t> atoms = seeds.atoms(e);
            const std::span<const float> values = seeds.values(e);
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                to.rows[std::size_t{atoms[i]} * tile_width + e % tile_width] += values[i];
                to.touched[atoms[i]] = 1;
            }
        }
        std::unique_ptr<TileGradients> gradients = reader.memory();
        engine.backward(pass.tiles[t], pass.rounded_weights.data(), *gradients);
        reader.take(t, std::move(gradients));
    });
    const std::scoped_lock lock(mutex_);
    gradients_ = std::move(spare);
}

std::size_t TileReasoner::bytes() const {
    const std::scoped_lock lock(mutex_);
    std::size_t total = (facts_.capacity() + schedule().atoms.capacity()) * sizeof(std::uint32_t);
    for (const auto& engine : engines_) total += engine->bytes();
    for (const auto& gradients : gradients_) total += gradients->initial.bytes() + gradients->weights.bytes();
    return total;
}

}  // namespace

const EngineInfo tile_engine = {
    .name = "tile",
    .command_name = "graph",
    .summary = "single precision, many examples at a time",
    .gradients = true,
    .double_precision = false,
    .automatic_steps = true,
    .takes_kernel = true,
    .make = [](ReasoningGraph graph, const ReasonOptions& options, const GraphLevels* levels)
        -> std::unique_ptr<GraphReasoner> { return std::make_unique<TileReasoner>(std::move(graph), options, levels); },
};

}  // namespace neumann
