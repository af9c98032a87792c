// Constraint solver for the arithmetic conditions of one clause, given values for some of its variables.
#pragma once

#include <functional>
#include <vector>

#include "logic/arithmetic.h"
#include "logic/substitution.h"

namespace neumann {

class ConditionSolver {
public:
    // Numbers that an open type does not have yet are added to the program.
    ConditionSolver(Program& program, const Clause& clause) : program_(program), clause_(clause) {}

    // Calls visit with every extension of the substitution for which the conditions hold, until it returns true; so
    // does this, then.
    using Visit = std::function<bool(const Substitution&)>;
    bool solve(const Substitution& given, const Visit& visit) const;

private:
    using Conditions = std::vector<const Constraint*>;
    bool solve(Conditions left, const Substitution& so_far, const Visit& visit) const;
    bool bind(TermId variable, Number value, const Conditions& left, Substitution so_far, const Visit& visit) const;
    bool enumerate(TermId variable, TermId range, const Conditions& left, const Substitution& so_far,
                   const Visit& visit) const;
    bool holds(Comparison comparison, TermId left, TermId right) const;
    Number value(TermId expression) const;

    Program& program_;
    const Clause& clause_;
};

}  // namespace neumann
