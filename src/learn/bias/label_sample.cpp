#include "learn/bias/label_sample.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "learn/evaluate/join.h"
#include "learn/evaluate/program.h"

namespace neumann {
namespace {

constexpr std::size_t many = 8'000;        // labels
constexpr std::size_t sampled = 1'500;     // of each sign
constexpr std::size_t most_joining = 200;  // of each sign at a time
constexpr std::uint64_t steps_of_label = 3'000;
constexpr std::size_t labels_of_tables = 200;  // after which a recursive program begins with new ones

// Which labels a program covers.
class Coverage {
public:
    Coverage(search::Task& task, const std::vector<search::Clause>& program)
        : task_(task), program_(program), join_(task.bias, task.relations, work_) {
        for (const search::Clause& clause : program) {
            clauses_.push_back(&clause);
            recursive_ = recursive_ || std::ranges::any_of(clause.body, [&](const search::Literal& goal) {
                             return goal.predicate == task.bias.itself();
                         });
        }
    }

    bool covers(const std::vector<search::Value>& atom) {
        if (!recursive_)
            return std::ranges::any_of(program_, [&](const auto& clause) { return join_.holds(clause, atom); });
        if (asked_++ % labels_of_tables == 0)
            tables_.emplace(task_.bias, task_.relations, clauses_, steps_of_label, work_);
        return tables_->covers(atom);
    }

private:
    search::Task& task_;
    const std::vector<search::Clause>& program_;
    search::Work work_;  // of its own: counted to the end, even beyond the limit
    search::Join join_;
    std::vector<const search::Clause*> clauses_;
    bool recursive_ = false;
    std::optional<search::Program> tables_;
    std::size_t asked_ = 0;
};

}  // namespace

LabelSample::LabelSample(search::Task& task) : task_(task) {
    if (task.positives.size() + task.negatives.size() <= many) return;
    whole_ = false;
    begin(positives_, task.positives);
    begin(negatives_, task.negatives);
}

// Evenly spaced, so that all worlds are among them.
void LabelSample::begin(Labels& labels, std::vector<std::vector<search::Value>>& seen) {
    labels.all = std::exchange(seen, {});
    labels.taken.assign(labels.all.size(), false);
    const std::size_t count = std::min(sampled, labels.all.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t chosen = i * labels.all.size() / count;
        labels.taken[chosen] = true;
        seen.push_back(labels.all[chosen]);
    }
}

bool LabelSample::recount(search::SearchResult& found) {
    if (whole_) return false;
    bool more = false;
    found.false_negatives = recount(positives_, task_.positives, found, true, more);
    found.false_positives = recount(negatives_, task_.negatives, found, false, more);
    found.true_positives = positives_.all.size() - found.false_negatives;
    found.true_negatives = negatives_.all.size() - found.false_positives;
    return more;
}

std::size_t LabelSample::recount(Labels& labels, std::vector<std::vector<search::Value>>& seen,
                                 const search::SearchResult& found, bool covered_is_right, bool& more) {
    Coverage coverage(task_, found.program);
    std::size_t wrong = 0;
    std::size_t joined = 0;
    for (std::size_t i = 0; i < labels.all.size(); ++i) {
        if (coverage.covers(labels.all[i]) == covered_is_right) continue;
        ++wrong;
        if (labels.taken[i] || joined == most_joining) continue;
        labels.taken[i] = more = true;
        ++joined;
        seen.push_back(labels.all[i]);
    }
    return wrong;
}

void LabelSample::take_all() {
    if (whole_) return;
    whole_ = true;
    task_.positives = std::move(positives_.all);
    task_.negatives = std::move(negatives_.all);
}

}  // namespace neumann
