#include "learn/search/cross_validation.h"

#include <utility>

#include "learn/evaluate/program.h"
#include "learn/search/program_search.h"

namespace neumann::search {
namespace {

constexpr std::uint64_t steps_of_left_out = 20'000;

using Tuples = std::vector<std::vector<Value>>;

// Takes every `parts`th label out.
Tuples taken_out(Tuples& labels, std::size_t part, std::size_t parts) {
    Tuples out;
    Tuples kept;
    for (std::size_t i = 0; i < labels.size(); ++i) (i % parts == part ? out : kept).push_back(std::move(labels[i]));
    labels = std::move(kept);
    return out;
}

std::size_t right_labels(Task& task, const SearchResult& found, const Tuples& positives, const Tuples& negatives) {
    std::vector<const Clause*> clauses;
    for (const Clause& clause : found.program) clauses.push_back(&clause);
    Program runs(task.bias, task.relations, clauses, steps_of_left_out, *task.work);
    std::size_t right = 0;
    for (const std::vector<Value>& label : positives) right += runs.covers(label) ? 1 : 0;
    for (const std::vector<Value>& label : negatives) right += runs.covers(label) ? 0 : 1;
    return right;
}

}  // namespace

std::vector<ValidatedScore> cross_validate(const Task& task, const Limits& limits, std::size_t parts) {
    std::vector<ValidatedScore> scores;
    for (std::size_t s = 0; s < score_names().size(); ++s) scores.push_back({static_cast<ScoreKind>(s)});
    const std::size_t labels = task.positives.size() + task.negatives.size();
    const Limits each = limits.part(limits.work / (2 * parts * scores.size()));
    for (std::size_t part = 0; part < parts; ++part) {
        for (ValidatedScore& one : scores) {
            Task rest = task;
            rest.score = one.score;
            rest.bias.as_declared = true;
            rest.bias.invention = false;
            const Tuples positives = taken_out(rest.positives, part, parts);
            const Tuples negatives = taken_out(rest.negatives, part, parts);
            const SearchResult found = search_programs(rest, each);
            const std::size_t right = right_labels(rest, found, positives, negatives);
            one.accuracy += static_cast<double>(right) / static_cast<double>(labels);
        }
    }
    return scores;
}

}  // namespace neumann::search
