// Pool of clauses worth choosing from, with the labelled atoms that they cover, and programs made of them: the shortest
// set that covers all positives and no negative, or one of low cost by a score.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/evaluate/bits.h"
#include "learn/evaluate/clause.h"
#include "learn/evaluate/score.h"
#include "learn/evaluate/work.h"

namespace neumann::search {

struct Candidate {
    Clause clause;
    Bits positives;
    Bits negatives;
    std::size_t false_positives = 0;
    std::vector<Clause> equals = {};  // as long, with the same labels: some of those that were seen

    std::size_t size() const { return clause.body.size() + 1; }
};

struct Selection {
    std::vector<std::size_t> chosen;  // numbers of candidates
    std::size_t size = 0;             // literals, heads too
    std::size_t false_positives = 0;
    std::size_t false_negatives = 0;

    double cost(const Score& score) const { return score.cost(size, false_positives, false_negatives); }
    bool is_right() const { return false_positives == 0 && false_negatives == 0; }
};

class Pool {
public:
    Pool(std::size_t positives, Work& work) : covered_(positives), work_(work) {}

    // False: another one covers as much and is no longer.
    bool add(Candidate candidate);
    // Whether some clause of at most this size covers these positives and no negative.
    bool has_better(const Bits& positives, std::size_t size) const;
    const std::vector<Candidate>& candidates() const { return candidates_; }
    // By clauses that cover no negative.
    const Bits& covered() const { return covered_; }

private:
    void drop_dominated(const Candidate& by);

    void count_comparisons() const;

    std::vector<Candidate> candidates_;
    Bits covered_;
    Work& work_;
};

struct CoverLimits {
    std::size_t most_clauses = 0;  // 0: any number
    std::size_t most_nodes = 100'000;
};

// The shortest cover by clauses without negatives; not right if there is none. `proven`: none is shorter. Both covers
// are the best so far once the work is over.
Selection crisp_cover(const std::vector<Candidate>& candidates, std::size_t positives, const CoverLimits& limits,
                      Work& work, bool& proven);
// Of low cost: greedy, then exchanged one by one.
Selection short_cover(const std::vector<Candidate>& candidates, std::size_t positives, std::size_t negatives,
                      const Score& score, const CoverLimits& limits, Work& work);

}  // namespace neumann::search
