// Small logic programs: read as the search prints them, evaluated as least fixpoints over all ground atoms, checked
// against the language bias clause by clause.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/small_task.h"

namespace neumann::search_oracle {

inline constexpr int own = -1;      // the number of the target; invented predicates have -2, -3, …
inline constexpr int equal = -100;  // A = B

struct SmallGoal {
    int predicate = own;
    std::vector<int> variables;

    friend auto operator<=>(const SmallGoal&, const SmallGoal&) = default;
};

// The head's arguments are the variables 0, 1, …
struct SmallRule {
    int head = own;
    std::size_t head_arity = 0;
    std::vector<SmallGoal> body;

    std::size_t size() const { return body.size() + 1; }
    bool is_recursive() const;
    std::size_t variables() const;  // one more than the largest
};

using SmallProgram = std::vector<SmallRule>;

std::size_t size_of(const SmallProgram& program);
std::string text_of(const SmallTask& task, const SmallProgram& program);

// Clauses as search::print() writes them. Throws std::logic_error if one cannot be read.
SmallProgram parse_program(const SmallTask& task, const std::vector<std::string>& clauses);

// All atoms of the target that follow, whatever its types.
std::set<Tuple> derived(const SmallTask& task, const SmallProgram& program);

// What forbids a clause of the target; empty: it is one of the bias.
std::string outside_bias(const SmallTask& task, const SmallRule& rule);

}  // namespace neumann::search_oracle
