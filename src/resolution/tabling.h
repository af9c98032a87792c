// Tabled resolution from the queries: every call is resolved once, its answers are kept and handed to all
// equal calls, so that recursion ends if there are finitely many calls and answers. Random choices are not
// decided: an answer is an atom that can hold, and each instance of a rule that derives it is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "resolution/ground_rules.h"

namespace neumann::resolution {

// With the rule in which it went wrong.
struct ResolutionError : std::runtime_error {
    ResolutionError(const std::string& what, std::uint32_t rule_number, std::string advice_text = {})
        : std::runtime_error(what), rule(rule_number), advice(std::move(advice_text)) {}
    std::uint32_t rule;
    std::string advice;
};

// A goal without facts and rules was called.
struct UnknownPredicate : ResolutionError {
    using ResolutionError::ResolutionError;
};

// Goals of the library that tabling itself answers.
inline constexpr std::string_view collection = "findall of";  // findall(T, G, L) asks the table 'findall of'(T, G)
inline constexpr std::string_view groups = "groups of";       // 'groups of'(T, G): T of every answer that can hold
inline constexpr std::string_view fold_all = "fold all";      // 'fold all'(sum, T, G, R): a number of all T
inline constexpr std::string_view fold_any = "fold any";      // the same; fails if there is none

struct ResolutionLimits {
    unsigned deepest_subquery = 8;
    std::size_t most_steps = 20'000'000;
    std::size_t most_calls = 300'000;  // that differ
    std::uint32_t deepest_term = 10'000;
    std::uint64_t most_visited = 30'000'000;  // parts of terms: a few seconds
    std::function<bool()> stop = {};          // whether to give up, asked now and then
};

class Tabling {
public:
    Tabling(Rules& rules, GroundRules& to, ResolutionLimits limits = {});

    // The answers of a goal, as numbers of atoms; all that they depend on is resolved as well.
    std::vector<std::uint32_t> solve(Term goal);
    // The number of an atom that holds.
    std::uint32_t add_certain(Term term);
    // Adds evidence about a goal, or its negation. False if it cannot be true.
    bool observe(Term goal, bool holds, Span span = {});
    std::size_t steps() const { return steps_; }
    // The number of an atom, with or without instances.
    std::uint32_t atom_of(Term term);

private:
    // The state of a call within a rule: the remaining goals, and the instance so far.
    struct Frame {
        std::uint32_t table = 0;
        std::uint32_t rule = no_rule;
        std::uint32_t head = 0;
        Term answer = no_term;  // the head, as a term of the environment
        Environment environment;
        std::vector<Term> goals;  // the next one last
        std::vector<GroundLiteral> body;
    };
    struct Consumer {
        Frame frame;
        Term goal = no_term;  // as called, in the frame's environment
    };
    struct Table {
        Term call = no_term;
        std::vector<std::uint32_t> answers;
        std::set<std::uint32_t> known;  // the same
        std::vector<Consumer> consumers;
        std::set<std::uint32_t> users;     // tables that depend on this one
        std::vector<std::uint32_t> needs;  // the other way round
        std::size_t waiting = 0;           // frames that wait for a negated goal or a collection
        std::size_t running = 0;           // frames in todo_
        bool complete = false;             // known to have all answers
        bool by_call = false;              // they depend on which arguments were known: it commits to the first ones
    };
    // Goals that need all answers of another goal.
    enum class Wait : std::uint8_t {
        Negation,
        Collection,  // findall/3; a list for each set of uncertain answers
        AnyOf,       // all/3: not for the empty set
        Condition,   // (C -> T ; E): the first answer
        Each,        // (C *-> T ; E): every answer
        Possible,    // every answer that can hold, under no condition
        Fold,        // a number computed from the answers
        FoldAny,     // the same, not for the empty set
    };
    // A frame at such a goal: it goes on when the table is complete.
    struct Waiting {
        Frame frame;
        std::uint32_t table = 0;
        Wait kind = Wait::Negation;
        Term result = no_term;     // that answers are unified with
        Term then = no_term;       // of a condition: what follows; of a fold: its function
        Term otherwise = no_term;  // of a condition
    };

    std::uint32_t table_of(Term goal, std::uint32_t user);
    void start(std::uint32_t table);
    void run(std::size_t down_to = 0);
    void step(Frame frame);
    bool step_control(Frame& frame, Term goal, bool& done);
    void require_bounded(Term term, std::uint32_t rule) const;
    void call(Frame frame, Term goal);
    Term called(const Frame& frame, std::span<const Term> args);
    bool step_condition(Frame& frame, Term choice, Term otherwise);
    bool step_collection(Frame& frame, Term goal);
    void require_list(Term result) const;
    bool step_program(Frame& frame, Term goal, bool& done);
    void match_clauses(const Frame& frame, Term head, Term body);
    void cut(Frame frame, Term called, Term index);
    Term fresh_variable(Frame& frame);
    void mark_by_call(std::uint32_t table);
    void require_one_call() const;
    void find_probability(const Frame& frame, Term goal, Term evidence, Term result);
    void wait(Waiting waiting, Term goal);
    bool is_complete(std::uint32_t table);
    void push(Frame frame);
    void resume(Consumer consumer, std::uint32_t atom);
    void finish(Frame& frame);
    std::optional<double> weight_of(const Frame& frame, Term& values);
    void add_answer(std::uint32_t table, std::uint32_t atom);
    std::uint32_t add_instance(GroundInstance instance);  // its number
    void make_certain(std::uint32_t atom);
    bool release_waiting();
    void release(Waiting waiting, bool complete);
    void release_negated(Waiting waiting, bool complete);
    void release_collected(const Waiting& waiting);
    void release_condition(const Waiting& waiting);
    void release_possible(const Waiting& waiting);
    void release_folded(const Waiting& waiting);
    void collect(const Waiting& waiting, std::size_t next, Frame frame, Term rest, bool any);
    bool unify_answer(Frame& frame, Term with, std::uint32_t answer);

    Rules& rules_;
    Terms& terms_;
    GroundRules& ground_;
    ResolutionLimits limits_;
    std::size_t steps_ = 0;
    std::uint64_t visited_before_ = 0;
    std::deque<Table> tables_;
    std::unordered_map<Term, std::uint32_t> table_numbers_;
    std::unordered_map<Term, std::uint32_t> atom_numbers_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known_instances_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> found_by_;  // table and atom
    std::vector<std::uint32_t> uncertain_;             // per instance: literals that are not certain yet
    std::vector<std::vector<std::uint32_t>> used_by_;  // per atom: instances in whose bodies it stands
    std::vector<Frame> todo_;
    unsigned nested_ = 0;        // negations and collections that are completed within one another
    std::size_t collected_ = 0;  // lists of the current collection
    std::vector<Waiting> waiting_;
};

}  // namespace neumann::resolution
