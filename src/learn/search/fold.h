// Folding of programs with bodies that are longer than allowed: goals are put together under invented predicates.
#pragma once

#include <optional>
#include <vector>

#include "learn/evaluate/relational_task.h"

namespace neumann::search {

// The program with bodies of at most `most_body` goals. Invented predicates have up to three arguments, and are added
// to those of the task. Nothing: it cannot be done.
std::optional<std::vector<Clause>> folded(const std::vector<Clause>& program, Task& task, unsigned most_body);

// A predicate for clauses of the program, with an empty relation: its clauses define its tuples.
std::uint16_t invent(Task& task, std::vector<std::uint16_t> types, Mask inputs);

// Gives the invented predicates of the program names, counted from 1, that no other predicate has.
void name_invented(const std::vector<Clause>& program, Task& task);

std::size_t size_of(const std::vector<Clause>& program);  // literals, heads too

}  // namespace neumann::search
