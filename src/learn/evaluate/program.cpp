#include "learn/evaluate/program.h"

#include <algorithm>
#include <utility>

namespace neumann::search {
namespace {

constexpr unsigned deepest_call = 200;
constexpr std::size_t most_calls = 20'000;
constexpr std::size_t most_rows = 10'000;  // of one call
constexpr std::uint64_t work_of_table = 10;

}  // namespace

Program::Program(const Bias& bias, std::vector<Relation>& relations, std::vector<const Clause*> clauses,
                 std::uint64_t most_steps, Work& work)
    : bias_(bias), work_(work), join_(bias, relations, work), clauses_(std::move(clauses)), most_steps_(most_steps),
      calls_(bias.arity() + 1) {
    for (const Clause* clause : clauses_) {
        recursive_ = recursive_ || std::ranges::any_of(clause->body, [](const Literal& goal) {
                         return goal.predicate == own_predicate;
                     });
    }
}

bool Program::covers(std::span<const Value> atom) {
    const Mask all = (Mask{1} << bias_.arity()) - 1;
    const TupleTable& rows = solve(atom, bias_.head.inputs == 0 ? all : bias_.head.inputs);
    return rows.find(atom.data()) != TupleTable::absent;
}

const TupleTable& Program::solve(std::span<const Value> args, Mask known) {
    static const TupleTable none(0);
    join_.allow(most_steps_);
    visited_.clear();
    do {
        ++round_;
        changed_ = false;
        met_running_ = false;
        answers(args, known);
    } while (changed_ && met_running_ && !join_.gave_up() && !work_.is_over());
    if (join_.gave_up() || join_.has_floundered() || work_.is_over()) {
        gave_up_ = true;
        return none;
    }
    for (Table* table : visited_) table->complete = true;
    return table_for(args, known).rows;
}

Program::Table& Program::table_for(std::span<const Value> args, Mask known) {
    std::array<Value, most_arguments + 1> key{known};
    for (std::size_t a = 0; a < bias_.arity(); ++a) {
        if ((known >> a & 1U) != 0) key[a + 1] = args[a];
    }
    const auto [number, added] = calls_.add(key.data());
    if (added) tables_.emplace_back(bias_.arity());
    return tables_[number];
}

const std::vector<Value>& Program::answers(std::span<const Value> args, Mask known) {
    static const std::vector<Value> none;
    if (bias_.head.inputs != 0) known &= bias_.head.inputs;  // one table for all that is wanted of the outputs
    if (tables_.size() >= most_calls || depth_ >= deepest_call) {
        join_.give_up();
        return none;
    }
    Table& table = table_for(args, known);
    if (table.running) met_running_ = true;
    if (table.complete || table.running || table.round == round_) return table.rows.values();
    if (table.round == 0) visited_.push_back(&table);
    table.round = round_;
    work_.add(work_of_table);
    evaluate(table, args, known);
    return table.rows.values();
}

void Program::evaluate(Table& table, std::span<const Value> args, Mask known) {
    std::array<Value, most_arguments> head{};  // the arguments may be those of a row that moves
    std::ranges::copy(args, head.begin());
    table.running = true;
    ++depth_;
    const bool one_is_enough = !recursive_ && known == (Mask{1} << bias_.arity()) - 1;
    for (const Clause* clause : clauses_) {
        if (one_is_enough && table.rows.size() > 0) break;
        join_.each(*clause, {head.data(), args.size()}, known, this, [&](std::span<const Value> tuple) {
            if (table.rows.size() < most_rows && table.rows.add(tuple.data()).second) changed_ = true;
            return one_is_enough;
        });
    }
    --depth_;
    table.running = false;
}

}  // namespace neumann::search
