#include "explain/what_if.h"

#include <optional>
#include <tuple>
#include <utility>

#include "explain/rivals.h"

namespace neumann {
namespace {

constexpr std::size_t most_repairs = 5;  // failures whose repair is tried one by one
constexpr unsigned levels = 9;           // values tried between two, together

// The least value of an input that lifts the explained one to the threshold, by subdivision: in a monotone graph values
// increase with each other, so it lies between two neighbouring trials, then between two trials in that interval, and
// so on. The upper end is certainly enough, and a thousandth less is not.
class EnoughSearch {
public:
    EnoughSearch(WhatIf& what_if, std::uint32_t atom, double threshold)
        : what_if_(what_if), atom_(atom), threshold_(threshold), below_(what_if.initial(atom)) {}

    void add_levels() {
        for (unsigned level = 1; level <= levels; ++level) {
            const double tried = below_ + (above_ - below_) * level / (levels + 1);
            tried_.emplace_back(tried, what_if_.add({atom_, tried}));
        }
    }
    void narrow() {
        for (const auto& [tried, number] : tried_) {
            if (what_if_.value(number) >= threshold_) {
                above_ = tried;
                break;
            }
            below_ = tried;
        }
        tried_.clear();
    }
    double enough() const { return above_; }

private:
    WhatIf& what_if_;
    std::uint32_t atom_;
    double threshold_;
    double below_;
    double above_ = 1;
    std::vector<std::pair<double, std::size_t>> tried_;
};

// The input that repairs a failure: itself, or the atom that it negates, unless that is derived.
std::optional<WhatIf::Change> repair(const PositiveGraph& positive, std::uint32_t failure) {
    if (!positive.is_negation(failure)) return WhatIf::Change{failure, 1.0};
    const std::uint32_t atom = positive.negated(failure);
    const bool derived = positive.graph().in_begin[atom] != positive.graph().in_begin[atom + 1];
    return derived ? std::nullopt : std::optional(WhatIf::Change{atom, 0.0});
}

}  // namespace

std::size_t WhatIf::add(std::span<const Change> changes) {
    const std::size_t place = added_.examples();
    added_.resize(place + 1);
    for (const AtomValue& input : inputs_) added_.add(place, input.atom, input.value);
    for (const Change& change : changes) {
        const double now = initial(change.atom);
        const double left = change.value > now ? (1 - change.value) / (1 - now) : 1;
        for (const std::uint32_t rival : rivals(compiled_.program, compiled_.ground.atoms, change.atom))
            added_.add(place, rival, static_cast<float>(left * initial(rival)));
    }
    for (const Change& change : changes) added_.add(place, change.atom, static_cast<float>(change.value));
    return values_.size() + place;
}

void WhatIf::run(const GraphReasoner& reasoner, std::span<const double> weights) {
    if (added_.examples() == 0) return;
    const Pass pass = reasoner.forward(added_.build(), weights);
    const std::size_t before = values_.size();
    values_.resize(before + added_.examples());
    pass.outputs({&atom_, 1}, std::span(values_).subspan(before));
    added_.reset(0);
}

void try_repairs(WhatIf& what_if, const RunView& run, const PositiveGraph& positive, std::span<const Miss> misses,
                 const Explanation& explanation, WhyNot& why_not) {
    std::vector<std::pair<std::size_t, std::size_t>> of_misses;                  // miss, number
    std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> of_failures;  // miss, failure, number
    for (std::size_t m = 0; m < misses.size(); ++m) {
        std::vector<WhatIf::Change> all;
        for (std::size_t f = 0; f < misses[m].failures.size(); ++f) {
            const std::optional<WhatIf::Change> change = repair(positive, misses[m].failures[f]);
            if (!change) continue;
            all.push_back(*change);
            if (of_failures.size() < most_repairs) of_failures.emplace_back(m, f, what_if.add(*change));
        }
        if (!all.empty() && all.size() == misses[m].failures.size()) of_misses.emplace_back(m, what_if.add(all));
    }
    if (of_failures.empty()) return;
    // With negation more may be less: no single value is the least.
    const bool has_first = !misses.front().failures.empty() && run.reasoner.graph().monotone;
    EnoughSearch search(what_if, has_first ? misses.front().failures.front() : 0, explanation.threshold);
    if (has_first) search.add_levels();
    what_if.run(run.reasoner, run.weights);
    for (const auto& [miss, number] : of_misses) why_not.nearest[miss].if_true = what_if.value(number);
    for (const auto& [miss, failure, number] : of_failures)
        why_not.nearest[miss].failures[failure].if_true = what_if.value(number);
    if (!has_first || explanation.holds()) return;
    Failure& first = why_not.nearest.front().failures.front();
    if (!first.if_true || *first.if_true < explanation.threshold) return;
    search.narrow();
    for (int again = 0; again < 2; ++again) {
        search.add_levels();
        what_if.run(run.reasoner, run.weights);
        search.narrow();
    }
    first.needed = search.enough();
}

}  // namespace neumann
