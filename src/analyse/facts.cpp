#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "analyse/passes.h"
#include "base/hash.h"
#include "base/slot_table.h"
#include "logic/bounds.h"
#include "logic/print.h"

namespace neumann {
namespace {

constexpr std::size_t hashes_ahead = 16;
constexpr std::size_t most_repeated_named = 10;  // facts come by the million

std::string print_fact(const Program& program, const FactList::Fact& fact) {
    return print_atom(program.signature, program.terms, fact.predicate, fact.args);
}

void keep_only(FactList& facts, const std::vector<bool>& keep) {
    if (std::ranges::find(keep, false) == keep.end()) return;
    FactList kept;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (keep[i]) kept.add(facts[i].predicate, facts[i].args, facts[i].probability, facts[i].span);
    }
    facts = std::move(kept);
}

}  // namespace

void drop_impossible_facts(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    const TermBounds bounds(program.signature);
    std::vector<bool> keep(program.facts.size(), true);
    for (std::size_t i = 0; i < program.facts.size(); ++i) {
        const FactList::Fact fact = program.facts[i];
        const bool terms_exist =
            std::ranges::all_of(fact.args, [&](TermId t) { return bounds.admits(program.terms, t); });
        const bool distinct = bounds.admits(fact.predicate, fact.args);
        keep[i] = terms_exist && distinct;
        if (keep[i]) continue;
        diagnostics.report(codes::impossible_fact, fact.span,
                           fmt::format("{} {}; the fact is left out", print_fact(program, fact),
                                       terms_exist ? "repeats an argument of a predicate declared distinct"
                                                   : "contains a term beyond the bounds of its type"),
                           terms_exist ? "" : "raise the bound (max_depth, max_length, no_repeats, --term-depth)");
    }
    keep_only(program.facts, keep);
}

void merge_duplicate_facts(Program& program, const AnalyseOptions&, Diagnostics& diagnostics) {
    const FactList& facts = program.facts;
    std::vector<bool> keep(facts.size(), true);
    std::size_t repeated = 0;
    SlotTable last;  // walking backwards, the first seen is the one that holds
    last.reserve(facts.size());
    std::array<std::uint32_t, hashes_ahead> hashes;  // of the facts that come next, whose slots are on their way
    const auto look_ahead = [&](std::size_t i) {
        const FactList::Fact fact = facts[i];
        hashes[i % hashes_ahead] = hash_ids(fact.predicate.value(), fact.args);
        last.prefetch(hashes[i % hashes_ahead]);
    };
    for (std::size_t i = facts.size(); i-- > facts.size() - std::min(facts.size(), hashes_ahead);) look_ahead(i);
    for (std::size_t i = facts.size(); i-- > 0;) {
        const FactList::Fact fact = facts[i];
        const std::uint32_t hash = hashes[i % hashes_ahead];
        if (i >= hashes_ahead) look_ahead(i - hashes_ahead);
        const std::uint32_t found = last.find(hash, [&](std::uint32_t j) {
            return facts[j].predicate == fact.predicate && std::ranges::equal(facts[j].args, fact.args);
        });
        if (found == SlotTable::absent) {
            last.insert(hash, static_cast<std::uint32_t>(i));
            continue;
        }
        keep[i] = false;
        const bool same = facts[found].probability == fact.probability;
        if (same && ++repeated > most_repeated_named) continue;
        diagnostics.report(
            codes::duplicate_fact, facts[found].span,
            fmt::format("{} stands twice{}", print_fact(program, fact),
                        same ? "; it is kept once" : " with different probabilities; this one holds"),
            same ? "" : "a fact is an atom's first value; chances that add up are clauses, such as 0.5::p :- true.",
            {{fact.span, "the other is here"}});
    }
    keep_only(program.facts, keep);
    if (repeated > most_repeated_named)
        diagnostics.report(codes::duplicate_fact, Span(),
                           fmt::format("{} more facts stand twice; each is kept once", repeated - most_repeated_named));
}

}  // namespace neumann
