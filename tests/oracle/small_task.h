// Small learning task: facts over a few constants, a language bias and labels, in the words of the search oracle alone.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "learn/evaluate/relational_task.h"

namespace neumann::search_oracle {

using Tuple = std::vector<int>;  // constants

enum class GoalForm { Fact, Different, Negated };

struct SmallPredicate {
    std::string written = {};       // with '_' in the place of each argument: q(_,_)
    std::vector<int> types = {};    // of its arguments
    std::vector<bool> inputs = {};  // arguments that must be known before it is asked
    std::vector<int> fixed = {};    // per argument: the only variable that may stand there; -1 or none: any
    std::size_t most_uses = 0;      // in one clause; 0: any number
    bool declared = true;           // otherwise the search has to think of it
    bool on_demand = false;         // its tuples are asked for, not listed
    GoalForm form = GoalForm::Fact;
    int negated = -1;  // the number of the predicate that fails
    std::set<Tuple> facts = {};

    std::size_t arity() const { return types.size(); }
    std::string name() const { return written.substr(0, written.find('(')); }
    bool has_constant() const { return written.find(",c") != std::string::npos; }
    bool holds(const Tuple& tuple, const std::vector<SmallPredicate>& all) const;
};

struct SmallTask {
    int constants = 0;
    std::vector<int> type_of;  // constants
    SmallPredicate target;     // its facts are the atoms that the hidden program derives
    std::vector<SmallPredicate> body;
    std::size_t most_body = 2;
    std::size_t most_variables = 3;
    std::size_t most_clauses = 0;   // 0: any number
    std::vector<int> single_types;  // at most one variable of these in a clause
    bool recursion = false;
    bool invention = false;
    bool as_declared = true;  // no goals and predicates but those of the bias
    bool linked = false;      // goals connect the head's variables with each other
    std::set<Tuple> positives;
    std::set<Tuple> negatives;

    bool has_inputs() const;  // the target
    bool is_input(std::size_t argument) const;
};

// All tuples of constants that have the predicate's types.
std::vector<Tuple> typed_tuples(const SmallTask& task, const SmallPredicate& predicate);

// Without the predicates that are not declared.
SmallTask as_declared(SmallTask task);

// The task as the search takes it: constant c is the value c.
search::Task search_task(const SmallTask& task);

// In Popper's syntax; what that has no words for is in comments.
std::string popper_text(const SmallTask& task);

}  // namespace neumann::search_oracle
