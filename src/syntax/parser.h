// Parser: tokens to items. Recursive descent, one item at a time; after an error it continues after the next dot, so
// that all errors of a file are found in one pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/ast.h"
#include "syntax/lexer.h"
#include "syntax/shape.h"

namespace neumann::syntax {

class Parser {
public:
    Parser(const SourceSet& sources, std::uint32_t file, Dialect dialect, Diagnostics& diagnostics);

    // The next item that parses, its nodes in ast(); nothing at the end of the file.
    std::optional<Item> next_item();
    // A single atom that fills the whole text (a query from the command line, a key of an example).
    std::optional<NodeIndex> whole_atom();

    // Goals that fill the whole text, as the body of a clause whose head has this name, and as arguments the variables
    // for which the question asks: not those inside \+ or an aggregate, nor those that begin with _.
    std::optional<Item> whole_question(std::string_view name);

    // The names in directives that did not parse, so that their uses are not reported as errors.
    const std::vector<std::string>& broken_names() const { return broken_names_; }
    // The predicates of clauses that did not parse.
    const std::vector<std::string>& broken_heads() const { return broken_heads_; }

    Ast& ast() { return ast_; }
    TextStore texts() const { return lexer_.texts(); }

private:
    void advance() {
        previous_ = token_;
        token_ = lexer_.next();
    }
    bool is(TokenKind kind) const { return token_.kind == kind; }
    [[noreturn]] void fail(const std::string& expected);
    [[noreturn]] void fail_unclosed(const Token& open, const std::string& closing);
    [[noreturn]] void fail_constraint(Span first);
    [[noreturn]] void fail_fraction(Span first);
    [[noreturn]] void fail_negated_head(Span symbol);
    void skip_item();

    std::optional<Item> try_item();  // nothing if it does not parse; it is skipped then
    Item parse_item();
    void parse_clause(Item& item);
    NodeIndex parse_rule(NodeIndex head);
    void add_asked(NodeIndex goal, std::vector<NodeIndex>& asked) const;
    NodeIndex parse_head();  // an atom, without weight
    NodeIndex parse_weighted_head(std::optional<Weight>& weight);
    Weight parameter(NodeIndex written);
    NodeIndex parse_choice(NodeIndex first, Item& item);
    NodeIndex parse_atom(const std::string& what);
    NodeIndex parse_directive_argument();
    NodeIndex parse_indicator(NodeIndex name);
    NodeIndex parse_range(NodeIndex low);

    NodeIndex parse_body();
    NodeIndex parse_operators(unsigned most, const std::string& what);
    NodeIndex parse_series(NodeIndex first, unsigned priority);
    NodeIndex parse_operand(unsigned most, const std::string& what);
    NodeIndex parse_variable();
    NodeIndex parse_number(Span span, std::string_view text);
    NodeIndex parse_minus();
    NodeIndex parse_negation();
    NodeIndex parse_negated(const Token& symbol);
    NodeIndex parse_group(const std::string& what);
    NodeIndex parse_place(const Token& symbol);
    NodeIndex parse_name();
    NodeIndex parse_list();
    std::vector<NodeIndex> parse_arguments(const Token& open);
    NodeIndex with_children(NodeIndex node, const std::vector<NodeIndex>& children, Span last);
    void enter(const Token& open);  // one level deeper

    Lexer lexer_;
    Dialect dialect_;
    Diagnostics& diagnostics_;
    Ast ast_;
    Token token_;
    Token previous_;
    std::uint32_t item_begin_ = 0;
    bool in_directive_ = false;
    const char* end_name_ = "the end of the file";
    unsigned depth_ = 0;
    unsigned operators_ = 0;  // of this item
    bool plain_ = true;       // nothing of this item needs a look at its shape: no operators, no brackets around terms
    std::vector<std::string> broken_names_;
    std::vector<std::string> broken_heads_;
};

}  // namespace neumann::syntax
