// Calls of built-in predicates: their arguments and solutions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "resolution/built_ins.h"

namespace neumann::resolution {

struct BuiltInCall {
    Terms& terms;
    std::vector<Term> args;  // applied
    const Environment& environment;
    std::vector<Environment>& solutions;

    bool holds_if(bool condition) const {
        if (condition) solutions.push_back(environment);
        return condition;
    }
    // Binds a term, if that is possible; it may have new variables.
    void give(Term to, Term value) const {
        Environment extended = environment;
        extended.resize(std::max<std::size_t>(extended.size(), terms.variables(value)), no_term);
        if (terms.unify(to, value, extended)) solutions.push_back(std::move(extended));
    }
    std::vector<Term> list(std::size_t i) const {
        std::vector<Term> elements;
        if (!terms.elements(args[i], elements))
            throw GoalError(fmt::format("{} is not a list whose end is known", terms.print(args[i])));
        return elements;
    }
    std::int64_t integer(std::size_t i) const {
        const Number value = evaluate(terms, args[i]);
        const auto* whole = std::get_if<std::int64_t>(&value);
        if (whole == nullptr) throw GoalError(fmt::format("{} is not an integer", terms.print(args[i])));
        return *whole;
    }
};

struct BuiltIn {
    std::string_view name;
    std::size_t arity;
    void (*solve)(const BuiltInCall&);
};

// Those about the letters of names and strings, and about the variables of terms.
std::span<const BuiltIn> text_built_ins();

}  // namespace neumann::resolution
