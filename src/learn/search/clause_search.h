// Search of clauses without recursion, by the number of goals: level after level, each clause once, evaluated on the
// atoms that its parent covers. Clauses are left out for a reason: it covers no positive; it covers no negative, so
// that more goals only lose; a clause no longer covers its positives and no negative; it is too long for a program
// shorter than the best one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "learn/evaluate/join.h"
#include "learn/evaluate/relational_task.h"
#include "learn/search/dependencies.h"
#include "learn/search/pool.h"
#include "learn/search/refinements.h"

namespace neumann::search {

class ClauseSearch {
public:
    // Clauses of `bias`, whose predicates are those of the task and perhaps more.
    ClauseSearch(const Bias& bias, Task& task, const Dependencies& dependencies, std::size_t most_bytes);

    // All clauses with one goal more, or as many of them as the slice of work allows. False: there are none left, or
    // the work is over. `look` is called now and then.
    bool advance(const std::function<void()>& look);

    const Pool& pool() const { return pool_; }
    unsigned level() const { return level_; }
    std::uint64_t evaluated() const { return evaluated_; }
    // Clauses that were left out, by the reason.
    struct LeftOut {
        std::uint64_t known = 0;        // seen with other names or in another order
        std::uint64_t superfluous = 0;  // a goal follows from the others on all facts
        std::uint64_t forbidden = 0;    // by the task's constraints, with all longer ones
        std::uint64_t no_positive = 0;
        std::uint64_t no_negative = 0;  // kept, but not made longer
        std::uint64_t covered = 0;      // … as a clause that is no longer covers its positives, and no negative
        std::uint64_t too_long = 0;     // … for a program shorter than the best one
        std::uint64_t too_dear = 0;     // … for the labels that it could still get right, by the score
    };
    const LeftOut& left_out() const { return left_out_; }
    const std::vector<std::uint64_t>& candidates() const { return candidates_; }  // by goals, from 1
    bool is_complete() const { return complete_; }
    bool is_exhausted() const { return frontier_.empty() && complete_; }
    bool is_out_of_memory() const { return out_of_memory_; }  // some clauses were left out for want of it
    // A right program of this size is known: longer ones are skipped.
    void set_known_size(std::size_t size) { known_size_ = size; }

private:
    struct Node {
        Clause clause;
        Bits positives;
        Bits negatives;
        double score = 0;
    };

    void dive(const std::function<void()>& look);
    double promise(const Node& node) const;
    void refine(const Node& node, std::vector<Node>& next);
    void add(Node node, std::vector<Node>& next);
    void cover(const Clause& clause, const std::vector<std::vector<Value>>& labelled, const Bits& within,
               Bits& covered);
    bool is_worth_refining(const Node& node, std::size_t positives, std::size_t negatives, bool whole);
    std::size_t bytes(const std::vector<Node>& next) const;

    Bias bias_;
    Task& task_;
    Work& work_;
    std::size_t most_bytes_;
    Join join_;
    const Dependencies& dependencies_;
    Pool pool_;
    Score score_;
    std::vector<Node> frontier_;  // clauses of this level
    std::vector<Node> next_;      // of the next one, as far as it has come
    std::size_t position_ = 0;    // in `frontier_`
    SeenForms seen_;
    unsigned level_ = 0;
    std::uint64_t evaluated_ = 0;
    LeftOut left_out_;
    std::vector<std::uint64_t> candidates_;
    std::size_t known_size_ = ~std::size_t{0};
    bool complete_ = true;  // nothing was left out without a reason
    bool out_of_memory_ = false;
};

}  // namespace neumann::search
