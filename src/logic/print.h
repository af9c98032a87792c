// Canonical printing. Text printed here reads back as the same program.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "logic/program.h"

namespace neumann {

std::string quote_name(std::string_view name);    // quotes only where the language asks for them
std::string quote_symbol(std::string_view name);  // … and around what would be a number
std::string quote_text(std::string_view text);    // in quotes, needed or not

// Whether lists print as [a,b] if the program writes lists. In a constraint their place does not determine which list
// type is meant.
enum class ListStyle { Brackets, Functors };

// `variables` names the variables; without it they print as _0, _1, …
std::string print_term(const Signature& signature, const TermTable& terms, TermId term,
                       std::span<const ClauseVariable> variables = {}, ListStyle style = ListStyle::Brackets);
std::string print_atom(const Signature& signature, const TermTable& terms, PredicateId predicate,
                       std::span<const TermId> args, std::span<const ClauseVariable> variables = {});
// A query as it was asked, and an atom as an answer: for a question of several goals its text, and X = a, Y = b.
std::string print_query(const Program& program, const Query& query);
std::string print_answer(const Program& program, PredicateId predicate, std::span<const TermId> args);
std::string print_clause(const Program& program, const Clause& clause);  // with its final dot
std::string print_saying(const Program& program, const Saying& saying);  // the whole directive
std::string print_indicator(const PredicateDecl& predicate);             // edge/2
std::string print_program(const Program& program);

}  // namespace neumann
