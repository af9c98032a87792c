// Search of programs with recursive clauses, whose parts pay only together: small base clauses, recursive clauses by
// their length, and each base with each recursive clause as a program of its own. Programs that cover no negative, but
// not all positives, are extended by further clauses.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "learn/evaluate/bits.h"
#include "learn/evaluate/join.h"
#include "learn/evaluate/program.h"
#include "learn/evaluate/relational_task.h"
#include "learn/search/dependencies.h"
#include "learn/search/refinements.h"

namespace neumann::search {

struct Found {
    std::vector<Clause> program;
    std::size_t size = 0;
    Bits positives;
    std::size_t false_positives = 0;
};

using FoundProgram = std::function<void(const Found&)>;

class RecursionSearch {
public:
    // `functional`: programs that give other outputs for the inputs of a positive are wrong. `needed`: a predicate of
    // which every program has a goal. `tolerant`: programs may cover negatives, as far as the task's score allows.
    struct Wanted {
        bool functional = false;
        std::optional<std::uint16_t> needed = {};
        bool tolerant = false;
    };
    RecursionSearch(const Bias& bias, Task& task, const Dependencies& dependencies, Wanted wanted);

    // Goes on until the slice of work is over, or programs whose recursive clause has one goal more have been tried.
    // `found` gets programs that cover more positives than any before, or as many and are shorter; of tolerant searches
    // those of lower cost. False: there are no more, or the work is over.
    bool advance(const FoundProgram& found);

    unsigned level() const { return level_; }
    std::uint64_t evaluated() const { return evaluated_; }

private:
    struct Node {
        Clause clause;
        Bits positives;  // that its goals other than its own predicate's can hold for
        unsigned own = 0;
        bool loose = false;   // has a variable that occurs once
        bool needed = false;  // has a goal of the needed predicate
    };
    struct Base {
        Clause clause;
        Bits positives;
        bool needed = false;
        std::vector<std::uint64_t> answers;  // as fingerprints, by the number of the call; 0: not asked yet
    };
    struct Partial {
        Found program;
        bool needed = false;
        std::size_t tried_steps = 0;  // recursive clauses that were tried with it
        std::size_t tried_bases = 0;
    };

    void find_bases(unsigned goals);
    bool grow();
    bool pair_all(std::size_t& next, const std::vector<std::size_t>& steps, bool long_bases, const FoundProgram& found);
    void rank_partials();
    bool extend_all(const FoundProgram& found);
    bool extend_by_all(std::size_t number, const FoundProgram& found);
    void refine(const Node& node);
    Clause relaxed(const Clause& clause) const;
    bool is_allowed(const Clause& clause) const;
    bool is_loose(const Clause& clause) const;
    bool gives_others(const Clause& clause, const std::vector<Value>& atom);
    bool has_needed(const Clause& clause) const;
    bool uses_what_it_calls(const Node& node) const;
    // The numbers of the calls of itself that follow from the positives; none: they do not come to an end.
    std::vector<std::uint32_t> calls_of(const Node& node);
    std::uint64_t answers_of(Base& base, std::uint32_t call);
    // Bases with an answer to some call, each with a fingerprint of all its answers and of the positives that it
    // covers.
    std::vector<std::pair<Base*, std::uint64_t>> bases_for(const std::vector<std::uint32_t>& calls, bool long_bases);
    void pair_up(const Node& node, bool long_bases, const FoundProgram& found);
    void extend(std::size_t number, const Clause& clause, bool needed, const FoundProgram& found);
    // False: it covers a negative, `wrong`, which is tried first, or no more positives than `before`.
    bool evaluate(Found& program, const Bits& before, const Bits& possible, std::optional<std::size_t>& wrong);
    // How many negatives a program may cover so that it costs less than the best one so far.
    std::size_t most_negatives(std::size_t literals, std::size_t false_negatives) const;
    void offer(Found program, bool needed, const FoundProgram& found);

    Bias bias_;
    Bias base_bias_;  // of clauses without recursion
    Task& task_;
    Work& work_;
    Wanted wanted_;
    Join join_;
    const Dependencies& dependencies_;
    std::vector<Base> bases_;
    TupleTable calls_;  // as those of a program
    std::vector<Clause> base_frontier_;
    std::vector<Node> frontier_;
    std::vector<Node> next_;
    std::size_t position_ = 0;
    std::vector<Node> steps_;         // recursive clauses
    std::vector<std::size_t> tight_;  // numbers of those of this level without loose variables
    std::vector<std::size_t> loose_;  // and with; those without of the level before, with long bases
    std::vector<std::size_t> postponed_;
    std::size_t next_tight_ = 0;
    std::size_t next_loose_ = 0;
    std::size_t next_postponed_ = 0;
    std::vector<Partial> partials_;
    std::size_t next_partial_ = 0;
    std::size_t end_of_partials_ = 0;  // those of this round
    SeenForms seen_;
    unsigned level_ = 0;
    enum class Stage : std::uint8_t { Grow, Pair, Extend, Postponed } stage_ = Stage::Grow;
    std::uint64_t evaluated_ = 0;
    std::size_t best_positives_ = 0;
    std::size_t best_size_ = ~std::size_t{0};
    Score score_;
    double best_cost_;  // of a tolerant search
};

}  // namespace neumann::search
