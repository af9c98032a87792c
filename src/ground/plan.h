// Order in which a rule's slots get their values. Each step binds slots from those bound so far, or checks; a
// rule is grounded by running its steps as nested loops. Shared by both modes: full grounding has no relations to scan.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ground/rule.h"

namespace neumann {

enum class StepKind {
    Scan,         // the rows of a body atom's relation that match the known arguments
    Apply,        // the universe's terms of a functor that match the known arguments
    Domain,       // all terms of a type
    Destructure,  // a known term taken apart: its functor must match, its arguments bind or must match
    Construct,    // known arguments put together: the term must exist
    Different,    // two known terms must differ
    Negated,      // the row of a negated atom, if there is one: the arguments are known
    Compare,      // an arithmetic condition on known values
    Compute,      // the value of an expression becomes that of a slot
    Enumerate,    // the numbers between two known ones
    Solve,        // the numbers that a slot may have so that an expression has a known value
    Create,       // a computed number that the head needs becomes a term, once all else has matched
};

struct Step {
    StepKind kind = StepKind::Domain;
    // Scan, Negated: body atom; Apply, Destructure, Construct: functor use; Different: pair; the
    // others: arithmetic condition
    std::uint32_t subject = 0;
    Slot slot = 0;              // Domain; result of Construct, Apply, Compute, Enumerate, Solve and Create
    std::uint32_t known = 0;    // Scan, Apply, Destructure: bit i is set if argument i is known before the step
    bool result_known = false;  // Apply, Construct: compare instead of bind
};

struct Plan {
    std::vector<Step> steps;
};

// The sizes that planning needs.
struct PlanCosts {
    std::function<double(TypeId)> domain;           // terms of a type; infinite: not to be used
    std::function<double(FunctorId)> applications;  // terms of a functor; infinite: not to be used
    std::function<double(std::uint32_t atom, std::uint32_t known)> scan;  // matching rows, given known arguments
    std::function<bool(TypeId)> only_numbers = {};                        // whether all terms of a type are; none: no
};

// Full grounding: functor tables and domains only. Free head variables are enumerated outermost, in the order of the
// head, so that instances come out nearly sorted by head atom; the widest domain innermost.
Plan plan_full(const TermTable& terms, const Rule& rule, const PlanCosts& costs);

// Relevant grounding: joins the body's relations, beginning with `first` (a body atom) if it is not no_atom.
inline constexpr std::uint32_t no_atom = 0xffffffffU;
Plan plan_join(const TermTable& terms, const Rule& rule, const PlanCosts& costs, std::uint32_t first);

// The role of a term that a functor builds, or of a number: it decides how a missing term is handled.
enum class TermRole {
    Body,     // in an atom of the body: there is no such atom, and no instance
    Head,     // in the head, not in the body: grounding may create it
    Negated,  // in negated literals and conditions alone: there is no such atom, and its negation holds
};
std::vector<TermRole> slot_roles(const Rule& rule);  // per slot
std::vector<TermRole> term_roles(const Rule& rule);  // per functor use

}  // namespace neumann
