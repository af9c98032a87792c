// Parser of Prolog's terms by the priorities of operators: one clause at a time, whose variables are numbered from 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "resolution/rules.h"
#include "syntax/lexer.h"

namespace neumann::resolution {

using syntax::Token;
using syntax::TokenKind;

inline constexpr unsigned goals = 1100;  // joined by , and ;
inline constexpr unsigned argument = 999;
inline constexpr unsigned head_part = 998;                    // of an annotated disjunction
inline constexpr std::string_view aggregate_argument = "<>";  // avg<S>

// Throws syntax::SyntaxError after it has reported a mistake.
class TermParser {
protected:
    TermParser(const SourceSet& sources, std::uint32_t file, Rules& rules, Diagnostics& diagnostics,
               RuleLanguage language);

    void begin_clause();
    void advance() { token_ = lexer_.next(); }
    bool is(TokenKind kind) const { return token_.kind == kind; }
    bool is(std::string_view text) const { return token_.text == text && !token_.quoted; }
    bool is_prefix(std::string_view sign) const { return is(TokenKind::Refused) && is(sign); }
    [[noreturn]] void fail(const std::string& expected);
    [[noreturn]] void fail_at_question() { fail("a term; a decision stands in front of a head: ?::a"); }
    bool infix_name(Term t) const;
    Term parse(unsigned most);
    // An operator as a name, call(=, X, 1), and in front of its arguments, =(X, 1).
    std::optional<Term> parse_operator_name();
    Term parse_operand(unsigned most);
    // The > of avg<S>, at the end of the arguments.
    bool is_aggregate_end() const;
    void expect(TokenKind kind, const char* what);
    Term parse_variable();
    // In front of '::' the lexer gives a weight, which is the end of an expression: 1/6::a.
    Term parse_number();
    Number weight_number() const;
    Term parse_sign();
    Term parse_prefix(std::string_view name);
    Term parse_list();
    Term parse_name(unsigned most);
    Term parse_call(const std::string& name, Span span);
    void note_name(std::string_view name, std::size_t arity, Span span);

    syntax::Lexer lexer_;
    std::string_view source_;
    Rules& rules_;
    Terms& terms_;
    Diagnostics& diagnostics_;
    RuleLanguage language_;
    Token token_;
    std::map<std::string, std::uint32_t> variables_;
    std::uint32_t next_variable_ = 0;
    unsigned depth_ = 0;
    unsigned operators_ = 0;
};

}  // namespace neumann::resolution
