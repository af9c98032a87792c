// Examples to learn from: the inputs of each world, and the supervised atoms. Atoms are numbered in a pool, so
// that examples can be read before anything is grounded.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <neumann/examples.h>

#include "base/hash.h"
#include "base/ids.h"
#include "base/pod_vector.h"
#include "base/slot_table.h"

namespace neumann {

// Ground atoms, each once.
class AtomPool {
public:
    std::uint32_t add(PredicateId predicate, std::span<const TermId> args) {
        const std::uint32_t hash = hash_ids(predicate.value(), args);
        const std::uint32_t found = slots_.find(hash, [&](std::uint32_t i) {
            return predicates_[i] == predicate && std::ranges::equal(this->args(i), args);
        });
        if (found != SlotTable::absent) return found;
        const auto number = checked_id<Id<struct PoolTag>>(size(), "atoms in examples").value();
        predicates_.push_back(predicate);
        args_.append(args);
        ends_.push_back(args_.size());
        slots_.insert(hash, number);
        return number;
    }
    std::size_t size() const { return predicates_.size(); }
    PredicateId predicate(std::uint32_t atom) const { return predicates_[atom]; }
    std::span<const TermId> args(std::uint32_t atom) const {
        const std::size_t begin = atom == 0 ? 0 : ends_[atom - 1];
        return {args_.data() + begin, ends_[atom] - begin};
    }

private:
    PodVector<PredicateId> predicates_;
    PodVector<TermId> args_;
    PodVector<std::size_t> ends_;
    SlotTable slots_;
};

// Atoms are numbers of the pool.
struct LabelledExample {
    std::string id;        // as JSON text
    std::size_t line = 0;  // 0: it is not from a file of lines
    std::vector<AtomValue> inputs;
    std::vector<Example::Target> targets;
};

struct ExampleSet {
    std::string file;
    std::vector<LabelledExample> examples;

    bool empty() const { return examples.empty(); }
};

// The predicates of labelled atoms.
std::set<PredicateId> labelled_predicates(const AtomPool& pool, const ExampleSet& set);

}  // namespace neumann
