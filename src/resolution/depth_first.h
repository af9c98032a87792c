// Depth-first resolution, as Prolog does it: clauses in their order, with the cut, if-then-else and collections. For
// background that was written for Prolog; nothing is tabled, so that each goal has a limit of steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "resolution/rules.h"

namespace neumann::resolution {

struct BuiltIn;

// Goals that the resolution itself takes apart.
enum class Control : std::uint8_t {
    None,
    And,
    Or,
    Then,
    SoftThen,
    Not,
    Cut,
    Call,
    Once,
    Ignore,
    ForAll,
    FindAll,
    Catch,
    Unify,
    Quiet,  // output
};

struct DepthLimits {
    std::size_t most_steps = 20'000;
    std::size_t most_answers = 100'000;
    std::size_t deepest_term = 20'000;
    std::function<bool()> stop = {};  // whether to give up, asked now and then
};

struct DepthAnswers {
    std::vector<Term> terms;  // the goal with its variables bound, in Prolog's order, with repetitions
    std::size_t steps = 0;
    bool complete = false;  // every answer was found within the limits
    std::string error;      // of a goal that cannot be evaluated; it ends the search
};

// Whether depth-first resolution knows what a goal means: by rules, as a control construct or as a built-in predicate.
bool can_call(const Rules& rules, Term goal);

class DepthFirst {
public:
    // Borrows the rules, which do not change while it is in use.
    explicit DepthFirst(Rules& rules);
    ~DepthFirst();
    DepthFirst(const DepthFirst&) = delete;
    DepthFirst& operator=(const DepthFirst&) = delete;

    DepthAnswers solve(Term goal, const DepthLimits& limits);

    // Ground atoms that hold in addition, of predicates without rules; they replace earlier ones.
    void set_facts(const std::vector<Term>& atoms);

private:
    struct Bound {
        Term term;
        std::uint32_t frame;  // of its variables
    };
    // Rules by the shape of an argument, for calls in which it is known: those whose head may match, in their order.
    struct Index {
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_shape;
        std::vector<std::uint32_t> others;  // for all other shapes
    };
    struct Procedure {
        Control control = Control::None;
        const BuiltIn* built_in = nullptr;
        std::vector<std::uint32_t> rules;
        std::vector<Index> by_argument;
        bool known = false;
    };
    enum class Step : std::uint8_t { Goal, CutTo, SoftCut, Collect };
    struct Goal {
        Step step;
        Term term;
        std::uint32_t frame;
        std::uint32_t next;
        std::uint32_t cut;  // the number of choices that a cut leaves
    };
    enum class Kind : std::uint8_t { Rules, Facts, Branch, Collected, Solutions, Catch, Nothing };
    // What is tried when goals fail.
    struct Choice {
        Kind kind;
        std::uint32_t goal;  // to go on with; of Rules, the one that is called
        std::size_t bindings;
        std::size_t trail;
        std::size_t goals;
        const std::vector<std::uint32_t>* candidates = nullptr;
        std::size_t position = 0;
        std::vector<Environment> solutions = {};  // of a built-in predicate, the next one last
        std::vector<Term> unbound = {};           // the variables that these bind
    };

    Bound deref(Term term, std::uint32_t frame) const;
    void bind(std::uint32_t variable, Bound to);
    bool unify(Term a, std::uint32_t a_frame, Term b, std::uint32_t b_frame);
    Term resolved(Term term, std::uint32_t frame, std::size_t depth = 0);
    std::uint32_t frame_of(std::size_t variables);
    std::uint32_t add(Step step, Term term, std::uint32_t frame, std::uint32_t next, std::size_t cut);
    Choice& push(Kind kind, std::uint32_t goal);
    void undo(const Choice& choice);

    Procedure& procedure_of(Term goal);
    const std::vector<std::uint32_t>& candidates(Procedure& procedure, Bound called);
    bool run();
    bool step();
    bool fail();
    bool recover();
    bool call(Goal goal);
    bool control(Control kind, const Goal& goal, Bound called);
    Bound extended(Bound called);
    bool try_facts(std::uint32_t goal, const std::vector<Term>& facts, std::size_t position);
    bool try_rules(std::uint32_t goal, const std::vector<std::uint32_t>& rules, std::size_t position);
    bool call_built_in(const BuiltIn& built_in, const Goal& goal, Bound called);
    bool take(const Environment& solution, const std::vector<Term>& unbound);

    Rules& rules_;
    Terms& terms_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Procedure>> procedures_;
    std::unordered_map<std::uint64_t, std::vector<Term>> facts_;
    std::vector<Bound> bindings_;
    std::vector<std::uint32_t> trail_;
    std::vector<Goal> goals_;
    std::vector<Choice> choices_;
    std::vector<std::vector<Term>> collections_;  // elements, of each findall that is not finished
    std::uint32_t current_ = 0;                   // the next goal
    std::size_t steps_ = 0;
    DepthLimits limits_;
};

}  // namespace neumann::resolution
