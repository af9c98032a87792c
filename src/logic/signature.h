// Declared vocabulary of a program: types, constants, functors, predicates. All other structures refer to it by id.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/slot_table.h"
#include "base/source.h"
#include "logic/arithmetic.h"

namespace neumann {

// Ties [H|T] and [] of a type to a functor and a constant.
struct ListSugar {
    TypeId element;
    FunctorId cons;
    ConstantId empty;
    bool printed = true;  // false: accepted on input, but printed in the functor's spelling (folders)
};

struct IntegerRange {  // both ends included
    std::int64_t low = 0;
    std::int64_t high = 0;
};

// A place of an inferred type: why the terms that stand there are of this type.
struct TypePlace {
    std::string place;      // "edge/2 argument 1"
    std::string joined_by;  // the variable or functor that ties it to the other places; empty for the first
    Span span;              // where that stands
};

struct TypeDecl {
    std::string name;
    Span span;
    std::vector<ConstantId> constants;
    std::vector<FunctorId> functors;  // those whose result is this type
    std::optional<std::uint32_t> max_depth;
    std::optional<std::uint32_t> max_length;
    bool no_repeats = false;
    std::optional<ListSugar> list;
    bool open = false;                  // its constants are the used ones, without a declaration
    bool inferred = false;              // not declared
    std::vector<TypePlace> places;      // of an inferred type
    std::optional<IntegerRange> range;  // declared as low..high
    Span depth_span;                    // where each was declared
    Span length_span;
    Span list_span;
};

struct ConstantDecl {
    std::string name;
    TypeId type;
    Span span;
    bool computed = false;  // a number that came up while grounding, of an open type
};

struct FunctorDecl {
    std::string name;
    std::vector<TypeId> args;
    TypeId result;
    Span span;
    std::optional<Operation> operation;  // of arithmetic: no term of the universe, but part of an expression
    bool inferred = false;               // not declared
};

struct PredicateDecl {
    std::string name;
    std::vector<TypeId> args;
    bool neural = false;
    bool distinct = false;  // atoms whose arguments are not pairwise different do not exist
    bool inferred = false;  // not declared
    bool internal = false;  // guides grounding; its atoms are no part of the graph
    // Stands for a part of a clause's body: the name is generated.
    bool auxiliary = false;
    bool spelled = false;  // its name is the text of a ground atom, and is written as it is
    // A question of several goals, of which its name is the text: its answers are values of these variables.
    bool question = false;
    std::vector<std::string> asked = {};
    // Of atoms that differ in this argument alone exactly one holds (from 0).
    std::optional<std::uint32_t> exclusive;
    Span span;
};

class Signature {
public:
    // Adding something that exists is the caller's mistake; ask find_… first.
    TypeId add_type(std::string name, Span span);
    ConstantId add_constant(std::string name, TypeId type, Span span);
    ConstantId add_computed_constant(std::string name, TypeId type);
    // The functor that stands for an operation in expressions. All of them, and the type of expressions, which has no
    // terms, are added when one is first asked for: their order does not depend on which comes first in a program.
    FunctorId operation(Operation operation);
    bool is_expression(TypeId type) const;  // the type of expressions
    FunctorId add_functor(std::string name, std::vector<TypeId> args, TypeId result, Span span);
    PredicateId add_predicate(std::string name, std::vector<TypeId> args, bool neural, Span span);

    TypeId find_type(std::string_view name) const;
    ConstantId find_constant(std::string_view name, TypeId type) const;
    // The same for tables with millions of names: first all hashes, then the slots they point to, then the constants,
    // so that the memory is prefetched when it is needed.
    static std::uint32_t hash_constant(std::string_view name, TypeId type);
    void prefetch_slot(std::uint32_t hash) const { constant_slots_.prefetch(hash); }
    void prefetch_constant(std::uint32_t hash) const {
        const std::uint32_t likely = constant_slots_.candidate(hash);
        if (likely != SlotTable::absent) __builtin_prefetch(&constants_[likely]);
    }
    ConstantId find_constant(std::string_view name, TypeId type, std::uint32_t hash) const;
    std::vector<ConstantId> constants_named(std::string_view name) const;  // one of each type at most; ascending
    FunctorId find_functor(std::string_view name, std::size_t arity) const;
    PredicateId find_predicate(std::string_view name, std::size_t arity) const;

    TypeDecl& type(TypeId id) { return types_[id.index()]; }
    const TypeDecl& type(TypeId id) const { return types_[id.index()]; }
    const ConstantDecl& constant(ConstantId id) const { return constants_[id.index()]; }
    FunctorDecl& functor(FunctorId id) { return functors_[id.index()]; }
    const FunctorDecl& functor(FunctorId id) const { return functors_[id.index()]; }
    PredicateDecl& predicate(PredicateId id) { return predicates_[id.index()]; }
    const PredicateDecl& predicate(PredicateId id) const { return predicates_[id.index()]; }

    const std::vector<TypeDecl>& types() const { return types_; }
    const std::vector<ConstantDecl>& constants() const { return constants_; }
    const std::vector<FunctorDecl>& functors() const { return functors_; }
    const std::vector<PredicateDecl>& predicates() const { return predicates_; }

    // Numbers the constants by their types, in order: the order in which a printed program declares them. Before any
    // term is made.
    void renumber_constants();

    // Names whose declaration was refused: using them is not a mistake of its own.
    void mark_broken(std::string_view name) { broken_.emplace(name); }
    bool is_broken(std::string_view name) const { return broken_.contains(name); }

    // A suggested declaration of a predicate that is used but not defined, ":- neural(edge(node, node)).", as far as
    // its uses determine it; else empty.
    void suggest_declaration(std::string_view name, std::size_t arity, std::string text) {
        suggested_.insert_or_assign({std::string(name), arity}, std::move(text));
    }
    std::string suggested_declaration(std::string_view name, std::size_t arity) const {
        const auto found = suggested_.find({std::string(name), arity});
        return found == suggested_.end() ? std::string() : found->second;
    }

    bool has_computed_constants() const { return has_computed_; }
    // Of each type: the constants that came up while grounding last, by their values.
    void sort_computed_constants();

    // A functor of the shape f(element, T) → T, the shape of list cells.
    bool is_cell(FunctorId id) const;

    std::size_t bytes() const;  // of constants; of the rest there is little

private:
    void index_constant(ConstantId id);

    using NameAndNumber = std::pair<std::string, std::size_t>;
    std::vector<TypeDecl> types_;
    std::vector<ConstantDecl> constants_;
    std::vector<FunctorDecl> functors_;
    std::vector<PredicateDecl> predicates_;
    bool has_computed_ = false;
    std::map<std::string, TypeId, std::less<>> types_by_name_;
    SlotTable constant_slots_;                                 // by name and type: a program may have millions
    std::map<NameAndNumber, FunctorId> functors_by_name_;      // number: arity
    std::map<NameAndNumber, PredicateId> predicates_by_name_;  // number: arity
    std::set<std::string, std::less<>> broken_;
    std::map<NameAndNumber, std::string> suggested_;  // number: arity
};

}  // namespace neumann
