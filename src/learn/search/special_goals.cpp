#include "learn/search/special_goals.h"

#include <algorithm>
#include <set>

namespace neumann::search {
namespace {

void add(Task& task, Predicate predicate, Relation::Solver solver) {
    task.relations.emplace_back(predicate.types.size(), predicate.inputs, std::move(solver));
    task.bias.body.push_back(std::move(predicate));
}

void add_comparison(Task& task, std::uint16_t type, bool same) {
    Predicate predicate{same ? "=" : "\\=", {type, type}, same ? Mask{1} : Mask{3}, {}};
    predicate.kind = same ? GoalKind::Same : GoalKind::Different;
    add(task, std::move(predicate), [same](std::span<const Value> args, Mask, std::vector<Value>& tuples) {
        if (same)
            tuples.insert(tuples.end(), {args[0], args[0]});
        else if (args[0] != args[1])
            tuples.insert(tuples.end(), {args[0], args[1]});
        return Relation::Answers::All;
    });
}

void add_negation(Task& task, std::size_t of) {
    Predicate predicate = task.bias.body[of];
    const Mask all = (Mask{1} << predicate.types.size()) - 1;
    predicate.name = "not " + predicate.name;
    if (!predicate.pattern.empty()) predicate.pattern[0] = "not " + predicate.pattern[0];
    predicate.kind = GoalKind::Negation;
    predicate.of = static_cast<std::uint16_t>(of);
    predicate.inputs = all;
    add(task, std::move(predicate),
        [&relations = task.relations, of, all](std::span<const Value> args, Mask, std::vector<Value>& tuples) {
            if (relations[of].matches(args, all).empty()) tuples.insert(tuples.end(), args.begin(), args.end());
            return Relation::Answers::All;
        });
}

}  // namespace

void add_equality(Task& task) {
    const std::vector<std::uint16_t>& head = task.bias.head.types;
    std::set<std::uint16_t> types(head.begin(), head.end());
    for (const std::uint16_t type : types) {
        if (std::ranges::count(head, type) > 1) add_comparison(task, type, true);
    }
}

void add_special_goals(Task& task) {
    const Bias& bias = task.bias;
    const std::size_t declared = bias.body.size();
    if (std::ranges::none_of(bias.body, [](const Predicate& one) { return one.kind == GoalKind::Same; }))
        add_equality(task);
    std::set<std::uint16_t> types(bias.head.types.begin(), bias.head.types.end());
    for (const Predicate& predicate : bias.body) types.insert(predicate.types.begin(), predicate.types.end());
    for (const std::uint16_t type : bias.single_types) types.erase(type);
    for (const std::uint16_t type : types) add_comparison(task, type, false);
    for (std::size_t p = 0; p < declared; ++p) {
        const Predicate& predicate = bias.body[p];
        const Mask all = (Mask{1} << predicate.types.size()) - 1;
        const bool is_test = !task.relations[p].on_demand() || task.relations[p].inputs() == all;
        if (predicate.usable && predicate.kind == GoalKind::Relation && is_test && !predicate.types.empty())
            add_negation(task, p);
    }
}

}  // namespace neumann::search
