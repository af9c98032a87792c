// Constraints of a task on clauses and programs, beyond its goals and limits.
#pragma once

#include <vector>

namespace neumann::search {

struct Bias;
struct Clause;

class ClauseFilter {
public:
    ClauseFilter() = default;
    ClauseFilter(const ClauseFilter&) = delete;
    ClauseFilter& operator=(const ClauseFilter&) = delete;
    virtual ~ClauseFilter() = default;

    // As the only clause of a program, or one of several that do not depend on each other.
    virtual bool allows(const Clause& clause, const Bias& bias) = 0;
    // At some place of some program.
    virtual bool allows_somewhere(const Clause& clause, const Bias& bias) = 0;
    // Whether a clause with more goals may be allowed.
    virtual bool may_grow(const Clause& clause, const Bias& bias) = 0;
    // Clauses that call each other: in some order, those without recursion first.
    virtual bool allows(const std::vector<Clause>& program, const Bias& bias) = 0;
};

}  // namespace neumann::search
