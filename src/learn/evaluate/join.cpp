#include "learn/evaluate/join.h"

#include <limits>

namespace neumann::search {

bool Join::goes_on() {
    count();
    if (gave_up() || work_.is_over()) return false;
    pause_ = std::min(most_steps_, steps_ + between_pauses);
    return true;
}

bool Join::choose(const State& state, std::uint32_t& left, Choice& best) {
    constexpr std::size_t own_rows = std::numeric_limits<std::size_t>::max() / 2;  // after all others
    constexpr std::size_t moded_rows = own_rows + most_arguments + 1;              // after these, with more arguments
    best.rows = std::numeric_limits<std::size_t>::max();
    for (std::uint32_t g = 0; g < state.clause.body.size(); ++g) {
        if ((left >> g & 1U) == 0) continue;
        ++work_done_;
        const Literal& literal = state.clause.body[g];
        const std::size_t arity = bias_.of(literal).types.size();
        Mask known = 0;
        Mask open = 0;
        std::array<Value, most_arguments> args;
        for (std::size_t a = 0; a < arity; ++a) {
            if ((state.bound >> literal.args[a] & 1U) == 0) continue;
            ((state.open >> literal.args[a] & 1U) != 0 ? open : known) |= Mask{1} << a;
            args[a] = state.values[literal.args[a]];
        }
        if (literal.predicate == bias_.itself()) {
            const auto unknown = static_cast<std::size_t>(arity) - static_cast<std::size_t>(__builtin_popcount(known));
            if ((bias_.head.inputs & ~known) == 0 && own_rows + unknown < best.rows)
                best = {static_cast<int>(g), known, own_rows + unknown, {}, args};
            continue;
        }
        Mask asked = known;
        if (bias_.of(literal).kind == GoalKind::Same && known == 2) {  // either may bind the other
            args[0] = args[1];
            asked = 1;
        }
        Relation& relation = relations_[literal.predicate];
        if (!relation.takes_open()) open = 0;
        asked |= open;
        if ((relation.inputs() & ~asked) != 0) continue;
        if (relation.moded() && known != (Mask{1} << arity) - 1) {
            if (moded_rows < best.rows) best = {static_cast<int>(g), known, moded_rows, {}, args, open};
            continue;
        }
        const std::size_t calls = relation.calls();
        const std::span<const std::uint32_t> matches = relation.matches({args.data(), arity}, asked, open);
        if (relation.calls() != calls) pause_ = steps_;  // resolution may have taken long
        if (matches.empty()) return false;
        if (known == (Mask{1} << arity) - 1)
            left &= ~(1U << g);
        else if (matches.size() < best.rows)
            best = {static_cast<int>(g), known, matches.size(), matches, args};
    }
    if (best.rows != moded_rows || best.goal < 0) return true;
    const Literal& literal = state.clause.body[static_cast<std::size_t>(best.goal)];
    Relation& relation = relations_[literal.predicate];
    best.matches =
        relation.matches({best.args.data(), bias_.of(literal).types.size()}, best.known | best.open, best.open);
    pause_ = steps_;
    return !best.matches.empty();
}

bool Join::enough_exists(const State& state, std::uint32_t left, std::uint32_t needed, const Choice& choice) const {
    const Literal& literal = state.clause.body[static_cast<std::size_t>(choice.goal)];
    std::uint32_t open = 0;
    for (std::size_t a = 0; a < bias_.of(literal).types.size(); ++a) {
        if ((choice.known >> a & 1U) != 0) continue;
        if ((open >> literal.args[a] & 1U) != 0) return false;  // twice: rows differ
        if ((state.open >> literal.args[a] & 1U) != 0) return false;
        open |= 1U << literal.args[a];
    }
    if ((open & needed) != 0) return false;
    for (std::uint32_t g = 0; g < state.clause.body.size(); ++g) {
        if ((left >> g & 1U) == 0) continue;
        const Literal& other = state.clause.body[g];
        for (std::size_t a = 0; a < bias_.of(other).types.size(); ++a) {
            if ((open >> other.args[a] & 1U) != 0) return false;
        }
    }
    return true;
}

std::uint32_t Join::take(State& state, const Literal& literal, const Value* row, std::size_t arity, bool& fits) const {
    std::uint32_t added = 0;
    for (std::size_t a = 0; a < arity && fits; ++a) {
        const std::uint8_t variable = literal.args[a];
        if ((state.bound >> variable & 1U) == 0) {
            state.values[variable] = row[a];
            state.bound |= 1U << variable;
            added |= 1U << variable;
        } else {
            fits = state.values[variable] == row[a];
        }
    }
    return added;
}

void Join::take_open(State& state, const Literal& literal, const Value* row, std::size_t arity, bool& fits) const {
    for (std::size_t a = 0; a < arity && fits; ++a) {
        const std::uint8_t variable = literal.args[a];
        const std::uint32_t bit = 1U << variable;
        Value& value = state.values[variable];
        if ((state.bound & bit) == 0) {
            value = row[a];
        } else if (value != row[a]) {
            const std::optional<Value> common = bias_.open_values->common(value, row[a]);
            fits = common.has_value();
            if (fits) value = *common;
        }
        state.bound |= bit;
        state.open = bias_.open_values->is_open(value) ? state.open | bit : state.open & ~bit;
    }
}

}  // namespace neumann::search
