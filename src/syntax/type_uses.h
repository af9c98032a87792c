// Uses of types in a program's text, without declarations: its predicates, functors and constants, and the places that
// share a variable.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/slot_table.h"
#include "syntax/ast.h"
#include "syntax/lexer.h"
#include "syntax/type_classes.h"

namespace neumann::syntax {

struct PredicateUse {
    std::string_view name;
    std::uint32_t arity = 0;
    Place first = 0;       // its arguments are the places from here
    Span span;             // its definition, or else its first use
    bool in_fact = false;  // a fact defines it
    bool in_head = false;  // a clause defines it
    bool learned = false;
    bool used = false;  // outside of :- learn(…), which gives no types of arguments

    bool defined() const { return in_fact || in_head || (learned && used); }
};

struct FunctorUse {
    std::string_view name;
    std::uint32_t arity = 0;
    Place first = 0;  // its arguments are the places from here, its result is the place behind them
    Span span;

    Place result() const { return first + arity; }
};

struct ConstantUse {
    std::string_view name;
    Place place = 0;
    Span span;
};

// A place that a mode gives a type: +object.
struct NamedPlace {
    std::uint32_t predicate = 0;  // in predicates()
    std::uint32_t argument = 0;
    std::string_view type;
    Span span;
};

class TypeUses {
public:
    // Items in the order of the text; their texts live as long as the sources and `texts`.
    void add(const Ast& ast, const Item& item);
    void keep(TextStore texts) { texts_.push_back(std::move(texts)); }
    // A clause that did not parse may have defined this predicate.
    void add_broken_clause(std::string_view predicate) { broken_clauses_.emplace(predicate); }
    bool has_broken_clause(std::string_view predicate) const { return broken_clauses_.contains(predicate); }

    const std::vector<PredicateUse>& predicates() const { return predicates_; }
    const std::vector<FunctorUse>& functors() const { return functors_; }
    const std::vector<ConstantUse>& constants() const { return constants_; }  // each once for every place
    const std::vector<NamedPlace>& named_places() const { return named_places_; }
    TypeClasses& classes() { return classes_; }

private:
    enum class Role { Used, Fact, Head, Learned };
    using NameAndArity = std::pair<std::string_view, std::uint32_t>;
    struct NameHash {
        std::size_t operator()(const NameAndArity& key) const {
            return std::hash<std::string_view>()(key.first) * 31 + key.second;
        }
    };
    using Index = std::unordered_map<NameAndArity, std::uint32_t, NameHash>;

    void add_directive(const Ast& ast, NodeIndex root);
    void add_mode(const Ast& ast, const Node& mode);
    void add_rule(const Ast& ast, NodeIndex rule, bool defines);
    void add_goal(const Ast& ast, NodeIndex goal);
    void add_expression(const Ast& ast, NodeIndex index);
    void add_atom(const Ast& ast, const Node& atom, Role role);
    void add_term(const Ast& ast, NodeIndex index, Place place);
    void add_constant(const Node& node, Place place);
    std::uint32_t predicate(std::string_view name, std::uint32_t arity, Span span, Role role);
    std::uint32_t functor(const Node& node);

    TypeClasses classes_;
    std::vector<PredicateUse> predicates_;
    std::vector<FunctorUse> functors_;
    std::vector<ConstantUse> constants_;
    std::vector<NamedPlace> named_places_;
    Index predicate_index_;
    Index functor_index_;
    SlotTable constant_slots_;
    std::vector<std::pair<std::string_view, Place>> variables_;  // of the current item
    std::vector<TextStore> texts_;
    std::set<std::string, std::less<>> broken_clauses_;
};

}  // namespace neumann::syntax
