// Programs with recursive clauses, whose parts pay only together: small base clauses, recursive clauses by their
// length, and each base with each recursive clause as a program of its own. Those that cover no negative are joined.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "induce/bits.h"
#include "induce/dependencies.h"
#include "induce/join.h"
#include "induce/program.h"
#include "induce/task.h"

namespace neumann::induce {

struct Found {
    std::vector<Clause> program;
    std::size_t size = 0;
    Bits positives;  // no negatives are covered
};

class RecursionSearch {
public:
    RecursionSearch(Task& task, const Clock& clock);

    // Recursive clauses with one goal more. `found` gets programs that cover more positives than any before, or as many
    // and are shorter. False: there are no more, or the time is up.
    bool next_level(const std::function<void(const Found&)>& found);

    unsigned level() const { return level_; }
    std::uint64_t evaluated() const { return evaluated_; }

private:
    struct Node {
        Clause clause;
        Bits positives;  // that its goals other than its own predicate's can hold for
        unsigned own = 0;
    };
    struct Base {
        Clause clause;
        Bits positives;
        std::vector<Found> programs;                                               // with it that pay
        std::unordered_map<std::vector<Value>, std::uint64_t, TupleHash> answers;  // of calls, as a fingerprint
    };

    void find_bases();
    void refine(const Node& node, std::vector<Node>& next);
    Clause relaxed(const Clause& clause) const;
    bool uses_what_it_calls(const Node& node) const;
    // The calls of itself that follow from the positives; none: they do not come to an end.
    std::vector<std::vector<Value>> calls_of(const Node& node);
    std::uint64_t answers_of(Base& base, const std::vector<Value>& call);
    std::vector<Base*> bases_for(const std::vector<std::vector<Value>>& calls);
    void pair_up(const Node& node, const std::function<void(const Found&)>& found);
    void join(Base& base, const Found& added, const std::function<void(const Found&)>& found);
    // Nothing: it covers a negative, or no more positives than `before`.
    bool evaluate(Found& program, const Bits& before, const Bits& possible);
    void offer(const Found& program, const std::function<void(const Found&)>& found);

    Task& task_;
    const Clock& clock_;
    Join join_;
    Dependencies dependencies_;
    std::vector<Base> bases_;
    std::vector<Node> frontier_;
    std::unordered_set<std::uint64_t> seen_;
    unsigned level_ = 0;
    std::uint64_t evaluated_ = 0;
    std::size_t best_positives_ = 0;
    std::size_t best_size_ = ~std::size_t{0};
};

}  // namespace neumann::induce
