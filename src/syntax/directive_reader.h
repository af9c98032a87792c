// Reader of one directive: its arguments, as the declaration expects them, and the errors if they differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"
#include "syntax/ast.h"
#include "syntax/resolve.h"

namespace neumann::syntax {

inline constexpr std::uint32_t largest_bound = 1'000'000;

class DirectiveReader {
public:
    DirectiveReader(const Ast& ast, const Item& item, Program& program, Diagnostics& diagnostics);

    const Node& root() const { return ast_[item_.root]; }
    Span span() const { return item_.span; }
    std::size_t arg_count() const { return args_.size(); }
    const Node& arg(std::size_t i) const { return ast_[args_[i]]; }
    NodeIndex index(std::size_t i) const { return args_[i]; }
    const Node& node(NodeIndex index) const { return ast_[index]; }
    std::vector<NodeIndex> children(std::size_t i) const { return ast_.children(args_[i]); }

    // Nothing, or none(), if the argument is something else; that is reported then.
    const Node* plain_name(std::size_t i, std::string_view what);
    std::optional<std::uint32_t> integer(std::size_t i, std::uint32_t least, std::uint32_t most);
    TypeId type(const Node& node);
    // The same for a declaration that may introduce a type by name: its constants are the used ones.
    TypeId named_type(const Node& node);
    // Makes it one unless it is known or looks like a misspelt one; `unlike` is the name of a type that it may look
    // like.
    void name_type(const Node& node, std::string_view unlike = {});
    std::optional<std::vector<TypeId>> types_of(std::size_t i);  // of the arguments of edge(node, node)
    PredicateId predicate_of(std::size_t i);                     // of an indicator, edge/2
    std::optional<Atom> atom(std::size_t i, Scope& scope) { return atom_at(args_[i], scope); }
    std::optional<Atom> atom_at(NodeIndex index, Scope& scope) { return resolver_.atom(ast_, index, scope); }
    std::optional<Clause> rule(std::size_t i) { return resolver_.rule(ast_, args_[i], item_.span); }

    // The same as integer(), without a report.
    std::optional<std::uint32_t> whole_number(std::size_t i, std::uint32_t least, std::uint32_t most) const;

    void bad(Span span, std::string message, std::string advice = {});
    void duplicate(Span span, const std::string& what, Span first);

    Program& program() { return program_; }
    Signature& signature() { return program_.signature; }
    Diagnostics& diagnostics() { return diagnostics_; }

private:
    const Ast& ast_;
    const Item& item_;
    Program& program_;
    Diagnostics& diagnostics_;
    Resolver resolver_;
    std::vector<NodeIndex> args_;
};

}  // namespace neumann::syntax
