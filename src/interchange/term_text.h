// Terms and atoms in the spelling of another language.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "logic/program.h"

namespace neumann::interchange {

struct Spelling {
    enum class Lists : std::uint8_t {
        Brackets,    // [a,b|T]
        Cells,       // cons(a,cons(b,T)), whatever the program's lists consist of
        AsDeclared,  // by the functor and the constant of its type
    };
    std::function<std::string(const std::string&)> constant;  // numbers, too
    std::function<std::string(const std::string&)> symbol;    // of predicates and functors
    Lists lists = Lists::Brackets;
    std::string cell;  // for Cells
    std::string empty;
};

// The names of the variables of a clause, by their numbers.
using VariableNames = std::vector<std::string>;

class TermText {
public:
    TermText(const Program& program, Spelling spelling) : program_(program), spelling_(std::move(spelling)) {}

    std::string constant(ConstantId id) const;
    std::string term(TermId term, const VariableNames& variables) const;
    std::string atom(PredicateId predicate, std::span<const TermId> args, const VariableNames& variables) const;

private:
    std::string list(TermId term, const ListSugar& sugar, const VariableNames& variables) const;
    std::string arguments(std::span<const TermId> args, const VariableNames& variables) const;

    const Program& program_;
    Spelling spelling_;
};

}  // namespace neumann::interchange
