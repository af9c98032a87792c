// Second half of the backward pass, which depends on the AND alone: gradients of conjunctions, added up for the atoms
// of their bodies and for their weights.
#pragma once

#include "reason/gpu/gpu_rows.h"

namespace neumann::kernels {

// Sums over an item's range: a chunk's, or all of its owner's.
template <class Add>
constexpr void sum_up(const GpuThread& thread, float* owner_rows, const Add& add) {
    GpuRow sum = GpuRow::filled(0.0F);
    for (std::uint32_t i = thread.item.begin; i < thread.item.end; ++i) add(sum[0], i);
    if (thread.is_whole() || thread.is_last()) {
        sum.add_to(owner_rows + std::size_t{thread.item.owner} * tile_width);
    } else {
        sum.store(thread.partial(thread.item.to));
    }
}

// `weighed`: the weight is a factor of the conjunction. Else its gradient was computed with its head. `carries`:
// conjunctions have gradients even if their heads have none; else these are not read, and may be undefined.
template <class Not, class And, bool weighed, bool carries>
struct GpuPull {
    static constexpr void run(const GpuStep& step, const GpuPlace& at) {
        const GpuThread thread(step, at);
        with_length(thread.item.shape, [&](auto shape) {
            const float* gradients = thread.conjunctions(step.conjunction_gradient);
            const float* rows = thread.atoms(step.before);
            sum_up(thread, thread.atoms(step.gradient), [&](GpuLanes& sum, std::uint32_t i) {
                const GpuUse use = step.uses[i];
                if (!carries && !thread.has_gradient(step.head[use.conjunction])) return;
                const GpuBody<shape.length> body(step, use.conjunction);
                const Conjunction c = weighed ? body.weighed(step) : body.alone();
                GpuRow share = And::share(c, rows, use.place, GpuRow::load(gradients, use.conjunction));
                if constexpr (Not::negates) {
                    const std::uint32_t literal = c.body[use.place];
                    if (is_negated(literal))
                        share[0] = Not::gradient(GpuRow::load(rows, atom_of(literal))[0], share[0]);
                }
                sum += share[0];
            });
        });
    }
};

template <class And, bool weighed, bool carries>
struct GpuWeigh {
    static constexpr void run(const GpuStep& step, const GpuPlace& at) {
        const GpuThread thread(step, at);
        float* to = step.weight_gradient + gpu_offset(at, step.clauses);
        if constexpr (!weighed) {
            const float* parts = thread.conjunctions(step.weight_part);
            sum_up(thread, to, [&](GpuLanes& sum, std::uint32_t i) {
                const std::uint32_t number = step.members[i];
                if (carries || thread.has_gradient(step.head[number])) sum += GpuRow::load(parts, number)[0];
            });
        } else {
            with_length(thread.item.shape, [&](auto shape) {
                const float* gradients = thread.conjunctions(step.conjunction_gradient);
                const float* rows = thread.atoms(step.before);
                sum_up(thread, to, [&](GpuLanes& sum, std::uint32_t i) {
                    const std::uint32_t number = step.members[i];
                    if (!carries && !thread.has_gradient(step.head[number])) return;
                    const GpuBody<shape.length> body(step, number);
                    const Conjunction c = body.weighed(step);
                    sum += And::share(c, rows, c.length, GpuRow::load(gradients, number))[0];
                });
            });
        }
    }
};

struct GpuPullJoin {
    static constexpr void run(const GpuStep& step, const GpuPlace& at) {
        const GpuThread thread(step, at);
        sum_up(thread, thread.atoms(step.gradient),
               [&](GpuLanes& sum, std::uint32_t i) { sum += GpuRow::load(thread.partial(i))[0]; });
    }
};
struct GpuWeighJoin {
    static constexpr void run(const GpuStep& step, const GpuPlace& at) {
        const GpuThread thread(step, at);
        sum_up(thread, step.weight_gradient + gpu_offset(at, step.clauses),
               [&](GpuLanes& sum, std::uint32_t i) { sum += GpuRow::load(thread.partial(i))[0]; });
    }
};

// Where there is nothing to do.
struct GpuNothing {
    static constexpr void run(const GpuStep&, const GpuPlace&) {}
};

}  // namespace neumann::kernels
