// Rule in the form for grounding: every distinct term in a clause has a slot, atoms and functors refer to slots.
//
//   reverse([H|T], A, R) :- reverse(T, [H|A], R).
//   slots      H  T  A  R  U=f(H,T)  V=f(H,A)
//   head       reverse(U, A, R)
//   body       reverse(T, V, R)
//   functors   U = f(H,T), V = f(H,A)
//
// Grounding a clause then is a join of the relations of its atoms with the functor tables of the universe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logic/bounds.h"
#include "logic/canonical.h"
#include "logic/program.h"

namespace neumann {

using Slot = std::uint32_t;

// A bit for each of so many arguments.
constexpr std::uint32_t all_arguments(std::size_t arity) { return arity == 0 ? 0 : 0xffffffffU >> (32 - arity); }

struct RuleAtom {
    PredicateId predicate;
    std::vector<Slot> args;
    bool negated = false;
    bool guard = false;  // restricts instances and is no part of them (see ground/demand.h)
};

struct FunctorUse {
    FunctorId functor;
    std::vector<Slot> args;
    Slot result = 0;
};

// A condition on the values of expressions.
struct ArithmeticCondition {
    Comparison comparison = Comparison::Less;
    TermId left;  // with the clause's (canonical) variables
    TermId right;
    bool may_divide_by_zero = false;
    std::optional<double> range_size;         // Between: how many numbers there are, if the clause has constant limits
    std::optional<std::int64_t> offset = {};  // Is: the right side is a variable plus this integer
    Span span = {};
};

struct Rule {
    std::uint32_t clause = 0;  // index into Program::clauses
    RuleAtom head;
    std::vector<RuleAtom> body;        // without repetitions, negated ones last, behind them guards
    std::vector<FunctorUse> functors;  // inner terms before those with them as arguments
    std::vector<std::pair<TermId, TermId>>
        different;  // with the clause's (canonical) variables; need not exist in the universe
    std::vector<ArithmeticCondition> arithmetic;
    std::vector<Slot> variable_slot;  // per canonical variable
    std::vector<TypeId> slot_type;
    std::vector<TermId> slot_value;            // of ground terms; none for the others
    std::vector<std::uint32_t> slot_variable;  // the clause's own variable, or no_variable
    std::vector<std::string> variable_names;   // per canonical variable, where there is arithmetic
    // Several substitutions may give the same instance: a variable ranges over numbers and stands in no atom that the
    // instance needs.
    bool may_repeat = false;
    std::vector<std::uint32_t> key;  // canonical: orders rules independently of their place in the file
    bool through_items = false;      // goes through the items of an order (Program::item_orders)
    bool follows_calls = false;      // derives the contents of guards; its instances are no part of the graph

    static constexpr std::uint32_t no_variable = 0xffffffffU;
    std::size_t slot_count() const { return slot_type.size(); }
    // The body without its guards: the literals of an instance.
    std::span<const RuleAtom> literals() const {
        std::size_t size = body.size();
        while (size > 0 && body[size - 1].guard) --size;
        return std::span(body).first(size);
    }
};

// Nothing for a clause that has no instances: contradicting constraints, or a ground term beyond its bounds. The clause
// need not be one of the program's; Rule::clause is left to the caller.
std::optional<Rule> compile_rule(Program& program, const TermBounds& bounds, const Clause& clause);

// The rules of all clauses, in canonical order.
std::vector<Rule> compile_rules(Program& program, const TermBounds& bounds);

}  // namespace neumann
