#include "ground/relevant_result.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "ground/canonical_order.h"

namespace neumann {
namespace {

constexpr std::size_t renumbered_together = 1U << 16;  // instances, by one thread

// Row numbers → atom numbers; per column: that of its predicate's rows.
void renumber(const std::vector<const std::uint32_t*>& columns, const GroundOptions& options, InstanceBlock& block) {
    const std::size_t chunks = block.count() / renumbered_together + 1;
    const unsigned threads = block.count() < options.parallel_from ? 1 : options.threads;
    parallel_chunks(threads, chunks, [&](std::size_t chunk) {
        const std::size_t end = std::min(block.count(), (chunk + 1) * renumbered_together);
        std::uint32_t* value = block.rows.data() + chunk * renumbered_together * columns.size();
        for (std::size_t i = chunk * renumbered_together; i < end; ++i) {
            for (const std::uint32_t* column : columns) {
                if (*value != InstanceBlock::missing) *value = column[*value];
                ++value;
            }
        }
    });
}

}  // namespace

// Guards have done their work.
Instances in_canonical_order(const Discovered& found) {
    auto& [program, rules, options, relations, initial, blocks, seconds] = found;
    Instances result;
    relations.resize(program.signature.predicates().size());
    result.atoms = AtomTable(relations.size());
    program.signature.sort_computed_constants();
    const CanonicalTermOrder order(program.terms, constant_ranks(program.signature));
    std::vector<PodVector<std::uint32_t>> number_of(relations.size());
    for (std::size_t p = 0; p < relations.size(); ++p) {
        if (program.signature.predicates()[p].internal) relations[p] = Relation(relations[p].arity());
        const std::uint32_t count = relations[p].size();
        const std::size_t arity = relations[p].arity();
        SortedRows sorted = sort_rows(order, relations[p].release_rows(), arity, count, options.threads);
        for (std::uint32_t& number : sorted.new_row) number += result.atoms.size();
        number_of[p] = std::move(sorted.new_row);
        result.atoms.add(checked_id<PredicateId>(p, "predicates"), count, SharedArray(std::move(sorted.rows)));
    }
    result.initial.resize(result.atoms.size(), 0.0F);
    for (std::size_t p = 0; p < relations.size(); ++p) {
        if (number_of[p].empty()) continue;
        for (std::size_t row = 0; row < initial[p].size(); ++row) result.initial[number_of[p][row]] = initial[p][row];
        initial[p].release();
    }
    for (std::size_t r = 0; r < rules.size(); ++r) {
        if (rules[r].follows_calls) continue;
        std::vector<const std::uint32_t*> columns = {number_of[rules[r].head.predicate.index()].data()};
        for (const RuleAtom& goal : rules[r].literals()) columns.push_back(number_of[goal.predicate.index()].data());
        renumber(columns, options, blocks[r]);
        if (rules[r].may_repeat) remove_repeated(blocks[r]);
    }
    for (std::size_t r = 0; r < rules.size(); ++r) {
        if (!rules[r].follows_calls) result.blocks.push_back(std::move(blocks[r]));
    }
    result.seconds = std::move(seconds);
    return result;
}

}  // namespace neumann
