// Parser for answer set programs: tokens to rules. It names features without a stratified meaning as errors; after an
// error it goes on behind the next dot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interchange/asp_lexer.h"
#include "interchange/asp_tree.h"

namespace neumann::interchange {

class AspParser {
public:
    AspParser(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics);

    AspProgram parse();

private:
    struct Refusal {};  // thrown when the rest of a statement is skipped

    void advance();
    bool is(std::string_view symbol) const;
    bool is_command(std::string_view command) const;
    bool is_aggregate() const;
    [[noreturn]] void fail(const std::string& expected);
    [[noreturn]] void refuse(Span span, const std::string& what, const std::string& advice);
    [[noreturn]] void refuse_command();
    void expect(std::string_view symbol, const std::string& after);
    void skip_statement();

    void parse_statement();
    void parse_command();
    void parse_constant();
    void parse_show();
    void parse_defined();
    AspTerm parse_head();
    std::vector<AspLiteral> parse_body();

    AspLiteral parse_literal();
    AspLiteral parse_simple_literal();  // no aggregate
    AspLiteral parse_comparison(AspLiteral literal, AspTerm left);
    AspLiteral parse_aggregate(AspLiteral literal, std::vector<AspGuard> guards);
    AspElement parse_element();
    void require_atom(const AspTerm& term);
    std::string take_relation();

    AspTerm parse_term();
    AspTerm parse_sum();
    AspTerm parse_product();
    AspTerm parse_operand();
    AspTerm parse_identifier();
    AspTerm parse_brackets();
    AspTerm parse_absolute();
    std::vector<AspTerm> parse_alternative(bool& comma);
    AspTerm operation(const AspToken& symbol, AspTerm left, AspTerm right);
    void refuse_operator();
    void enter();

    const SourceSet& sources_;
    std::uint32_t file_;
    Diagnostics& diagnostics_;
    AspLexer lexer_;
    AspToken token_;
    Span previous_;
    AspProgram program_;
    unsigned depth_ = 0;
    unsigned operators_ = 0;  // of this statement
};

}  // namespace neumann::interchange
