#include "learn/search/positives_only.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/rng.h"
#include "learn/search/base_sets.h"
#include "learn/search/preferences.h"

namespace neumann::search {
namespace {

constexpr std::size_t most_assumed = 2000;
constexpr std::uint64_t work_of_closed_world = 5 * work_of_second;  // if labels are complete a program is found soon

constexpr std::uint64_t work_of_short = 5 * work_of_second;  // for clauses of so few goals
constexpr std::array<unsigned, 2> short_bodies = {2, 3};

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

// A search that gets a part of the work; a right program is then not made shorter any more.
SearchResult search_part(Task& task, const Limits& limits, std::uint64_t part, const Improved& improved) {
    SearchResult found = search_programs(task, limits.part(part), improved);
    if (found.is_right() && found.ended == Ended::WorkLimit && !task.work->is_over()) found.ended = Ended::Settled;
    return found;
}

// Clauses of few goals first: with few negatives long ones fit by accident.
SearchResult search_short_first(Task& task, const Limits& limits, const Improved& improved) {
    if (task.bias.recursion) {
        SearchResult found;
        found.program = recursion_over_bases(task);
        for (const Clause& clause : found.program) found.size += clause.body.size() + 1;
        found.true_positives = task.positives.size();
        found.true_negatives = task.negatives.size();
        found.ended = Ended::Settled;
        if (!found.program.empty()) return found;
    }
    const unsigned most_body = task.bias.most_body;
    std::uint64_t candidates = 0;
    for (const unsigned body : short_bodies) {
        if (body >= most_body) break;
        task.bias.most_body = body;
        SearchResult found = search_part(task, limits, work_of_short, improved);
        candidates += found.candidates;
        found.candidates = candidates;
        task.bias.most_body = most_body;
        if (found.is_shortest() && found.size > body + 2) found.ended = Ended::Settled;  // a longer body may be shorter
        if (found.is_right()) return found;
    }
    SearchResult found = search_programs(task, limits, improved);
    found.candidates += candidates;
    return found;
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

SearchResult search_labels(Task& task, const Limits& limits, const Improved& improved, std::string& assumed) {
    if (!task.negatives.empty()) return search_programs(task, limits, improved);
    const WorkLimits holding(*task.work, limits);
    const std::uint64_t begun_at = task.work->done();
    task.negatives = unlabelled_tuples(task, most_assumed);
    assumed = fmt::format("all labels are positive: {} atoms that are not labelled are taken to be false",
                          task.negatives.size());
    const auto if_right = [&](const SearchResult& best) {
        if (best.is_right() && improved) improved(best);
    };
    SearchResult closed = search_part(task, limits, work_of_closed_world, if_right);
    if (closed.is_right() || !closed.hint.empty() || task.work->is_over()) return closed;
    task.negatives = reversed_labels(task);
    task.bias.linked = true;
    assumed =
        fmt::format("all labels are positive, and no program is right if all else is false: {} atoms are taken to "
                    "be false, labels the other way round and constants with themselves",
                    task.negatives.size());
    SearchResult open = search_short_first(task, limits, improved);
    leave_out_idle_parts(open, task);
    open.candidates += closed.candidates;
    open.seconds += closed.seconds;
    open.work = task.work->done() - begun_at;
    return open;
}

}  // namespace neumann::search
