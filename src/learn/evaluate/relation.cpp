#include "learn/evaluate/relation.h"

#include <algorithm>
#include <bit>

namespace neumann::search {

void Relation::add(std::span<const Value> tuple) {
    indexes_.clear();
    members_.clear();
    rows_.add(tuple.data());
}

Relation::Key Relation::key_of(const Value* args, Mask known) const {
    Key key{};
    std::size_t next = 0;
    for (std::size_t a = 0; a < arity(); ++a) {
        if ((known >> a & 1U) != 0) key[next++] = args[a];
    }
    return key;
}

std::uint32_t Relation::key_number(Index& index, std::uint32_t row, Mask known) const {
    const Value* values = rows_.tuple(row);
    return index.column >= 0 ? values[index.column] : index.keys.add(key_of(values, known).data()).first;
}

// Rows of one key next to each other.
void Relation::fill(Index& index, Mask known) const {
    if (std::popcount(known) == 1) {
        const int column = std::countr_zero(known);
        Value largest = 0;
        for (std::uint32_t r = 0; r < size(); ++r) largest = std::max(largest, row(r)[column]);
        if (largest < 8 * size() + 100'000) index.column = column;
    }
    std::vector<std::uint32_t> keys(size());
    for (std::uint32_t r = 0; r < size(); ++r) {
        keys[r] = key_number(index, r, known);
        if (keys[r] >= index.starts.size()) index.starts.resize(keys[r] + std::size_t{1}, 0);
        ++index.starts[keys[r]];
    }
    std::uint32_t next = 0;
    for (std::uint32_t& start : index.starts) start = std::exchange(next, next + start);
    index.starts.push_back(next);
    index.rows.resize(size());
    std::vector<std::uint32_t> places = index.starts;
    for (std::uint32_t r = 0; r < size(); ++r) index.rows[places[keys[r]]++] = r;
}

Relation::Index& Relation::index_for(Mask known) {
    for (const auto& [mask, index] : indexes_) {
        if (mask == known) return *index;
    }
    const auto& added =
        indexes_.emplace_back(known, std::make_unique<Index>(static_cast<std::size_t>(std::popcount(known)))).second;
    if (!on_demand()) fill(*added, known);
    return *added;
}

// For a look-up with all arguments: one row or none.
std::span<const std::uint32_t> Relation::whole(std::span<const Value> args) {
    static constexpr std::uint32_t one = 0;  // the row number, which is not used
    bool found = false;
    if (arity() == 1) {
        if (members_.empty()) fill_members();
        found = args[0] < members_.size() && members_[args[0]];
    } else {
        found = rows_.find(args.data()) != TupleTable::absent;
    }
    return found ? std::span<const std::uint32_t>(&one, 1) : std::span<const std::uint32_t>();
}

void Relation::fill_members() {
    for (std::uint32_t r = 0; r < size(); ++r) {
        const Value value = row(r)[0];
        if (value >= members_.size()) members_.resize(value + std::size_t{1}, false);
        members_[value] = true;
    }
}

std::span<const std::uint32_t> Relation::matches(std::span<const Value> args, Mask known, Mask open) {
    if (on_demand()) return found_on_demand(args, known, open);
    if (known == (Mask{1} << arity()) - 1) return whole(args);
    const Index& index = index_for(known);
    const std::uint32_t found = index.column >= 0 ? args[static_cast<std::size_t>(index.column)]
                                                  : index.keys.find(key_of(args.data(), known).data());
    if (found >= index.starts.size() - 1) return {};
    return {index.rows.data() + index.starts[found], index.starts[found + 1] - index.starts[found]};
}

bool Relation::ask(std::span<const Value> args, Mask known, std::vector<std::uint32_t>& rows) {
    std::vector<Value> tuples;
    const std::vector<Value> asked(args.begin(), args.end());
    const Answers found = solver_(asked, known, tuples);
    ++calls_;
    has_open_ = has_open_ || found == Answers::Open;
    function_ = function_ && tuples.size() <= arity();
    for (std::size_t t = 0; t + arity() <= tuples.size() && arity() > 0; t += arity())
        rows.push_back(rows_.add(tuples.data() + t).first);
    return found == Answers::All;
}

// Asked with the inputs alone where that makes no difference, so that one answer serves all that differ in the outputs.
std::span<const std::uint32_t> Relation::found_on_demand(std::span<const Value> args, Mask known, Mask open) {
    Index& index = index_for(known);
    const Key key = key_of(args.data(), known);
    if (const std::uint32_t found = index.keys.find(key.data()); found != TupleTable::absent) return index.lists[found];
    std::vector<std::uint32_t> rows;
    if (known == inputs_ || moded_ || open != 0) {
        left_open_ = !ask(args, known, rows) || left_open_;
    } else {
        for (const std::uint32_t r : found_on_demand(args, inputs_, 0)) {
            bool agrees = true;
            for (std::size_t a = 0; a < arity() && agrees; ++a) agrees = (known >> a & 1U) == 0 || row(r)[a] == args[a];
            if (agrees) rows.push_back(r);
        }
        if (left_open_) ask(args, known, rows);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    index.keys.add(key.data());
    return index.lists.emplace_back(std::move(rows));
}

}  // namespace neumann::search
