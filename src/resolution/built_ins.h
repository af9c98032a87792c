// Built-in predicates of Prolog: arithmetic, comparison and inspection of terms.
#pragma once

#include <stdexcept>
#include <vector>

#include "resolution/terms.h"

namespace neumann::resolution {

// A goal that cannot be evaluated: what() has the reason.
class GoalError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct BuiltIn;

// Null: the goal is none.
const BuiltIn* find_built_in(const Terms& terms, Term goal);
inline bool is_built_in(const Terms& terms, Term goal) { return find_built_in(terms, goal) != nullptr; }

// Adds an environment for each way in which the goal holds. Throws GoalError, or ArithmeticError.
void solve_built_in(Terms& terms, Term goal, const Environment& environment, std::vector<Environment>& solutions);
// The same for its arguments, to which the environment has been applied.
void solve_built_in(const BuiltIn& built_in, Terms& terms, std::vector<Term> args, const Environment& environment,
                    std::vector<Environment>& solutions);

// A computed number with at most 15 decimals, as ProbLog keeps them: 0.1 + 0.2 is 0.3.
Number rounded(const Terms& terms, Number value);

// The value of an expression; its variables are bound.
Number evaluate(const Terms& terms, Term expression);

}  // namespace neumann::resolution
