#include "induce/relation.h"

#include <algorithm>

namespace neumann::induce {

void Relation::add(std::span<const Value> tuple) {
    indexes_.clear();
    add_row(tuple);
}

std::uint32_t Relation::add_row(std::span<const Value> tuple) {
    const auto next = static_cast<std::uint32_t>(known_.size());
    const auto [found, added] = known_.try_emplace(std::vector<Value>(tuple.begin(), tuple.end()), next);
    if (added) rows_.insert(rows_.end(), tuple.begin(), tuple.end());
    return found->second;
}

void Relation::key_of(const Value* args, Mask known) {
    key_.clear();
    for (std::size_t a = 0; a < arity_; ++a) {
        if ((known >> a & 1U) != 0) key_.push_back(args[a]);
    }
}

Relation::Index& Relation::index_for(Mask known) {
    const auto [found, added] = indexes_.try_emplace(known);
    if (added && !on_demand()) {
        for (std::uint32_t r = 0; r < known_.size(); ++r) {
            key_of(row(r), known);
            found->second[key_].push_back(r);
        }
    }
    return found->second;
}

std::span<const std::uint32_t> Relation::matches(std::span<const Value> args, Mask known) {
    if (on_demand()) return found_on_demand(args, known);
    const Index& index = index_for(known);
    key_of(args.data(), known);
    const auto found = index.find(key_);
    return found == index.end() ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(found->second);
}

// Asked with the inputs alone, so that one answer serves all that differ in the outputs.
std::span<const std::uint32_t> Relation::found_on_demand(std::span<const Value> args, Mask known) {
    Index& index = index_for(known);
    key_of(args.data(), known);
    if (const auto found = index.find(key_); found != index.end()) return found->second;
    std::vector<std::uint32_t> rows;
    if (known == inputs_) {
        std::vector<Value> tuples;
        solver_(args, known, tuples);
        ++calls_;
        function_ = function_ && tuples.size() <= arity_;
        for (std::size_t t = 0; t + arity_ <= tuples.size() && arity_ > 0; t += arity_)
            rows.push_back(add_row({tuples.data() + t, arity_}));
    } else {
        for (const std::uint32_t r : found_on_demand(args, inputs_)) {
            bool agrees = true;
            for (std::size_t a = 0; a < arity_ && agrees; ++a) agrees = (known >> a & 1U) == 0 || row(r)[a] == args[a];
            if (agrees) rows.push_back(r);
        }
        key_of(args.data(), known);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return index.emplace(key_, std::move(rows)).first->second;
}

}  // namespace neumann::induce
