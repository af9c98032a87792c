// Table of the steps of every semantics for one instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "reason/kernels/circuit_step.h"
#include "reason/semantics/registry.h"

namespace neumann::kernels {

template <class V>
struct KernelTable {
    using Steps = std::array<KernelStep, semantics_count>;

    template <class Step>
    static constexpr KernelStep step() {
        return {Step::forward, Step::backward};
    }
    template <std::size_t... Number>
    static constexpr Steps collect_positive(std::index_sequence<Number...>) {
        return {step<typename RegisteredSemantics<Number>::template Step<V, Positive>>()...};
    }
    template <std::size_t... Number>
    static constexpr Steps collect_with_not(std::index_sequence<Number...>) {
        return {step<
            typename RegisteredSemantics<Number>::template Step<V, typename RegisteredSemantics<Number>::Not>>()...};
    }
    static constexpr Steps positive = collect_positive(std::make_index_sequence<semantics_count>());
    static constexpr Steps with_not = collect_with_not(std::make_index_sequence<semantics_count>());
};

template <class V>
constexpr Kernel make_kernel(const char* name) {
    return {name,
            KernelTable<V>::positive.data(),
            KernelTable<V>::with_not.data(),
            {forward_circuit<V>, backward_circuit<V>}};
}

}  // namespace neumann::kernels
