// Evaluation of a program with recursive clauses for given atoms: every call is evaluated once and kept, calls that
// depend on each other are evaluated again until nothing is added. Bounded in steps, calls and depth; beyond the bounds
// no further atoms follow.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "learn/evaluate/join.h"
#include "learn/evaluate/tuple_table.h"

namespace neumann::search {

class Program : private OwnAnswers {
public:
    // `most_steps`: for one atom.
    Program(const Bias& bias, std::vector<Relation>& relations, std::vector<const Clause*> clauses,
            std::uint64_t most_steps, Work& work);

    bool covers(std::span<const Value> atom);
    // All tuples that agree with the known arguments, which include the inputs of the head.
    const TupleTable& solve(std::span<const Value> args, Mask known);
    // Some atom took more steps than allowed or asked for something without its inputs, or the work was over.
    bool gave_up() const { return gave_up_; }
    bool has_floundered() const { return join_.has_floundered(); }  // goals lacked inputs: answers are missing
    // All calls so far: each as the known positions, followed by the arguments, 0 for those that are not known.
    const TupleTable& calls() const { return calls_; }

private:
    struct Table {
        explicit Table(std::size_t arity) : rows(arity) {}
        TupleTable rows;
        std::uint32_t round = 0;
        bool running = false;
        bool complete = false;
    };

    const std::vector<Value>& answers(std::span<const Value> args, Mask known) override;
    Table& table_for(std::span<const Value> args, Mask known);
    void evaluate(Table& table, std::span<const Value> args, Mask known);

    const Bias& bias_;
    Work& work_;
    Join join_;
    std::vector<const Clause*> clauses_;
    std::uint64_t most_steps_;
    bool recursive_ = false;
    TupleTable calls_;
    std::deque<Table> tables_;  // as calls_
    std::vector<Table*> visited_;
    std::uint32_t round_ = 0;
    unsigned depth_ = 0;
    bool changed_ = false;
    bool met_running_ = false;
    bool gave_up_ = false;
};

}  // namespace neumann::search
