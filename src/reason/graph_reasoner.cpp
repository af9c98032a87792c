#include "reason/graph_reasoner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/thread_pool.h"
#include "reason/choose_kernel.h"

namespace neumann {
namespace {

template <class... Args>
void require(bool condition, fmt::format_string<const Args&...> message, const Args&... args) {
    if (!condition) throw ReasonError(fmt::format(message, args...));
}

// Without −0 and without numbers so small that the kernels take them for 0.
float normal(float value) { return value < std::numeric_limits<float>::min() ? 0.0F : value; }

const Kernel* kernel_for(const std::string& name) {
    if (name.empty()) return &fastest_kernel();
    const Kernel* kernel = find_kernel(name);
    if (kernel == nullptr) {
        std::vector<std::string_view> names;
        for (const Kernel* one : available_kernels()) names.emplace_back(one->name);
        throw ReasonError(fmt::format("this machine has no kernel '{}'; it has {}", name, fmt::join(names, ", ")));
    }
    return kernel;
}

// Edges of all tiles and steps below which starting threads takes longer than it saves.
constexpr std::size_t worth_threads = std::size_t{1} << 19;

}  // namespace

std::vector<std::uint32_t> ForwardPass::rounds(const Schedule& schedule, std::size_t example) const {
    std::vector<std::uint32_t> result(schedule.phases.size(), schedule.automatic ? 1 : schedule.steps);
    const TileRecord& tile = tile_of(example);
    for (std::size_t i = 0; i < tile.phase_count; ++i)
        result[tile.phases[i].phase] = tile.phases[i].lane_rounds[example % tile_width];
    return result;
}

double GraphGradients::weight_sum(std::uint32_t clause) const {
    double sum = 0;
    for (std::size_t e = 0; e < examples_; ++e) sum += static_cast<double>(weight(clause, e));
    return sum;
}

std::size_t ForwardPass::bytes() const {
    std::size_t total = 0;
    for (const TileRecord& tile : tiles_) {
        total += tile.initial.bytes() + tile.final.bytes() + tile.held_final.bytes();
        for (const PhaseRecord& phase : tile.phases) {
            for (const RowArray& rows : phase.kept) total += rows.bytes();
            for (const RowArray& rows : phase.kept_held) total += rows.bytes();
        }
    }
    return total;
}

GraphReasoner::GraphReasoner(ReasoningGraph graph, const ReasonOptions& options, const GraphLevels* levels)
    : options_(options) {
    require_gamma(options.gamma);
    require(!info(options.semantics).needs_steps || options.steps.has_value(),
            "the semantics '{}' needs a number of steps: its values change with every one",
            info(options.semantics).name);
    // What one step derives for want of an atom that a later one derives would be remembered.
    require(graph.monotone || !info(options.semantics).needs_steps,
            "the semantics '{}' remembers what earlier steps derived, so it has no negated literals; take another",
            info(options.semantics).name);
    plan_.semantics = options.semantics;
    plan_.gamma = static_cast<float>(options.gamma);
    plan_.kernel = kernel_for(options.kernel);
    plan_.graph = std::move(graph);
    if (options.steps) {
        plan_.schedule = fixed_schedule(plan_.graph, *options.steps);
    } else {
        plan_.schedule = automatic_schedule(plan_.graph, levels != nullptr ? *levels : find_levels(plan_.graph));
    }
    for (std::uint32_t c = 0; c < plan_.graph.conjunction_count(); ++c) {
        const std::uint32_t length = plan_.graph.body_begin[c + 1] - plan_.graph.body_begin[c];
        plan_.longest_body = std::max(plan_.longest_body, length);
        if (length == 0 || std::ranges::any_of(plan_.graph.literals(c), &GraphLiteral::negated))
            plan_.early_heads.push_back(plan_.graph.head[c]);
    }
    find_facts();
    set_weights(plan_.graph.weight.span());
    engines_.resize(std::max(1U, options.threads));
}

void GraphReasoner::find_facts() {
    facts_.clear();
    for (std::uint32_t a = 0; a < plan_.graph.atom_count(); ++a) {
        if (normal(plan_.graph.initial[a]) > 0) facts_.push_back(a);
    }
}

void GraphReasoner::set_initial(std::span<const float> values) {
    require(values.size() == plan_.graph.atom_count(), "{} initial values given for {} atoms", values.size(),
            plan_.graph.atom_count());
    PodVector<float> initial;
    for (std::size_t a = 0; a < values.size(); ++a) {
        require(is_probability(static_cast<double>(values[a])), "initial value {} of atom {} is not in [0,1]",
                values[a], a);
        initial.push_back(normal(values[a]));
    }
    plan_.graph.initial = SharedArray(std::move(initial));
    find_facts();
}

void GraphReasoner::set_weights(std::span<const double> weights) {
    require(weights.size() == plan_.graph.clause_count(), "{} weights given for {} clauses", weights.size(),
            plan_.graph.clause_count());
    for (std::size_t k = 0; k < weights.size(); ++k)
        require(is_probability(weights[k]), "weight {} of clause {} is not in [0,1]", weights[k], k);
    weights_.assign(weights.begin(), weights.end());
    plan_.weights.clear();
    for (const double weight : weights) plan_.weights.push_back(normal(static_cast<float>(weight)));
    ++weights_version_;
}

void GraphReasoner::for_each_tile(std::size_t tiles, const std::function<void(TileEngine&, std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const std::size_t steps = std::max<std::size_t>(1, plan_.schedule.steps);
    const bool pays = tiles * steps * plan_.graph.edge_count() >= worth_threads;
    const std::size_t workers = pays ? std::min(engines_.size(), tiles) : std::min<std::size_t>(1, tiles);
    parallel_chunks(static_cast<unsigned>(workers), workers, [&](std::size_t worker) {
        if (engines_[worker] == nullptr) engines_[worker] = std::make_unique<TileEngine>(plan_);
        for (std::size_t tile = next++; tile < tiles; tile = next++) work(*engines_[worker], tile);
    });
}

// How many states to keep of each tile. Fewer than this least number would save nothing: what lies between two kept
// ones is computed again, all of it at once, by each thread.
std::size_t GraphReasoner::states_within_budget(std::size_t tiles) const {
    const std::size_t rows = plan_.schedule.atoms.size() + (plan_.keeps_state() ? plan_.graph.conjunction_count() : 0);
    const std::size_t bytes = std::max<std::size_t>(1, rows * RowArray::row_bytes * tiles);
    const double ratio = static_cast<double>(engines_.size()) / static_cast<double>(std::max<std::size_t>(1, tiles));
    const auto least = static_cast<std::size_t>(std::ceil(std::sqrt(ratio * options_.steps.value_or(16))));
    return std::max({std::size_t{1}, least, static_cast<std::size_t>(options_.memory_budget / bytes)});
}

void GraphReasoner::forward(const AtomNumbers& inputs, ForwardPass& run, Keep keep) {
    const std::uint32_t atoms = plan_.graph.atom_count();
    for (std::size_t e = 0; e < inputs.examples(); ++e) {
        for (const AtomNumbers::Entry& entry : inputs.of(e)) {
            require(entry.atom < atoms, "there is no atom {}", entry.atom);
            require(is_probability(entry.value), "the value {} of atom {} in example {} is not in [0,1]", entry.value,
                    entry.atom, e);
        }
    }
    const std::size_t tiles = (inputs.examples() + tile_width - 1) / tile_width;
    run.examples_ = inputs.examples();
    run.kept_ = keep;
    run.reasoner_ = this;
    run.weights_version_ = weights_version_;
    if (run.tiles_.size() < tiles) run.tiles_.resize(tiles);
    const std::size_t max_kept = keep == Keep::Results    ? 0
                                 : keep == Keep::Backward ? states_within_budget(tiles)
                                                          : std::numeric_limits<std::size_t>::max();
    for_each_tile(tiles, [&](TileEngine& engine, std::size_t t) {
        TileRecord& record = run.tiles_[t];
        record.initial.assign_zero(atoms);
        for (const std::uint32_t a : facts_) std::fill_n(record.initial.row(a), tile_width, plan_.graph.initial[a]);
        const std::size_t end = std::min(inputs.examples(), (t + 1) * tile_width);
        for (std::size_t e = t * tile_width; e < end; ++e) {
            for (const AtomNumbers::Entry& entry : inputs.of(e))
                record.initial.row(entry.atom)[e % tile_width] = normal(entry.value);
        }
        engine.forward(record, max_kept, keep != Keep::History);
    });
}

void GraphReasoner::backward(const ForwardPass& run, const AtomNumbers& output_gradients, GraphGradients& gradients) {
    require(run.kept_ == Keep::Backward || run.kept_ == Keep::HistoryAndBackward,
            "this run did not keep what a backward pass needs");
    require(run.reasoner_ == this, "this run is another reasoner's");
    require(run.weights_version_ == weights_version_, "the weights were changed since the forward pass");
    require(output_gradients.examples() == run.examples_, "gradients for {} examples given to a run of {}",
            output_gradients.examples(), run.examples_);
    for (std::size_t e = 0; e < run.examples_; ++e) {
        for (const AtomNumbers::Entry& entry : output_gradients.of(e))
            require(entry.atom < plan_.graph.atom_count(), "there is no atom {}", entry.atom);
    }
    const std::size_t tiles = (run.examples_ + tile_width - 1) / tile_width;
    gradients.examples_ = run.examples_;
    if (gradients.tiles_.size() < tiles) gradients.tiles_.resize(tiles);
    for_each_tile(tiles, [&](TileEngine& engine, std::size_t t) {
        const TileEngine::Seeds seeds = engine.clear_seeds();
        const std::size_t end = std::min(run.examples_, (t + 1) * tile_width);
        for (std::size_t e = t * tile_width; e < end; ++e) {
            for (const AtomNumbers::Entry& entry : output_gradients.of(e)) {
                seeds.rows[std::size_t{entry.atom} * tile_width + e % tile_width] += entry.value;
                seeds.touched[entry.atom] = 1;
            }
        }
        engine.backward(run.tiles_[t], gradients.tiles_[t]);
    });
}

std::vector<std::vector<float>> GraphReasoner::history(const ForwardPass& run, std::size_t example,
                                                       std::span<const std::uint32_t> atoms) {
    require(run.kept_ == Keep::History || run.kept_ == Keep::HistoryAndBackward, "this run did not keep its history");
    require(run.reasoner_ == this, "this run is another reasoner's");
    require(example < run.examples_, "there is no example {}", example);
    for (const std::uint32_t a : atoms) require(a < plan_.graph.atom_count(), "there is no atom {}", a);
    if (engines_.front() == nullptr) engines_.front() = std::make_unique<TileEngine>(plan_);
    const TileRecord& record = run.tile_of(example);
    const std::size_t lane = example % tile_width;
    // Where to look for an atom while a phase is under way.
    constexpr auto nowhere = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> asked(plan_.graph.atom_count(), nowhere);
    for (std::uint32_t i = 0; i < atoms.size(); ++i) asked[atoms[i]] = i;
    std::vector<float> values;
    for (const std::uint32_t a : atoms) values.push_back(run.initial(a, example));
    std::vector<std::vector<float>> result = {values};
    std::size_t records = 0;
    for (std::uint32_t p = 0; p < plan_.schedule.phases.size(); ++p) {
        const std::span<const std::uint32_t> phase_atoms = plan_.schedule.atoms_of(plan_.schedule.phases[p]);
        const bool recorded = records < record.phase_count && record.phases[records].phase == p;
        const PhaseRecord* phase = recorded ? &record.phases[records++] : nullptr;
        const std::uint32_t rounds = recorded ? phase->lane_rounds[lane] : 1;
        for (std::uint32_t r = 1; r <= rounds; ++r) {
            const float* state = recorded ? engines_.front()->state(record, *phase, r) : nullptr;
            for (std::size_t i = 0; i < phase_atoms.size(); ++i) {
                const std::uint32_t place = asked[phase_atoms[i]];
                if (place == nowhere) continue;
                values[place] = recorded ? state[i * tile_width + lane] : run.value(phase_atoms[i], example);
            }
            result.push_back(values);
        }
    }
    // An atom may be asked for twice.
    for (std::vector<float>& step : result) {
        for (std::size_t i = 0; i < atoms.size(); ++i) step[i] = step[asked[atoms[i]]];
    }
    return result;
}

std::size_t GraphReasoner::bytes() const {
    std::size_t total = (facts_.capacity() + plan_.schedule.atoms.capacity()) * sizeof(std::uint32_t) +
                        plan_.weights.capacity() * sizeof(float) + weights_.capacity() * sizeof(double);
    for (const auto& engine : engines_) total += engine == nullptr ? 0 : engine->bytes();
    return total;
}

}  // namespace neumann
