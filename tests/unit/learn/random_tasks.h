// Small random tasks, and their clauses evaluated by trying all values.
#pragma once

#include <random>
#include <set>
#include <vector>

#include "learn/evaluate/relational_task.h"
#include "learn/search/refinements.h"

namespace neumann::search {

inline constexpr Value domain = 6;

// p/1, q/2, r/3 over six values; f/2 to be learned.
inline Task random_task(std::mt19937& random) {
    Task task;
    task.bias.head = {"f", {0, 0}, 0, {}};
    task.bias.body = {{"p", {0}, 0, {}}, {"q", {0, 0}, 0, {}}, {"r", {0, 0, 0}, 0, {}}};
    task.bias.most_variables = 5;
    for (std::size_t arity = 1; arity <= 3; ++arity) {
        Relation relation(arity);
        for (int t = 0; t < 9; ++t) {
            std::vector<Value> tuple(arity);
            for (Value& value : tuple) value = random() % domain;
            relation.add(tuple);
        }
        task.relations.push_back(std::move(relation));
    }
    for (Value a = 0; a < domain; ++a) {
        for (Value b = 0; b < domain; ++b) (random() % 2 == 0 ? task.positives : task.negatives).push_back({a, b});
    }
    return task;
}

inline Clause random_clause(const Task& task, std::size_t goals, std::mt19937& random) {
    Clause clause{{}, static_cast<std::uint8_t>(task.bias.arity())};
    while (clause.body.size() < goals) {
        const std::vector<Literal> all = refinements(clause, task.bias, false);
        clause = with_goal(clause, all[random() % all.size()], task.bias);
    }
    return clause;
}

inline bool holds_by_trial(const Clause& clause, const Task& task, const std::vector<Value>& head) {
    std::vector<Value> values(clause.variables, 0);
    std::copy(head.begin(), head.end(), values.begin());
    while (true) {
        bool all = true;
        for (const Literal& literal : clause.body) {
            const Relation& relation = task.relations[literal.predicate];
            bool some = false;
            for (std::uint32_t r = 0; r < relation.size() && !some; ++r) {
                some = true;
                for (std::size_t a = 0; a < relation.arity(); ++a)
                    some = some && relation.row(r)[a] == values[literal.args[a]];
            }
            all = all && some;
        }
        if (all) return true;
        std::size_t v = head.size();
        while (v < values.size() && ++values[v] == domain) values[v++] = 0;
        if (v == values.size()) return false;
    }
}

}  // namespace neumann::search
