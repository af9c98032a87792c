#include "learn/search/base_sets.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "learn/evaluate/join.h"
#include "learn/evaluate/program.h"
#include "learn/search/refinements.h"

namespace neumann::search {
namespace {

constexpr std::uint64_t steps_of_right = 20'000;
constexpr std::size_t most_single_bases = 8;
constexpr std::size_t most_in_a_set = 3;
constexpr unsigned longest_recursion = 2;

Clause headless(const Bias& bias) { return {{}, static_cast<std::uint8_t>(bias.arity())}; }

// Of one goal, and without a negative.
std::vector<Clause> crisp_bases(Task& task) {
    Join join(task.bias, task.relations, *task.work);
    std::vector<Clause> bases;
    for (const Literal& goal : refinements(headless(task.bias), task.bias, false)) {
        const Clause one = with_goal(headless(task.bias), goal, task.bias);
        const auto holds = [&](const std::vector<Value>& atom) { return join.holds(one, atom); };
        if (is_whole(one, task.bias) && std::ranges::none_of(task.negatives, holds)) bases.push_back(one);
        if (bases.size() == most_single_bases) break;
    }
    return bases;
}

// Shorter ones first.
std::vector<Clause> recursive_clauses(const Task& task) {
    const Bias& bias = task.bias;
    const auto calls_itself = [&](const Clause& clause) {
        return std::ranges::any_of(clause.body, [&](const Literal& goal) { return goal.predicate == bias.itself(); });
    };
    std::vector<Clause> found;
    std::vector<Clause> level = {headless(bias)};
    SeenForms seen;
    for (unsigned goals = 1; goals <= std::min(longest_recursion, bias.most_body); ++goals) {
        std::vector<Clause> next;
        for (const Clause& clause : level) {
            for (const Literal& goal : refinements(clause, bias, true)) {
                if (task.work->is_over()) return {};
                std::optional<Clause> one = new_form(clause, goal, bias, seen, *task.work);
                if (!one) continue;
                if (calls_itself(*one) && is_whole(*one, bias)) found.push_back(*one);
                next.push_back(std::move(*one));
            }
        }
        level = std::move(next);
    }
    return found;
}

// All sets of at least two, smaller ones first.
std::vector<std::vector<Clause>> sets_of(const std::vector<Clause>& bases, std::size_t most) {
    std::vector<std::vector<Clause>> sets;
    for (std::size_t chosen = 0; chosen < std::size_t{1} << bases.size(); ++chosen) {
        std::vector<Clause> one;
        for (std::size_t b = 0; b < bases.size(); ++b)
            if ((chosen >> b & 1U) != 0) one.push_back(bases[b]);
        if (one.size() >= 2 && one.size() <= most) sets.push_back(std::move(one));
    }
    std::ranges::stable_sort(sets, {}, &std::vector<Clause>::size);
    return sets;
}

}  // namespace

bool is_right(const std::vector<Clause>& program, Task& task) {
    if (task.bias.filter && !task.bias.filter->allows(program, task.bias)) return false;
    std::vector<const Clause*> clauses;
    for (const Clause& clause : program) clauses.push_back(&clause);
    Program runs(task.bias, task.relations, clauses, steps_of_right, *task.work);
    const auto covered = [&](const std::vector<Value>& atom) { return runs.covers(atom); };
    return std::ranges::all_of(task.positives, covered) && std::ranges::none_of(task.negatives, covered) &&
           !runs.gave_up();
}

std::vector<Clause> recursion_over_bases(Task& task) {
    const std::size_t most_clauses = task.bias.most_clauses;
    const std::size_t most = most_clauses == 0 ? most_in_a_set : std::min(most_clauses - 1, most_in_a_set);
    const std::vector<Clause> recursions = recursive_clauses(task);
    for (const std::vector<Clause>& bases : sets_of(crisp_bases(task), most)) {
        for (const Clause& recursion : recursions) {
            if (task.work->is_over()) return {};
            std::vector<Clause> program = bases;
            program.push_back(recursion);
            if (is_right(program, task)) return program;
        }
    }
    return {};
}

}  // namespace neumann::search
