#include "reason/tensor/tensor_size.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "base/memory.h"
#include "reason/schedule.h"

namespace neumann {
namespace {

std::uint64_t capped_product(std::initializer_list<std::uint64_t> factors) {
    std::uint64_t result = 1;
    for (const std::uint64_t factor : factors) {
        if (__builtin_mul_overflow(result, factor, &result)) result = TensorSize::too_many;
    }
    return result;
}

std::uint64_t capped_sum(std::initializer_list<std::uint64_t> terms) {
    std::uint64_t result = 0;
    for (const std::uint64_t term : terms) {
        if (__builtin_add_overflow(result, term, &result)) result = TensorSize::too_many;
    }
    return result;
}

}  // namespace

TensorSize tensor_size(const ReasoningGraph& graph, const ReasonOptions& options, std::size_t examples, bool history) {
    TensorSize size;
    size.clauses = graph.clause_count();
    size.atoms = graph.atom_count();
    number_substitutions(graph, [&](std::uint32_t conjunction, std::uint32_t number) {
        size.substitutions = std::max<std::uint64_t>(size.substitutions, number + 1);
        size.body_length = std::max<std::uint64_t>(size.body_length, graph.literals(conjunction).size());
    });
    size.index_bytes =
        capped_product({sizeof(std::uint32_t), size.clauses, size.atoms, size.substitutions, size.body_length});
    const std::uint64_t held =
        info(options.semantics).keeps_state ? capped_product({size.clauses, size.atoms, size.substitutions}) : 0;
    const std::uint64_t at_work = capped_sum(
        {held, capped_product({size.clauses, size.substitutions}), size.body_length, size.atoms, 2 * (size.atoms + 2)});
    const std::uint64_t steps = history ? fixed_schedule(graph, options.steps.value_or(0)).total_steps() : 0;
    const std::uint64_t kept = capped_product({examples, steps + 1, size.atoms});
    size.total_bytes = capped_sum({size.index_bytes, capped_product({sizeof(double), capped_sum({at_work, kept})})});
    size.dense_matrix = size.atoms * graph.conjunction_count();
    return size;
}

TensorTooLarge::TensorTooLarge(const TensorSize& size, std::uint64_t limit)
    : ReasonError(fmt::format(
          "a tensor of {} clauses × {} atoms × {} substitutions × {} body atoms needs {}{} with its values; "
          "the limit is {}",
          size.clauses, size.atoms, size.substitutions, size.body_length,
          size.total_bytes == TensorSize::too_many ? "at least " : "", format_bytes(size.total_bytes),
          format_bytes(limit))),
      size_(size) {}

}  // namespace neumann
