#include "reason/gpu/gpu_runner.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "base/memory.h"
#include "reason/gpu/gpu_error.h"

namespace neumann {
namespace {

constexpr std::size_t row_size = tile_width * sizeof(float);

}  // namespace

GpuRunner::GpuRunner(GpuDevice& device, const ReasonPlan& plan, GpuCuts cuts)
    : device_(device), plan_(plan), semantics_(static_cast<std::size_t>(plan.options.semantics)),
      with_not_(!plan.graph.monotone), facts_(device.facts(semantics_, with_not_)),
      cut_(make_gpu_plan(plan.graph, plan.schedule, {cuts.chunk, cuts.uses, cuts.sums, facts_.by_clause})) {
    const ReasoningGraph& graph = plan.graph;
    std::size_t bytes = 0;
    for (const bool counts : {true, false}) {
        if (!counts) graph_memory_.reserve(device_, bytes);
        GpuBlock block(counts ? nullptr : graph_memory_.as<unsigned char>());
        const auto place = [&]<class T>(const T* from, std::size_t count) -> const T* {
            T* const to = block.take<T>(count);
            if (!counts && count > 0) send(to, from, count * sizeof(T));
            return to;
        };
        view_ = {nullptr, place(graph.clause.data(), graph.clause.size()), nullptr, nullptr};
        if (!cut_.all_packed) {
            view_.body_begin = place(graph.body_begin.data(), graph.body_begin.size());
            view_.body = place(graph.body_codes(), graph.body.size());
        }
        head_ = place(graph.head.data(), graph.head.size());
        packed_ = place(cut_.packed.data(), cut_.packed.size());
        items_ = place(cut_.items.data(), cut_.items.size());
        runs_ = place(cut_.runs.data(), cut_.runs.size());
        uses_ = place(cut_.uses.data(), cut_.uses.size());
        members_ = place(cut_.members.data(), cut_.members.size());
        fixed_ = place(cut_.fixed.data(), cut_.fixed.size());
        schedule_atoms_ = place(plan.schedule.atoms.data(), plan.schedule.atoms.size());
        base_ = block.take<float>(graph.atom_count());
        bytes = std::max<std::size_t>(block.used(), 1);
    }
    device_.wait();
    for (GpuMemory& staging : staging_) staging = GpuMemory();  // the graph is larger than all later transfers
    is_under_way_[0] = is_under_way_[1] = false;
}

// The caller's memory is free again when this returns.
void GpuRunner::send(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    next_staging_ = 1 - next_staging_;
    if (is_under_way_[next_staging_]) {
        device_.wait();
        is_under_way_[0] = is_under_way_[1] = false;
    }
    GpuMemory& staging = staging_[next_staging_];
    staging.reserve(device_, bytes, true);
    std::memcpy(staging.as<void>(), from, bytes);
    device_.upload(to, staging.as<void>(), bytes);
    is_under_way_[next_staging_] = true;
}

void GpuRunner::lay_out(GpuBlock& block, std::uint32_t tiles, Keep keep, GpuPass* pass) const {
    const std::size_t rows = (std::size_t{plan_.graph.atom_count()} + 1) * tile_width * tiles;
    const bool keeps_state = info(plan_.options.semantics).keeps_state;
    const std::size_t held = std::size_t{plan_.graph.conjunction_count()} * tile_width * tiles;
    float* const initial = block.take<float>(rows);
    float* const partial = block.take<float>(std::size_t{cut_.head_results} * tile_width * tiles);
    float* const weight = block.take<float>(plan_.graph.clause_count());
    std::vector<float*> states;
    std::vector<float*> held_states;
    float* staged = nullptr;
    float* final = initial;
    if (direct()) {
        const std::size_t steps = plan_.schedule.steps;
        const std::size_t kept = keep == Keep::Results ? std::min<std::size_t>(2, steps) : steps;
        for (std::size_t i = 0; i < kept; ++i) states.push_back(block.take<float>(rows));
        if (steps > 0) final = states[(steps - 1) % states.size()];
    } else {
        final = block.take<float>(rows);
        staged = block.take<float>(rows);
    }
    if (keeps_state) {
        const std::size_t rounds = keeps_backward(keep) ? plan_.schedule.steps : 0;  // of each phase its own rows
        for (std::size_t i = 0; i <= rounds; ++i) held_states.push_back(block.take<float>(held));
    }
    if (pass == nullptr) return;
    pass->initial = initial;
    pass->partial = partial;
    pass->weight = weight;
    pass->staged = staged;
    pass->final = final;
    pass->states = std::move(states);
    pass->held_states = std::move(held_states);
}

void GpuRunner::lay_out(GpuBlock& block, std::uint32_t tiles, Work& work) const {
    const std::size_t rows = (std::size_t{plan_.graph.atom_count()} + 1) * tile_width * tiles;
    const std::uint32_t slice = tiles_of_slice(tiles);
    const std::size_t conjunctions = std::size_t{plan_.graph.conjunction_count()} * tile_width * slice;
    work.totals =
        block.take<unsigned char>(std::size_t{cut_.head_results} * slice * gpu_threads_per_row * facts_.totals_bytes);
    work.results = block.take<float>(std::size_t{cut_.results} * tile_width * slice);
    work.gradient = block.take<float>(rows);
    work.incoming = block.take<float>(rows);
    work.initial_gradient = block.take<float>(rows);
    work.weight_gradient = block.take<float>(std::size_t{plan_.graph.clause_count()} * tile_width * tiles);
    work.conjunction_gradient = block.take<float>(conjunctions);
    work.weight_part = facts_.weighs_apart ? block.take<float>(conjunctions) : nullptr;
    work.state_gradient = info(plan_.options.semantics).keeps_state ? block.take<float>(conjunctions) : nullptr;
    work.before = direct() ? nullptr : block.take<float>(rows);
    work.after = direct() ? nullptr : block.take<float>(rows);
}

std::uint64_t GpuRunner::bytes_needed(std::size_t examples, Keep keep) const {
    const auto tiles = static_cast<std::uint32_t>((examples + tile_width - 1) / tile_width);
    GpuBlock block(nullptr);
    lay_out(block, tiles, keep, nullptr);
    Work work;
    if (keeps_backward(keep)) lay_out(block, tiles, work);
    return block.used();
}

void GpuRunner::require_room(std::size_t examples, Keep keep, std::size_t have) const {
    const std::uint64_t room = device_.free_bytes() + have;
    const std::uint64_t needed = bytes_needed(examples, keep);
    if (needed <= room) return;
    std::size_t fits = 0;
    for (std::size_t step = examples / tile_width / 2 * tile_width; step >= tile_width;
         step = step / 2 / tile_width * tile_width) {
        while (bytes_needed(fits + step, keep) <= room) fits += step;
    }
    throw GpuError(fmt::format("{} examples at a time need {} of the GPU's memory, of which {} are free: {}", examples,
                               format_bytes(needed), format_bytes(room),
                               fits > 0 ? fmt::format("take batches of {}", fits)
                                        : std::string("ask a narrower query, or leave out --device cuda")));
}

void GpuRunner::prepare(GpuPass& pass) {
    constexpr std::size_t most = std::size_t{4} * 65'535 * tile_width;  // blocks side by side
    if (pass.examples > most)
        throw GpuError(
            fmt::format("{} examples at a time are too many for a GPU: take batches of {}", pass.examples, most));
    pass.tiles = static_cast<std::uint32_t>((pass.examples + tile_width - 1) / tile_width);
    GpuBlock counted(nullptr);
    lay_out(counted, pass.tiles, pass.kept, nullptr);
    // Asking for the amount of free memory takes longer than many a pass.
    if (counted.used() > pass.memory.bytes() || bytes_needed(pass.examples, pass.kept) > counted.used() + work_.bytes())
        require_room(pass.examples, pass.kept, pass.memory.bytes() + work_.bytes());
    float* const weight = pass.weight;
    if (pass.memory.reserve(device_, counted.used()) || pass.noted_for != pass.reasoner) {
        pass.noted_for = pass.reasoner;
        pass.steps_noted.what = 0;
        pass.back_noted.what = 0;
        pass.sent_weights.clear();
    }
    GpuBlock block(pass.memory.as<unsigned char>());
    lay_out(block, pass.tiles, pass.kept, &pass);
    if (pass.weight != weight) pass.sent_weights.clear();
    slice_ = {};
    pass.phases.resize(plan_.schedule.phases.size());
    for (GpuRounds& phase : pass.phases) {
        phase.rounds = plan_.schedule.automatic ? 1 : plan_.schedule.steps;
        phase.by_example.clear();
    }
}

GpuMove GpuRunner::move_of(const GpuPass& pass) const {
    GpuMove move;
    move.tiles = pass.tiles;
    move.rows = plan_.graph.atom_count() + 1;
    return move;
}

void GpuRunner::copy_rows(const GpuPass& pass, const std::uint32_t* atoms, std::size_t count, float* from,
                          float* to) const {
    GpuMove move = move_of(pass);
    move.atoms = atoms;
    move.count = static_cast<std::uint32_t>(count);
    move.from = from;
    move.to = to;
    this->move(GpuMoving::Commit, move);
}

void GpuRunner::fill(GpuPass& pass, std::span<const float> base) {
    if (!std::ranges::equal(base, sent_base_)) {
        send(base_, base.data(), base.size_bytes());
        sent_base_.assign(base.begin(), base.end());
    }
    GpuMove move = move_of(pass);
    move.count = move.rows;
    move.base = base_;
    move.to = pass.initial;
    device_.move(GpuMoving::Fill, move);
}

// Piece by piece: the processor's half of sending one is done while the GPU has another.
void GpuRunner::put(const GpuPass& pass, std::span<const GpuValue> values, GpuMemory& piece, float* to) {
    constexpr std::size_t most = std::size_t{1} << 18;
    GpuMove move = move_of(pass);
    move.to = to;
    for (std::size_t i = 0; i < values.size(); i += most) {
        const std::span<const GpuValue> some = values.subspan(i, std::min(most, values.size() - i));
        piece.reserve(device_, some.size_bytes());
        send(piece.as<void>(), some.data(), some.size_bytes());
        move.count = static_cast<std::uint32_t>(some.size());
        move.values = piece.as<GpuValue>();
        device_.move(GpuMoving::Put, move);
    }
}

void GpuRunner::fill(GpuPass& pass, std::span<const float> base, std::span<const GpuValue> values) {
    fill(pass, base);
    put(pass, values, pass.values, pass.initial);
}

void GpuRunner::fill(GpuPass& pass, std::span<const float> base, std::span<const std::uint32_t> atoms,
                     std::span<const float> rows) {
    fill(pass, base);
    if (atoms.empty()) return;
    if (!std::ranges::equal(atoms, pass.sent_list)) {
        device_.wait();
        pass.list.reserve(device_, atoms.size_bytes());
        send(pass.list.as<void>(), atoms.data(), atoms.size_bytes());
        pass.sent_list.assign(atoms.begin(), atoms.end());
    }
    pass.values.reserve(device_, rows.size_bytes());
    send(pass.values.as<void>(), rows.data(), rows.size_bytes());
    GpuMove move = move_of(pass);
    move.atoms = pass.list.as<std::uint32_t>();
    move.count = static_cast<std::uint32_t>(atoms.size());
    move.dense = pass.values.as<float>();
    move.examples = static_cast<std::uint32_t>(pass.examples);
    move.to = pass.initial;
    device_.move(GpuMoving::Dense, move);
}

GpuItems GpuRunner::items(const GpuRange& range) const { return {items_ + range.begin, range.count}; }

void GpuRunner::launch(GpuStep& step, GpuWork work, const GpuRange& range) const {
    if (range.count == 0) return;
    step.items = items(range);
    if (slice_.count == 0) {
        device_.launch(semantics_, with_not_, work, step);
        return;
    }
    GpuStep some = step;
    some.tiles = slice_.count;
    const std::size_t atoms = slice_.begin * (std::size_t{step.atoms} + 1) * tile_width;
    const std::size_t conjunctions = slice_.begin * std::size_t{step.conjunctions} * tile_width;
    some.initial += atoms;
    some.before += atoms;
    some.after += atoms;
    some.incoming += atoms;
    some.gradient += atoms;
    some.initial_gradient += atoms;
    some.weight_gradient += slice_.begin * std::size_t{step.clauses} * tile_width;
    if (some.state_before != nullptr) {
        some.state_before += conjunctions;
        some.state_after += conjunctions;
    }
    device_.launch(semantics_, with_not_, work, some);
}

void GpuRunner::move(GpuMoving what, GpuMove move) const {
    if (move.count == 0) return;
    if (slice_.count > 0) {
        const std::size_t rows = slice_.begin * std::size_t{move.rows} * tile_width;
        move.tiles = slice_.count;
        if (move.from != nullptr) move.from += rows;
        if (move.to != nullptr) move.to += rows;
        if (move.kept != nullptr) move.kept += slice_.begin * std::size_t{move.count} * tile_width;
        if (move.lane_rounds != nullptr) move.lane_rounds += slice_.begin * tile_width;
    }
    device_.move(what, move);
}

// As many as keep the memory of conjunctions below a limit, and at least one.
std::uint32_t GpuRunner::tiles_of_slice(std::uint32_t tiles) const {
    constexpr std::size_t most = std::size_t{128} << 20;
    const std::size_t each = std::max<std::size_t>(1, plan_.graph.conjunction_count() * row_size);
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(most / each, 1, std::max(1U, tiles)));
}

void GpuRunner::launch_levels(GpuStep& step, GpuWork work, const GpuSums& plan) const {
    for (const GpuRange& level : plan.levels) launch(step, work, level);
}

GpuStep GpuRunner::step_of(const GpuPass& pass) const {
    GpuStep step{};
    step.graph = view_;
    step.packed = packed_;
    step.head = head_;
    step.atoms = plan_.graph.atom_count();
    step.conjunctions = plan_.graph.conjunction_count();
    step.clauses = plan_.graph.clause_count();
    step.tiles = pass.tiles;
    step.gamma = static_cast<float>(plan_.options.gamma);
    step.weight = pass.weight;
    step.initial = pass.initial;
    step.partial = pass.partial;
    step.partial_rows = cut_.head_results;
    step.runs = runs_;
    step.uses = uses_;
    step.members = members_;
    return step;
}

void GpuRunner::take(GpuPass::Noted& noted, std::uint64_t what, const std::function<void()>& steps) const {
    if (noted.what != what) noted = {nullptr, 0, what};
    if (++noted.times == 1) {
        steps();
        return;
    }
    if (noted.recording == nullptr) {
        device_.begin_recording();
        steps();
        noted.recording = device_.end_recording();
    }
    noted.recording->run();
}

void GpuRunner::update(GpuStep& step, const GpuPhasePlan& phase) const {
    launch(step, GpuWork::Forward, phase.heads.items);
    launch(step, GpuWork::ForwardJoin, phase.heads.trees);
    if (facts_.by_clause) launch(step, GpuWork::Heads, phase.heads.heads);
}

void GpuRunner::run_direct(const GpuPass& pass) const {
    GpuStep step = step_of(pass);
    if (!pass.states.empty()) {
        GpuMove fixed = move_of(pass);
        fixed.atoms = fixed_;
        fixed.count = static_cast<std::uint32_t>(cut_.fixed.size());
        fixed.from = pass.initial;
        fixed.to = pass.states.front();
        fixed.copies = static_cast<std::uint32_t>(pass.states.size());
        fixed.apart = pass.states.size() > 1 ? static_cast<std::size_t>(pass.states[1] - pass.states[0]) : 0;
        device_.move(GpuMoving::Spread, fixed);
    }
    const std::size_t held_bytes = std::size_t{plan_.graph.conjunction_count()} * row_size * pass.tiles;
    if (!pass.held_states.empty()) device_.clear(pass.held_states.front(), held_bytes);
    const float* before = pass.initial;
    for (std::uint32_t t = 0; t < plan_.schedule.steps; ++t) {
        step.before = before;
        step.after = pass.states[t % pass.states.size()];
        if (!pass.held_states.empty()) {
            step.state_before = pass.held_states[t % pass.held_states.size()];
            step.state_after = pass.held_states[(t + 1) % pass.held_states.size()];
        }
        update(step, cut_.phases[0]);
        before = step.after;
    }
}

void GpuRunner::forward(GpuPass& pass, std::span<const double> weights) {
    std::vector<float> rounded;
    for (const double weight : weights) {
        const auto single = static_cast<float>(weight);
        rounded.push_back(single < std::numeric_limits<float>::min() ? 0.0F : single);
    }
    if (rounded != pass.sent_weights) {
        send(pass.weight, rounded.data(), rounded.size() * sizeof(float));
        pass.sent_weights = std::move(rounded);
    }
    const std::uint64_t what = 1 + (std::uint64_t{pass.tiles} << 8) + static_cast<std::uint64_t>(pass.kept);
    if (direct()) {
        take(pass.steps_noted, what, [&] { run_direct(pass); });
    } else if (plan_.schedule.automatic && plan_.schedule.cyclic_components == 0 && !plan_.options.progress) {
        take(pass.steps_noted, what, [&] { run_staged(pass); });
    } else {
        run_staged(pass);
    }
}

}  // namespace neumann
