// Tabled resolution from the queries: every call is resolved once, its answers are kept and handed to all
// equal calls, so that recursion ends if there are finitely many calls and answers. Random choices are not
// decided: an answer is an atom that can hold, and each instance of a rule that derives it is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
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

struct ResolutionLimits {
    std::size_t most_steps = 20'000'000;
    std::size_t most_calls = 300'000;  // that differ
    std::uint32_t deepest_term = 10'000;
    std::uint64_t most_visited = 30'000'000;  // parts of terms: a few seconds
    std::function<bool()> stop = {};           // whether to give up, asked now and then
};

class Tabling {
public:
    Tabling(Rules& rules, GroundRules& to, ResolutionLimits limits = {});

    // The answers of a goal, as numbers of atoms; all that they depend on is resolved as well.
    std::vector<std::uint32_t> solve(Term goal);
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
        std::set<std::uint32_t> users;  // tables that depend on this one
        std::size_t waiting = 0;        // frames that wait for a negated goal or a collection
    };
    // A frame at a negation, or at findall: it goes on when the table is complete.
    struct Waiting {
        Frame frame;
        std::uint32_t table = 0;
        Term result = no_term;  // of findall; none for a negation
    };

    std::uint32_t table_of(Term goal, std::uint32_t user);
    void start(std::uint32_t table);
    void run();
    void step(Frame frame);
    bool step_control(Frame& frame, Term goal, bool& done);
    void require_bounded(Term term, std::uint32_t rule) const;
    void call(Frame frame, Term goal);
    void wait(Frame frame, Term goal, Term result);
    void resume(Consumer consumer, std::uint32_t atom);
    void finish(Frame& frame);
    std::optional<double> weight_of(const Frame& frame, Term& values);
    void add_answer(std::uint32_t table, std::uint32_t atom);
    void add_instance(GroundInstance instance);
    void make_certain(std::uint32_t atom);
    bool release_waiting();
    void release(Waiting waiting, bool complete);
    void release_collected(const Waiting& waiting);

    Rules& rules_;
    Terms& terms_;
    GroundRules& ground_;
    ResolutionLimits limits_;
    std::size_t steps_ = 0;
    std::uint64_t visited_before_ = 0;
    std::deque<Table> tables_;
    std::unordered_map<Term, std::uint32_t> table_numbers_;
    std::unordered_map<Term, std::uint32_t> atom_numbers_;
    std::set<std::vector<std::uint32_t>> known_instances_;
    std::vector<std::uint32_t> uncertain_;             // per instance: literals that are not certain yet
    std::vector<std::vector<std::uint32_t>> used_by_;  // per atom: instances in whose bodies it stands
    std::vector<Frame> todo_;
    std::vector<Waiting> waiting_;
};

}  // namespace neumann::resolution
