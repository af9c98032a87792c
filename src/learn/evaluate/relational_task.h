// A learning task: labelled atoms of one predicate, the background that its clauses may use, and limits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "learn/evaluate/clause.h"
#include "learn/evaluate/relation.h"

namespace neumann::search {

struct Task {
    Bias bias;
    std::vector<Relation> relations;            // as bias.body
    std::vector<std::vector<Value>> positives;  // arguments of the target
    std::vector<std::vector<Value>> negatives;
};

struct Limits {
    double seconds = 60;
    std::size_t bytes = std::size_t{3} << 29;  // of what the search keeps
    const std::atomic<bool>* stop = nullptr;
};

// Time from its making on, and whether somebody asked to stop. Searches that take turns have a slice of it each.
class Clock {
public:
    explicit Clock(const Limits& limits) : limits_(limits) {}
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    bool is_up() const {
        return (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed)) ||
               seconds() > limits_.seconds;
    }
    const Limits& limits() const { return limits_; }
    void begin_slice(double length) { slice_end_ = seconds() + length; }
    bool slice_is_over() const { return seconds() > slice_end_ || is_up(); }

private:
    Limits limits_;
    double slice_end_ = std::numeric_limits<double>::infinity();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct SearchResult {
    std::vector<Clause> program;
    std::size_t size = 0;  // literals, heads too
    std::size_t true_positives = 0;
    std::size_t false_positives = 0;
    std::size_t true_negatives = 0;
    std::size_t false_negatives = 0;
    std::uint64_t candidates = 0;  // clauses and programs that were evaluated
    unsigned finished_body = 0;    // all clauses with so many goals have been seen, or need not be
    bool shortest = false;         // it is right, and no shorter program is
    bool stopped = false;          // by time, memory or somebody
    double seconds = 0;

    bool is_right() const { return false_positives == 0 && false_negatives == 0; }
    std::size_t cost() const { return size + false_positives + false_negatives; }
};

}  // namespace neumann::search
