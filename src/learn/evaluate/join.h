// Join of a clause's body over the relations: goal by goal, the one with the fewest rows next, which ends as
// soon as one solution is enough. Variables without a further use are not enumerated. Lookups of goals count as work;
// beyond its limit the join finds nothing more, so callers check the limit before they use an answer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"
#include "learn/evaluate/work.h"

namespace neumann::search {

// The tuples of the clause's own predicate, for goals of recursive clauses.
class OwnAnswers {
public:
    virtual ~OwnAnswers() = default;
    // Tuples, one after the other; there can be more of them while they are gone through.
    virtual const std::vector<Value>& answers(std::span<const Value> args, Mask known) = 0;
};

class Join {
public:
    Join(const Bias& bias, std::vector<Relation>& relations, Work& work)
        : bias_(bias), relations_(relations), work_(work) {}

    // Whether the body holds for some values of the other variables.
    bool holds(const Clause& clause, std::span<const Value> head) {
        State state(clause);
        bind(state, head, ~Mask{0});
        const bool found = step(state, all(clause), 0, nullptr, [](const State&) { return true; });
        count();
        return found;
    }

    // `found` gets the head's values for each solution, and returns whether to stop. `needed`: the head's variables.
    template <class Found>
    bool each(const Clause& clause, std::span<const Value> head, Mask known, OwnAnswers* own, Found&& found) {
        State state(clause);
        bind(state, head, known);
        const std::uint32_t needed = (1U << bias_.arity()) - 1;
        const bool enough = step(state, all(clause), needed, own, [&](const State& solved) {
            if ((solved.bound & needed) != needed) return false;
            if ((solved.open & needed) != 0) {
                floundered_ = true;
                return false;
            }
            work_done_ += work_of_solution;
            return found(std::span<const Value>(solved.values.data(), bias_.arity()));
        });
        count();
        return enough;
    }

    // From now on so many goals may be tried; beyond them nothing more is found.
    void allow(std::uint64_t steps) {
        count();
        steps_ = counted_steps_ = 0;
        most_steps_ = steps;
        pause_ = std::min(steps, between_pauses);
    }
    bool gave_up() const { return steps_ > most_steps_; }
    // Some goal was left without its inputs, or some variable of the head with an open value, so that answers may be
    // missing.
    bool has_floundered() const { return floundered_; }
    void give_up() {
        count();
        most_steps_ = pause_ = 0;
        steps_ = counted_steps_ = 1;
    }

private:
    struct State {
        explicit State(const Clause& c) : clause(c) {}
        const Clause& clause;
        std::array<Value, most_variables> values{};
        std::uint32_t bound = 0;  // variables
        std::uint32_t open = 0;   // of these, those with open values
    };
    struct Choice {
        int goal = -1;
        Mask known = 0;
        std::size_t rows = 0;
        std::span<const std::uint32_t> matches;
        std::array<Value, most_arguments> args{};
        Mask open = 0;  // arguments with open values
    };

    static std::uint32_t all(const Clause& clause) { return (1U << clause.body.size()) - 1; }
    void bind(State& state, std::span<const Value> head, Mask known) const {
        for (std::size_t a = 0; a < bias_.arity(); ++a) {
            if ((known >> a & 1U) == 0) continue;
            state.values[a] = head[a];
            state.bound |= 1U << a;
        }
    }
    // Takes goals that hold out of `left`. False: one of them fails.
    bool choose(const State& state, std::uint32_t& left, Choice& best);
    bool enough_exists(const State& state, std::uint32_t left, std::uint32_t needed, const Choice& choice) const;
    // The variables that a row binds; 0 and `fits` false if it does not fit.
    std::uint32_t take(State& state, const Literal& literal, const Value* row, std::size_t arity, bool& fits) const;
    // The same where values may be open: variables get what they and the row have in common.
    void take_open(State& state, const Literal& literal, const Value* row, std::size_t arity, bool& fits) const;
    bool may_be_open(const Literal& literal) const {
        return literal.predicate != bias_.itself() && relations_[literal.predicate].has_open();
    }

    template <class Found>
    bool step(State& state, std::uint32_t left, std::uint32_t needed, OwnAnswers* own, Found&& found) {
        if (++steps_ > pause_ && !goes_on()) return false;
        Choice choice;
        if (!choose(state, left, choice)) return false;
        if (left == 0) return found(state);
        if (choice.goal < 0) {
            floundered_ = true;
            return false;
        }
        const Literal& literal = state.clause.body[static_cast<std::size_t>(choice.goal)];
        const std::uint32_t rest = left & ~(1U << choice.goal);
        const std::size_t arity = bias_.of(literal).types.size();
        if (literal.predicate == bias_.itself()) {
            if (own == nullptr) return false;
            const std::vector<Value>& rows = own->answers({choice.args.data(), arity}, choice.known);
            for (std::size_t r = 0; r < rows.size(); r += arity) {
                if (try_row(state, literal, rows.data() + r, arity, rest, needed, own, found)) return true;
            }
            return false;
        }
        if (enough_exists(state, rest, needed, choice)) return step(state, rest, needed, own, found);
        for (const std::uint32_t r : choice.matches) {
            if (try_row(state, literal, relations_[literal.predicate].row(r), arity, rest, needed, own, found))
                return true;
        }
        return false;
    }

    template <class Found>
    bool try_row(State& state, const Literal& literal, const Value* row, std::size_t arity, std::uint32_t rest,
                 std::uint32_t needed, OwnAnswers* own, Found&& found) {
        bool fits = true;
        if (bias_.open_values && (state.open != 0 || may_be_open(literal))) {
            const State before = state;
            take_open(state, literal, row, arity, fits);
            const bool stop = fits && step(state, rest, needed, own, found);
            state.values = before.values;
            state.bound = before.bound;
            state.open = before.open;
            return stop;
        }
        const std::uint32_t added = take(state, literal, row, arity, fits);
        const bool stop = fits && step(state, rest, needed, own, found);
        state.bound &= ~added;
        return stop;
    }

    void count() {
        work_.add(work_done_ + work_of_step * (steps_ - counted_steps_));
        work_done_ = 0;
        counted_steps_ = steps_;
    }
    bool goes_on();

    static constexpr std::uint64_t between_pauses = 4096;  // steps
    static constexpr std::uint64_t work_of_step = 2;       // beside 1 for each lookup
    static constexpr std::uint64_t work_of_solution = 3;

    const Bias& bias_;
    std::vector<Relation>& relations_;
    Work& work_;
    std::uint64_t work_done_ = 0;  // and not yet counted, as are the last steps
    std::uint64_t steps_ = 0;
    std::uint64_t counted_steps_ = 0;
    bool floundered_ = false;
    std::uint64_t most_steps_ = unlimited_work;
    std::uint64_t pause_ = between_pauses;  // the step at which it is asked whether to go on
};

}  // namespace neumann::search
