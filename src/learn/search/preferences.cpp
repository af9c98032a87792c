#include "learn/search/preferences.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "learn/search/base_sets.h"
#include "learn/search/refinements.h"

namespace neumann::search {
namespace {

bool is_linked(const Clause& clause, const Bias& bias) {
    Bias linked = bias;
    linked.linked = true;
    return is_whole(clause, linked);
}

std::size_t constants_in(const Clause& clause, const Task& task) {
    return static_cast<std::size_t>(std::ranges::count_if(clause.body, [&](const Literal& goal) {
        if (goal.predicate >= task.relations.size()) return false;
        const Relation& relation = task.relations[goal.predicate];
        const bool is_one = relation.arity() == 1 && !relation.on_demand() && relation.size() == 1;
        return is_one || !task.bias.of(goal).pattern.empty();
    }));
}

std::pair<bool, std::size_t> rank(const Clause& clause, const Task& task) {
    return {!is_linked(clause, task.bias), constants_in(clause, task)};
}

// Equations of the head's variables belong to recursion alone.
bool has_idle_equation(const std::vector<Clause>& program, const Bias& bias) {
    const auto some_goal = [&](const auto& is_one) {
        return std::ranges::any_of(program, [&](const Clause& one) { return std::ranges::any_of(one.body, is_one); });
    };
    return some_goal([&](const Literal& goal) { return bias.of(goal).kind == GoalKind::Same; }) &&
           !some_goal([](const Literal& goal) { return goal.predicate == own_predicate; });
}

bool have_inputs(const Clause& clause, const Bias& bias) {
    std::uint32_t known = 0;
    const auto learns = [&](const Literal& goal, Mask inputs) {
        bool all = true;
        for (std::size_t a = 0; a < bias.of(goal).types.size(); ++a)
            all = all && ((inputs >> a & 1U) == 0 || (known >> goal.args[a] & 1U) != 0);
        for (std::size_t a = 0; a < bias.of(goal).types.size(); ++a) known |= 1U << goal.args[a];
        return all;
    };
    for (std::size_t a = 0; a < bias.arity(); ++a) {
        if (bias.head.inputs == 0 || (bias.head.inputs >> a & 1U) != 0) known |= 1U << a;
    }
    return std::ranges::all_of(ordered(clause, bias).body,
                               [&](const Literal& goal) { return learns(goal, bias.of(goal).inputs); });
}

}  // namespace

void prefer_general(SearchResult& found, const Pool& pool, const Task& task) {
    std::vector<std::vector<Clause>> others;  // for each clause
    for (Clause& clause : found.program) {
        std::vector<Clause>& all = others.emplace_back();
        const auto candidate = std::ranges::find(pool.candidates(), clause, &Candidate::clause);
        if (candidate == pool.candidates().end()) continue;
        all = candidate->equals;
        all.insert(all.begin(), clause);
        const auto best = std::ranges::min_element(all, {}, [&](const Clause& one) { return rank(one, task); });
        clause = std::move(*best);
        all.erase(best);
    }
    for (std::size_t c = 0; c < others.size(); ++c) {
        for (Clause& other : others[c]) {
            std::vector<Clause> program = found.program;
            program[c] = std::move(other);
            found.equals.push_back(std::move(program));
        }
    }
}

void leave_out_idle_parts(SearchResult& found, Task& task) {
    const auto is_own = [](const Clause& clause) { return clause.head == own_predicate; };
    if (!found.is_right() || !std::ranges::all_of(found.program, is_own)) return;
    for (std::size_t c = 0; c < found.program.size() && found.program.size() > 1;) {
        std::vector<Clause> fewer = found.program;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(c));
        if (!has_idle_equation(fewer, task.bias) && is_right(fewer, task)) {
            found.size -= found.program[c].body.size() + 1;
            found.program = std::move(fewer);
        } else {
            ++c;
        }
    }
    for (std::size_t c = 0; c < found.program.size(); ++c) {
        for (std::size_t g = 0; g < found.program[c].body.size();) {
            std::vector<Clause> shorter = found.program;
            shorter[c].body.erase(shorter[c].body.begin() + static_cast<std::ptrdiff_t>(g));
            if (has_idle_equation(shorter, task.bias) || !is_whole(shorter[c], task.bias) ||
                !have_inputs(shorter[c], task.bias) || !is_right(shorter, task)) {
                ++g;
                continue;
            }
            found.program = std::move(shorter);
            --found.size;
        }
    }
}

}  // namespace neumann::search
