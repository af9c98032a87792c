// Terms without types, hash-consed: equal numbers are equal terms. Variables are numbered; an environment binds them: a
// list with a term or nothing for each of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "logic/arithmetic.h"

namespace neumann::resolution {

using Term = std::uint32_t;
inline constexpr Term no_term = 0xffffffffU;
using Environment = std::vector<Term>;  // per variable: its term, or no_term

class Terms {
public:
    bool problog_numbers = false;  // arithmetic has ProbLog's results, else those of ISO Prolog

    Term variable(std::uint32_t index);
    Term number(Number value);
    Term compound(std::string_view name, std::span<const Term> args);
    Term constant(std::string_view name) { return compound(name, {}); }
    Term cell(Term head, Term tail);
    Term list(std::span<const Term> elements);

    bool is_variable(Term t) const { return data_[t].kind == Kind::Variable; }
    bool is_number(Term t) const { return data_[t].kind == Kind::Number; }
    bool is_callable(Term t) const { return data_[t].kind == Kind::Name; }
    bool is(Term t, std::string_view name, std::size_t arity) const {
        return is_callable(t) && data_[t].arity == arity && symbols_[data_[t].symbol] == name;
    }
    bool is_ground(Term t) const { return data_[t].variables == 0; }
    std::uint32_t index(Term variable) const { return data_[variable].symbol; }
    const std::string& name(Term t) const { return symbols_[data_[t].symbol]; }
    std::span<const Term> args(Term t) const { return {args_.data() + data_[t].first_arg, data_[t].arity}; }
    Number value(Term number) const { return numbers_[data_[number].first_arg]; }
    std::uint32_t variables(Term t) const { return data_[t].variables; }  // one more than the largest of its numbers
    std::uint32_t depth(Term t) const { return data_[t].depth; }
    // Equal for terms of one name and number of arguments, and for equal numbers.
    std::uint64_t shape(Term t) const {
        const Data& data = data_[t];
        return std::uint64_t{data.symbol} << 32 | std::uint64_t{data.arity} << 2 |
               static_cast<std::uint64_t>(data.kind);
    }

    // The elements of a list that ends; false if it is none.
    bool elements(Term list, std::vector<Term>& to) const;

    // The final binding of a variable; other terms unchanged.
    Term walk(Term t, const Environment& environment) const;
    Term apply(Term t, const Environment& environment);
    // With variables numbered from `offset` on.
    Term shifted(Term t, std::uint32_t offset);
    // With variables numbered in the order in which they occur; terms that differ in their names alone become one.
    Term canonical(Term t);
    // The same; `variables` gets those that the new ones stand for.
    Term canonical(Term t, std::vector<Term>& variables);
    // A term of the same name with other arguments.
    Term with_args(Term t, std::span<const Term> args);
    bool unify(Term first, Term second, Environment& environment);

    // The work of walks so far, in parts of terms.
    std::uint64_t visited() const { return visited_; }

    // Prolog's order: variables, numbers by value, names, compound terms by arity, name and arguments.
    int order(Term first, Term second) const;

    std::string print(Term t) const;

private:
    enum class Kind : std::uint8_t { Variable, Number, Name };
    struct Data {
        Kind kind;
        std::uint32_t symbol;     // of a name; the index of a variable
        std::uint32_t first_arg;  // in args_; of a number, in numbers_
        std::uint32_t arity;
        std::uint32_t variables;
        std::uint32_t depth;
    };
    struct KeyHash {
        std::size_t operator()(const std::vector<std::uint32_t>& key) const;
    };
    std::uint32_t symbol(std::string_view text);
    Term intern(Kind kind, std::uint32_t symbol, std::span<const Term> args);
    template <class Leaf>
    Term rebuilt(Term root, Leaf&& leaf);
    bool occurs(std::uint32_t variable, Term in, const Environment& environment) const;
    struct Printed {
        std::string text;
        Term term;  // if it is none: the text
    };
    void print_parts(Term t, std::vector<Printed>& to) const;
    bool is_infix(Term t) const;

    std::vector<Data> data_;
    std::vector<Term> args_;
    std::vector<Number> numbers_;
    std::vector<std::string> symbols_;
    std::unordered_map<std::string, std::uint32_t> symbol_numbers_;
    std::unordered_map<std::vector<std::uint32_t>, Term, KeyHash> known_;
    // Of walks, which are as deep as a term: a list is as deep as it is long, and no walk calls itself.
    struct Visit {
        Term term;
        std::uint32_t next;  // of its arguments
    };
    std::vector<Visit> visits_;
    std::vector<Term> built_;
    std::uint64_t visited_ = 0;
    std::vector<std::pair<Term, Term>> pairs_;
    mutable std::vector<Term> seen_;
};

}  // namespace neumann::resolution
