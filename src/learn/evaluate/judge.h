// Score of a discrete program, all of whose clauses have weight 1.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "learn/evaluate/candidate_graph.h"

namespace neumann {

// In nats: the cost of encoding the wrong labels and a program of this size.
double description_length(std::uint64_t errors, std::size_t labels, double size);

struct Verdict {
    double train_accuracy = 0;
    double validation_accuracy = 0;
    double loss = 0;                 // balanced, on the training examples
    std::uint64_t errors = 0;        // of both sets
    std::uint64_t false_alarms = 0;  // negatives among them
    // The description length. The less the better: a goal or a clause must pay for itself.
    double cost = 0;

    // A program that gets all labels right is better than one that does not, even if it is longer: few labels cannot
    // pay for a program.
    bool better_than(const Verdict& other) const {
        return std::pair(errors > 0, cost) < std::pair(other.errors > 0, other.cost);
    }
};

class Judge {
public:
    // All borrowed.
    Judge(const LearningProblem& problem, const Dataset& train, const Dataset& validation,
          const std::vector<bool>& asked, const ReasonOptions& reasoning, double loss_floor);

    void interrupt_by(const std::atomic<bool>* stop) { stop_ = stop; }
    const Verdict& operator()(std::vector<std::uint32_t> program);  // candidates, in any order
    // Of a program with these weights.
    std::vector<float> values(const std::vector<std::uint32_t>& program, std::span<const double> weights,
                              const Dataset& data) const;
    // Whether nothing can be improved: no label is wrong.
    bool is_right(const std::vector<std::uint32_t>& program) { return (*this)(program).errors == 0; }

    // The cheapest program that differs from the given one by leaving out, adding or exchanging one clause at a time
    // (of the candidates, at most `slots[target]` per learned predicate), until none is cheaper. A program that is
    // right is left as it is unless it is to be made shorter.
    std::vector<std::uint32_t> improve(std::vector<std::uint32_t> program, std::span<const std::uint32_t> at_hand,
                                       std::span<const std::uint32_t> slots, bool shorten = false);
    // Leaves out clauses as long as that makes the program cheaper.
    std::vector<std::uint32_t> without_idle_clauses(std::vector<std::uint32_t> program);

private:
    const LearningProblem& problem_;
    const Dataset& train_;
    const Dataset& validation_;
    const std::vector<bool>& asked_;
    ReasonOptions reasoning_;
    double loss_floor_;
    const std::atomic<bool>* stop_ = nullptr;
    std::vector<double> train_weights_;
    std::map<std::vector<std::uint32_t>, Verdict> known_;
};

}  // namespace neumann
