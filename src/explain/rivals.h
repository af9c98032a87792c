// Alternative values of a neural atom, for "why not" explanations: color(o,blue) for color(o,red).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ground/atoms.h"
#include "logic/program.h"

namespace neumann {

// Whether a predicate is the question of an example. That is given, so it is never to blame.
bool is_question(const PredicateDecl& predicate);

// The rivals of color(obj1,red) are color(obj1,blue), …: atoms of the same neural predicate that differ in the last
// argument, where that is of another type than the others and of more than one constant. Questions have none, nor does
// the presence of an object.

// The alternatives in the graph, ascending. A graph that was grounded for its queries lacks the atoms that no rule
// uses.
std::vector<std::uint32_t> rivals(const Program& program, const AtomTable& atoms, std::uint32_t atom);

// All alternatives whose last argument is a constant, in the order of declaration, as canonical texts.
std::vector<std::string> rival_texts(const Program& program, const AtomTable& atoms, std::uint32_t atom);

}  // namespace neumann
