#include "induce/program.h"

#include <algorithm>
#include <utility>

namespace neumann::induce {
namespace {

constexpr unsigned deepest_call = 200;
constexpr std::size_t most_calls = 20'000;
constexpr std::size_t most_rows = 20'000;  // of one call, in values

}  // namespace

Program::Program(const Bias& bias, std::vector<Relation>& relations, std::vector<const Clause*> clauses,
                 std::uint64_t most_steps)
    : bias_(bias), join_(bias, relations), clauses_(std::move(clauses)), most_steps_(most_steps) {}

bool Program::covers(std::span<const Value> atom) {
    const Mask all = (Mask{1} << bias_.arity()) - 1;
    const Mask known = bias_.head.inputs == 0 ? all : bias_.head.inputs;
    join_.steps = 0;
    join_.most_steps = most_steps_;
    const std::vector<Value> wanted(atom.begin(), atom.end());
    const std::vector<Value>* rows = nullptr;
    do {
        ++round_;
        changed_ = false;
        met_running_ = false;
        rows = &answers(atom, known);
    } while (changed_ && met_running_ && join_.steps <= most_steps_);
    if (join_.steps <= most_steps_) {
        for (auto& [key, table] : tables_) table.complete = table.complete || table.round == round_;
    } else {
        tables_.clear();
        gave_up_ = true;
        return false;
    }
    for (std::size_t r = 0; r < rows->size(); r += bias_.arity()) {
        if (std::equal(wanted.begin(), wanted.end(), rows->begin() + static_cast<std::ptrdiff_t>(r))) return true;
    }
    return false;
}

const std::vector<Value>& Program::answers(std::span<const Value> args, Mask known) {
    static const std::vector<Value> none;
    if (bias_.head.inputs != 0) known &= bias_.head.inputs;  // one table for all that is wanted of the outputs
    std::vector<Value> key = {known};
    for (std::size_t a = 0; a < bias_.arity(); ++a) {
        if ((known >> a & 1U) != 0) key.push_back(args[a]);
    }
    const auto found = tables_.find(key);
    if (found == tables_.end() && (tables_.size() >= most_calls || depth_ >= deepest_call)) {
        join_.steps = most_steps_ + 1;
        return none;
    }
    Table& table = found == tables_.end() ? tables_[std::move(key)] : found->second;
    if (table.running) met_running_ = true;
    if (table.complete || table.running || table.round == round_) return table.rows;
    table.round = round_;
    evaluate(table, args, known);
    return table.rows;
}

std::vector<std::vector<Value>> Program::calls() const {
    std::vector<std::vector<Value>> all;
    for (const auto& [call, table] : tables_) all.push_back(call);
    std::ranges::sort(all);
    return all;
}

void Program::evaluate(Table& table, std::span<const Value> args, Mask known) {
    const std::vector<Value> head(args.begin(), args.end());
    table.running = true;
    ++depth_;
    for (const Clause* clause : clauses_) {
        join_.each(*clause, head, known, this, [&](std::span<const Value> tuple) {
            std::vector<Value> one(tuple.begin(), tuple.end());
            if (table.rows.size() < most_rows && table.known.insert(one).second) {
                table.rows.insert(table.rows.end(), one.begin(), one.end());
                changed_ = true;
            }
            return false;
        });
    }
    --depth_;
    table.running = false;
}

}  // namespace neumann::induce
