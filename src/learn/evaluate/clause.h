// Clauses over numbered predicates and variables. The head's variables come first, all of them different.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "learn/evaluate/clause_filter.h"
#include "learn/evaluate/relation.h"

namespace neumann::search {

inline constexpr std::size_t most_variables = 12;
inline constexpr std::uint16_t own_predicate = 0xffff;  // the target, in heads and in goals

struct Literal {
    std::uint16_t predicate = 0;
    std::array<std::uint8_t, most_arguments> args{};  // variables; 0 behind the last one

    friend auto operator<=>(const Literal&, const Literal&) = default;
};

struct Clause {
    std::vector<Literal> body;
    std::uint8_t variables = 0;          // with those of the head
    std::uint16_t head = own_predicate;  // or the number of an invented predicate

    friend bool operator==(const Clause&, const Clause&) = default;
};

// The kind of goal: a relation of the background, whether two values are the same or not, whether a goal fails.
enum class GoalKind : std::uint8_t { Relation, Same, Different, Negation };

struct Predicate {
    std::string name;
    std::vector<std::uint16_t> types;  // one for each argument; 0: any
    Mask inputs = 0;                   // arguments that the head or earlier goals must bind
    std::vector<std::int8_t> fixed;    // per argument: the only variable that may stand there; -1 or none: any
    std::uint16_t most_uses = 0;       // in one clause, by all of its group together; 0: any number
    std::uint16_t group = 0;           // 0: it is one of its own
    GoalKind kind = GoalKind::Relation;
    bool unordered = false;  // arguments of one type may change places: they are sorted
    bool usable = true;      // in new goals
    bool invented = false;   // defined by clauses of the program
    bool moded = false;      // its answers depend on which arguments are known: such goals come late
    std::uint16_t of = 0;    // a negation: of this goal
    // Its text before, between and behind the arguments; empty: name(arguments).
    std::vector<std::string> pattern = {};
};

// The goals and limits of clauses.
struct Bias {
    Predicate head;
    std::vector<Predicate> body;
    unsigned most_body = 10;
    unsigned most_variables = 6;
    unsigned most_clauses = 0;  // 0: as many as are needed
    bool joins = false;         // that bounds clauses that depend on each other; of others there may be more
    bool recursion = false;     // goals of the head's own predicate, which has the number `own_predicate`
    bool invention = false;
    bool as_declared = false;                 // only declared predicates and kinds of goals
    bool linked = false;                      // goals connect the head's variables with each other
    std::vector<std::uint16_t> single_types;  // at most one variable of these in a clause
    std::shared_ptr<ClauseFilter> filter;     // further constraints on clauses; null: there are none
    std::shared_ptr<OpenValues> open_values;  // of relations on demand; null: there are none

    std::size_t arity() const { return head.types.size(); }
    static constexpr std::uint16_t itself() { return own_predicate; }
    const Predicate& of(const Literal& literal) const { return of(literal.predicate); }
    const Predicate& of(std::uint16_t predicate) const { return predicate == own_predicate ? head : body[predicate]; }
};

// Sorts the arguments of an unordered goal that may change places.
void sort_unordered(Literal& literal, const Predicate& predicate);

// A form that clauses have in common which differ in the order of goals and the names of variables alone.
Clause canonical(const Clause& clause, const Bias& bias);
std::pair<std::uint64_t, std::uint64_t> fingerprint(const Clause& canonical);

// Types of all variables of a clause.
std::vector<std::uint16_t> variable_types(const Clause& clause, const Bias& bias);

// Goals in an order in which all of them have their inputs.
Clause ordered(const Clause& clause, const Bias& bias);
std::string print(const Clause& clause, const Bias& bias);

}  // namespace neumann::search
