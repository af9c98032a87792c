#include "induce/positives_only.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/rng.h"

namespace neumann::induce {
namespace {

constexpr std::size_t most_assumed = 2000;
constexpr double share_of_closed_world = 0.1;  // of the time: if labels are complete a program is found soon

using Tuples = std::vector<std::vector<Value>>;

std::map<std::uint16_t, std::vector<Value>> constants_by_type(const Task& task) {
    std::map<std::uint16_t, std::set<Value>> found;
    for (const std::vector<Value>& label : task.positives)
        for (std::size_t a = 0; a < label.size(); ++a) found[task.bias.head.types[a]].insert(label[a]);
    for (std::size_t p = 0; p < task.relations.size(); ++p) {
        const Relation& relation = task.relations[p];
        if (relation.on_demand()) continue;
        for (std::uint32_t r = 0; r < relation.size(); ++r)
            for (std::size_t a = 0; a < relation.arity(); ++a)
                found[task.bias.body[p].types[a]].insert(relation.row(r)[a]);
    }
    std::map<std::uint16_t, std::vector<Value>> sorted;
    for (const auto& [type, values] : found) sorted[type].assign(values.begin(), values.end());
    return sorted;
}

Limits part_of(const Limits& limits, double seconds) {
    Limits part = limits;
    part.seconds = seconds;
    return part;
}

}  // namespace

Tuples unlabelled_tuples(const Task& task, std::size_t most) {
    const std::map<std::uint16_t, std::vector<Value>> constants = constants_by_type(task);
    const std::set<std::vector<Value>> labelled(task.positives.begin(), task.positives.end());
    double all = 1;
    for (const std::uint16_t type : task.bias.head.types) all *= static_cast<double>(constants.at(type).size());
    Tuples tuples;
    std::vector<Value> tuple(task.bias.arity());
    if (all > static_cast<double>(most)) {
        Rng rng(1);
        std::set<std::vector<Value>> drawn;
        for (std::size_t tries = 0; drawn.size() < most && tries < 10 * most; ++tries) {
            for (std::size_t a = 0; a < tuple.size(); ++a) {
                const std::vector<Value>& values = constants.at(task.bias.head.types[a]);
                tuple[a] = values[rng.below(static_cast<std::uint32_t>(values.size()))];
            }
            if (!labelled.contains(tuple)) drawn.insert(tuple);
        }
        return {drawn.begin(), drawn.end()};
    }
    const auto fill = [&](auto&& self, std::size_t a) -> void {
        if (a == tuple.size()) {
            if (!labelled.contains(tuple)) tuples.push_back(tuple);
            return;
        }
        for (const Value value : constants.at(task.bias.head.types[a])) {
            tuple[a] = value;
            self(self, a + 1);
        }
    };
    fill(fill, 0);
    return tuples;
}

Tuples reversed_labels(const Task& task) {
    const std::vector<std::uint16_t>& types = task.bias.head.types;
    if (types.size() != 2 || types[0] != types[1]) return {};
    const std::set<std::vector<Value>> labelled(task.positives.begin(), task.positives.end());
    std::set<std::vector<Value>> reversed;
    bool with_itself = true;
    bool other_way = true;
    for (const std::vector<Value>& label : task.positives) {
        with_itself = with_itself && label[0] != label[1];
        other_way = other_way && !labelled.contains({label[1], label[0]});
    }
    for (const std::vector<Value>& label : task.positives) {
        if (with_itself) reversed.insert({{label[0], label[0]}, {label[1], label[1]}});
        if (other_way) reversed.insert({label[1], label[0]});
    }
    return {reversed.begin(), reversed.end()};
}

Induced induce_labels(Task& task, const Limits& limits, const Improved& improved, std::string& assumed) {
    if (!task.negatives.empty()) return induce(task, limits, improved);
    const Clock clock(limits);
    task.negatives = unlabelled_tuples(task, most_assumed);
    assumed = fmt::format("all labels are positive: {} atoms that are not labelled are taken to be false",
                          task.negatives.size());
    const auto if_right = [&](const Induced& best) {
        if (best.is_right() && improved) improved(best);
    };
    Induced closed = induce(task, part_of(limits, share_of_closed_world * limits.seconds), if_right);
    if (closed.is_right() || (limits.stop != nullptr && *limits.stop)) return closed;
    task.negatives = reversed_labels(task);
    task.bias.linked = true;
    assumed =
        fmt::format("all labels are positive, and no program is right if all else is false: {} atoms are taken to "
                    "be false, labels the other way round and constants with themselves",
                    task.negatives.size());
    Induced open = induce(task, part_of(limits, limits.seconds - clock.seconds()), improved);
    open.candidates += closed.candidates;
    open.seconds = clock.seconds();
    return open;
}

}  // namespace neumann::induce
