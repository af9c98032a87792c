// One step of the paper's equations, taken literally:
//     v ← softor(v, ∏x)            per conjunction, kept from step to step
//     x ← softor(x, softor θ·v)    per atom
// with softor(x) = γ·log Σ e^{x/γ} and every OR clamped to [0,1]. softor(0,0) = γ·log 2: nothing stays 0, so nothing
// can be skipped but the multiplications of a product that is 0.
#pragma once

#include "reason/kernels/step.h"

namespace neumann::kernels {

template <class V>
class PaperOr {
public:
    constexpr explicit PaperOr(float gamma) : gamma_(gamma), to_log2_(1.44269504088896F / gamma) {}

    // softor(a, b) before clamping: the larger plus γ·log(1 + e^{−|a−b|/γ}).
    constexpr V two(V a, V b) const {
        return multiply_add(vector_log1p(vector_exp2(-abs(a - b) * to_log2_)), V(gamma_), max(a, b));
    }
    // ∂softor(a, b)/∂a; that of b is 1 minus it.
    constexpr V share(V a, V b) const {
        const V e = vector_exp2(-abs(a - b) * to_log2_);
        return select(a >= b, V(1.0F), e) / (V(1.0F) + e);
    }
    constexpr V weight(V y, V total) const { return vector_exp2((y - total) * to_log2_); }
    constexpr V to_log2() const { return to_log2_; }
    constexpr V gamma() const { return V(gamma_); }

private:
    float gamma_;
    V to_log2_;
};

// softor over any number of values, block by block, relative to the largest so far.
template <class V>
class PaperSum {
public:
    constexpr explicit PaperSum(const PaperOr<V>& softor) : softor_(softor) {}
    constexpr void add(const float* column, unsigned count) {
        V largest = largest_;
        for (unsigned k = 0; k < count; ++k) largest = max(largest, V::load_aligned(column + k * tile_width));
        if (any(largest != largest_)) sum_ *= softor_.weight(largest_, largest);
        largest_ = largest;
        for (unsigned k = 0; k < count; ++k) sum_ += softor_.weight(V::load_aligned(column + k * tile_width), largest_);
    }
    constexpr V unclamped() const { return multiply_add(vector_log1p(sum_ - V(1.0F)), softor_.gamma(), largest_); }

private:
    PaperOr<V> softor_;
    V largest_ = V(0.0F);  // values are at least 0; the sum is empty as long as nothing was added
    V sum_ = V(0.0F);
};

template <class V>
constexpr Row<V> clamped(Row<V> row) {
    for (V& part : row.part) part = min(part, V(1.0F));
    return row;
}

// ∏x without the weight.
template <class V>
constexpr Row<V> body_product(const Conjunction& c, const float* rows, const std::uint8_t* zero) {
    if (count_zero(c, zero) > 0) return Row<V>::filled(0.0F);
    return ProductAnd<V>::value({1.0F, c.body, c.length}, rows);
}

template <class V>
constexpr void paper_forward(const ForwardStep& step) {
    alignas(64) float block[block_size * tile_width];
    const PaperOr<V> softor(step.gamma);
    for (std::size_t i = 0; i < step.count; ++i) {
        const std::uint32_t atom = step.atoms[i];
        const std::uint32_t end = step.graph.in_begin[atom + 1];
        PerVector<V, PaperSum<V>> sum(softor);
        for (std::uint32_t first = step.graph.in_begin[atom]; first < end; first += block_size) {
            unsigned count = 0;
            for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
                const Row<V> product = body_product<V>(conjunction, step.now, step.zero);
                float* held = step.held + std::size_t{c} * tile_width;
                Row<V> value = Row<V>::load(held);
                for (unsigned v = 0; v < vectors_per_row<V>; ++v) value[v] = softor.two(value[v], product[v]);
                value = clamped(value);
                value.store(held);
                value *= Row<V>::filled(conjunction.weight);
                value.store(block + count++ * tile_width);
            }
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) sum[v].add(block + v * V::size, count);
        }
        const Row<V> now = Row<V>::load(step.now, atom);
        Row<V> derived;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) derived[v] = sum[v].unclamped();
        derived = clamped(derived);
        Row<V> result;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) result[v] = softor.two(now[v], derived[v]);
        result = clamped(result);
        result.store(step.staged + i * tile_width);
        step.status[i] = static_cast<std::uint8_t>((result.differs_from(now) ? row_changed : 0) |
                                                   (result.any_nonzero() ? row_nonzero : 0));
    }
}

// The gradient of a conjunction's value is carried from step to step in held_gradient: it feeds both the atom and its
// own next value.
template <class V>
constexpr void paper_backward(const BackwardStep& step) {
    alignas(64) float block[block_size * tile_width];
    const PaperOr<V> softor(step.gamma);
    // Gradients of the body alone: the weight is not a factor of the product here.
    alignas(64) float unused[tile_width];
    const GradientSink sink{step.before, step.outgoing, step.touched, unused, step.scratch};
    Row<V>::filled(0.0F).store(unused);
    for (std::size_t i = 0; i < step.count; ++i) {
        const std::uint32_t atom = step.atoms[i];
        const std::uint32_t begin = step.graph.in_begin[atom];
        const std::uint32_t end = step.graph.in_begin[atom + 1];
        const Row<V> incoming = Row<V>::load(step.incoming + i * tile_width);
        PerVector<V, PaperSum<V>> sum(softor);
        for (std::uint32_t first = begin; first < end; first += block_size) {
            unsigned count = 0;
            for (std::uint32_t c = first; c < end && c < first + block_size; ++c) {
                const Row<V> weight = Row<V>::filled(step.weight[step.graph.clause[c]]);
                (Row<V>::load(step.held_after, c) * weight).store(block + count++ * tile_width);
            }
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) sum[v].add(block + v * V::size, count);
        }
        Row<V> total;  // before clamping
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) total[v] = sum[v].unclamped();
        const Row<V> derived = clamped(total);
        const Row<V> before = Row<V>::load(step.before, atom);
        Row<V> to_before;
        Row<V> to_derived;
        for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
            to_before[v] = incoming[v] * softor.share(before[v], derived[v]);
            to_derived[v] = incoming[v] * softor.share(derived[v], before[v]);
        }
        sink.add(atom, to_before);
        for (std::uint32_t c = begin; c < end; ++c) {
            const Conjunction conjunction = conjunction_at(step.graph, step.weight, c);
            const Row<V> value = Row<V>::load(step.held_after, c);
            const Row<V> previous = Row<V>::load(step.held_before, c);
            float* carried = step.held_gradient + std::size_t{c} * tile_width;
            Row<V> gradient = Row<V>::load(carried);
            const Row<V> weight = Row<V>::filled(conjunction.weight);
            Row<V> to_weight;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
                const V share = to_derived[v] * softor.weight(value[v] * weight[v], total[v]);
                to_weight[v] = share * value[v];
                gradient[v] = multiply_add(share, weight[v], gradient[v]);
            }
            to_weight.add_to(step.weight_gradient + std::size_t{step.graph.clause[c]} * tile_width);
            if (!gradient.any_nonzero()) {
                gradient.store(carried);  // what was carried may have been cancelled just now
                continue;
            }
            const std::uint32_t zeros = count_zero(conjunction, step.zero);
            const Row<V> product =
                zeros > 0 ? Row<V>::filled(0.0F)
                          : ProductAnd<V>::value({1.0F, conjunction.body, conjunction.length}, step.before);
            Row<V> to_product;
            Row<V> to_previous;
            for (unsigned v = 0; v < vectors_per_row<V>; ++v) {
                to_product[v] = gradient[v] * softor.share(product[v], previous[v]);
                to_previous[v] = gradient[v] * softor.share(previous[v], product[v]);
            }
            to_previous.store(carried);
            if (zeros > 1 || !to_product.any_nonzero()) continue;
            ProductAnd<V>::backward({1.0F, conjunction.body, conjunction.length}, to_product, sink);
        }
    }
}

}  // namespace neumann::kernels
