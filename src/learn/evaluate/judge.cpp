#include "learn/evaluate/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace neumann {
namespace {

// n·H(errors/n): the cost of encoding which of n labels are wrong, when so many are.
double surprise(double errors, double n) {
    if (errors <= 0 || errors >= n) return 0;
    return -errors * std::log(errors / n) - (n - errors) * std::log1p(-errors / n);
}

}  // namespace

double description_length(std::uint64_t errors, std::size_t labels, double size) {
    const auto n = static_cast<double>(labels);
    return surprise(std::min(static_cast<double>(errors), n / 2), n) + 0.5 * std::log(std::max(2.0, n)) * size;
}

Judge::Judge(const LearningProblem& problem, const Dataset& train, const Dataset& validation,
             const std::vector<bool>& asked, const ReasonOptions& reasoning, double loss_floor)
    : problem_(problem), train_(train), validation_(validation), asked_(asked), reasoning_(reasoning),
      loss_floor_(loss_floor), train_weights_(balanced_weights(train)) {}

std::vector<float> Judge::values(const std::vector<std::uint32_t>& program, std::span<const double> weights,
                                 const Dataset& data) const {
    CandidateGraph graph(problem_, program, asked_, {reasoning_, std::nullopt, stop_});
    graph.set_weights(weights);
    std::vector<float> values;
    graph.predict(data, values);
    return values;
}

const Verdict& Judge::operator()(std::vector<std::uint32_t> program) {
    std::ranges::sort(program);
    const auto known = known_.find(program);
    if (known != known_.end()) return known->second;
    Verdict verdict;
    CandidateGraph graph(problem_, program, asked_, {reasoning_, std::nullopt, stop_});
    std::vector<float> values;
    std::size_t labels = 0;
    const auto count = [&](const Dataset& data) {
        graph.predict(data, values);
        labels += values.size();
        for (std::size_t t = 0; t < values.size(); ++t) {
            const bool positive = data.target(t).positive;
            if ((values[t] >= 0.5F) == positive) continue;
            ++verdict.errors;
            verdict.false_alarms += positive ? 0 : 1;
        }
        return accuracy(data, values);
    };
    verdict.validation_accuracy = verdict.train_accuracy = count(train_);
    verdict.loss = mean_loss(train_, values, train_weights_, CrossEntropy{loss_floor_});
    if (&validation_ != &train_) verdict.validation_accuracy = count(validation_);
    double size = 0;
    for (const std::uint32_t k : program) size += 1 + problem_.candidate(k).size;
    verdict.cost = description_length(verdict.errors, labels, size);
    return known_.emplace(std::move(program), verdict).first->second;
}

std::vector<std::uint32_t> Judge::without_idle_clauses(std::vector<std::uint32_t> program) {
    for (bool changed = true; changed && program.size() > 1;) {
        changed = false;
        for (std::size_t i = 0; i < program.size() && !changed; ++i) {
            std::vector<std::uint32_t> rest = program;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            if (!(*this)(rest).better_than((*this)(program))) continue;
            program = std::move(rest);
            changed = true;
        }
    }
    return program;
}

std::vector<std::uint32_t> Judge::improve(std::vector<std::uint32_t> program, std::span<const std::uint32_t> at_hand,
                                          std::span<const std::uint32_t> slots, bool shorten) {
    const auto target = [&](std::uint32_t k) { return problem_.candidate(k).target; };
    for (bool changed = true; changed && (shorten || !is_right(program));) {
        changed = false;
        std::vector<std::uint32_t> best = program;
        const auto consider = [&](std::vector<std::uint32_t> other) {
            if ((*this)(other).better_than((*this)(best))) best = std::move(other);
        };
        for (std::size_t i = 0; i <= program.size(); ++i) {
            // The last round of this loop adds instead of exchanging.
            const bool adds = i == program.size();
            if (!adds && program.size() > 1) {
                std::vector<std::uint32_t> rest = program;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
                consider(std::move(rest));
            }
            for (const std::uint32_t k : at_hand) {
                if (std::ranges::find(program, k) != program.end()) continue;
                const bool right = is_right(program);
                // A program that is right already can only become shorter.
                if (right && (adds || problem_.candidate(k).size >= problem_.candidate(program[i]).size)) continue;
                if (!adds && target(k) != target(program[i])) continue;
                const auto used = std::ranges::count(program, target(k), target);
                if (adds && static_cast<std::size_t>(used) >= slots[target(k)]) continue;
                std::vector<std::uint32_t> other = program;
                if (adds) {
                    other.push_back(k);
                } else {
                    other[i] = k;
                }
                consider(std::move(other));
            }
        }
        changed = best != program;
        program = std::move(best);
    }
    return program;
}

}  // namespace neumann
