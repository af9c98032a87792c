// Resolved program: vocabulary, facts, clauses, queries and learning declarations. Both the
// single-file language and the original's folders become this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/pod_vector.h"
#include "base/source.h"
#include "logic/signature.h"
#include "logic/term.h"

namespace neumann {

struct Atom {
    PredicateId predicate;
    std::vector<TermId> args;
    Span span;

    friend bool operator==(const Atom& a, const Atom& b) { return a.predicate == b.predicate && a.args == b.args; }
};

// An atom, or its negation \+ atom.
struct Literal {
    Atom atom;
    bool negated = false;

    friend bool operator==(const Literal&, const Literal&) = default;
};

// How the two sides of a condition on grounding relate.
enum class Comparison : std::uint8_t {
    Equal,        // left = right: they unify
    Different,    // left \= right
    Is,           // left is right: left is the value of the expression
    Less,         // <, and so on: both sides are expressions
    AtMost,       // =<
    Greater,      // >
    AtLeast,      // >=
    SameNumber,   // =:=
    OtherNumber,  // =\=
    Between,      // between(low, high, left): right is the expression low..high
};

// Whether it compares the values of expressions (see logic/arithmetic.h), not terms.
constexpr bool is_arithmetic(Comparison comparison) { return comparison >= Comparison::Is; }

// "=", "\\=", "is", "=<": as it is written; "in" for Between, which is written otherwise.
std::string_view spelling(Comparison comparison);

// A condition on grounding: left = right, left \= right, left < right, …
struct Constraint {
    TermId left;
    TermId right;
    Comparison comparison = Comparison::Equal;
    Span span;

    friend bool operator==(const Constraint& a, const Constraint& b) {
        return a.left == b.left && a.right == b.right && a.comparison == b.comparison;
    }
};

// aggregate_all(sum(W), goal, N): a number about all instances of a goal. Variables of the goal that also occur
// elsewhere in the clause make groups, each with a number of its own.
struct Aggregate {
    enum class Kind : std::uint8_t { Count, Sum, Minimum, Maximum, Average };
    Kind kind = Kind::Count;
    TermId weight;  // an expression; none for Count
    Atom goal;
    TermId result;
    Span span;

    friend bool operator==(const Aggregate& a, const Aggregate& b) {
        return a.kind == b.kind && a.weight == b.weight && a.goal == b.goal && a.result == b.result;
    }
};

std::string_view spelling(Aggregate::Kind kind);  // "count", "sum", "min", "max", "avg"

struct ClauseVariable {
    std::string name;  // as written; "_" for anonymous ones
    TypeId type;
    Span span;  // first occurrence

    friend bool operator==(const ClauseVariable& a, const ClauseVariable& b) {
        return a.name == b.name && a.type == b.type;
    }
};

// A probability that is to be learned.
struct Parameter {
    Span span;          // t(0.3) or t(_), as written
    bool open = false;  // t(_): not known yet; the clause's weight only takes its place
};

struct Clause {
    Atom head;
    std::vector<Literal> body;
    std::vector<Constraint> constraints;
    std::vector<Aggregate> aggregates;      // before analysis, which puts ordinary goals in their place
    std::vector<ClauseVariable> variables;  // indexed by variable number
    std::optional<double> weight;           // as written; absent means 1
    std::optional<Parameter> parameter;     // the weight is to be learned
    bool certain = false;                   // the weight is 1 and is not a parameter
    // The annotated disjunction that it is a head of: of clauses with the same number at most one instance holds for
    // the same body.
    std::optional<std::uint32_t> choice;
    Span span;

    double weight_value() const { return weight.value_or(1.0); }
};

// Facts come by the million: kept flat, in runs of one predicate from one file, of which each fact has a row.
class FactList {
public:
    struct Fact {
        PredicateId predicate;
        std::span<const TermId> args;
        double probability;
        Span span;
    };
    void add(PredicateId predicate, std::span<const TermId> args, double probability, Span span);
    std::size_t size() const { return begin_.size(); }
    std::size_t bytes() const {
        return runs_.capacity() * sizeof(Run) + args_.capacity_bytes() + begin_.capacity_bytes() +
               end_.capacity_bytes() + probabilities_.capacity_bytes();
    }
    Fact operator[](std::size_t i) const {
        const Run& run = runs_[runs_.size() == 1 ? 0 : run_of(i)];
        const std::size_t row = i - run.first;
        return {run.predicate,
                {args_.data() + run.first_arg + row * run.arity, run.arity},
                run.certain ? 1.0 : probabilities_[run.uncertain + row],
                {run.file, begin_[i], end_[i]}};
    }

private:
    struct Run {
        PredicateId predicate;
        std::uint32_t file;
        std::uint32_t arity;
        std::size_t first;      // fact
        std::size_t first_arg;  // in args_
        std::size_t uncertain;  // in probabilities_: those of all its facts, or none if all are 1
        bool certain;
    };
    std::size_t run_of(std::size_t fact) const;

    std::vector<Run> runs_;
    PodVector<TermId> args_;
    PodVector<std::uint32_t> begin_;  // per fact: its place in the file
    PodVector<std::uint32_t> end_;
    PodVector<double> probabilities_;
};

struct ModePlace {
    enum class Kind { Input, Output, Constant };  // + - #
    Kind kind;
    TypeId type;
};

struct Mode {
    bool head = false;                    // modeh or modeb
    std::optional<std::uint32_t> recall;  // absent: '*', any number of uses
    PredicateId predicate;
    std::vector<ModePlace> places;
    Span span;
    bool unordered = false;  // arguments of one type may change places: goals that differ in their order are one
};

struct LearnTarget {
    PredicateId predicate;
    std::uint32_t clause_count = 1;
    Span span;
};

// An atom with variables of its own, asked for.
struct Query {
    Atom atom;
    std::vector<ClauseVariable> variables;
};

// Sentence template of an atom: for atoms that match the pattern, a text with places such as {X} (see logic/saying.h).
struct Saying {
    Atom atom;
    std::vector<ClauseVariable> variables;
    std::string text;
    Span span;
};

// An observation: the atom holds, or does not.
struct Evidence {
    Atom atom;
    bool holds = true;
};

// The instances of a predicate one after the other, group by group, for clauses that go through them. Grounding fills
// the relations once all instances are known.
struct ItemOrder {
    PredicateId source;
    std::uint32_t group = 0;          // bit i: argument i of the source determines its group
    std::optional<std::uint32_t> by;  // the argument whose numbers order a group; else the order of terms
    bool descending = false;
    PredicateId next;  // next(I, J, arguments of the source): the item number J, from 1, of its group; I is J − 1
    PredicateId last;  // last(arguments of the group, J): its last item
    PredicateId some;  // some(arguments of the group): there are items
};

struct Program {
    std::shared_ptr<SourceSet> sources = std::make_shared<SourceSet>();
    Signature signature;
    TermTable terms;
    FactList facts;
    std::vector<Clause> clauses;
    std::vector<ItemOrder> item_orders;
    std::vector<Query> queries;
    std::vector<Evidence> evidence;
    std::vector<Mode> modes;
    std::vector<LearnTarget> learn;
    std::vector<Clause> initial;  // where the search for clauses starts
    std::vector<Atom> labels;     // supervised ground atoms
    std::vector<Saying> sayings;  // of the templates that match an atom the first counts
    bool from_folder = false;
    bool vocabulary_complete = true;  // no declaration was refused
};

}  // namespace neumann
