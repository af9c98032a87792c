// Name resolution: names to ids, under the types that their places require. The type of a constant or a list follows
// from its place (the same word may be a constant of two types), so resolving names and checking types is one traversal
// from the outside in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "logic/program.h"
#include "syntax/ast.h"

namespace neumann::syntax {

// The variables of one clause or query while it is resolved.
struct Scope {
    std::vector<ClauseVariable> variables;
    bool mistakes = false;  // something in this clause was reported: it must not be kept
};

class Resolver {
public:
    Resolver(Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

    std::optional<Atom> atom(const Ast& ast, NodeIndex index, Scope& scope);
    // A flat Rule (see syntax/lower.h); nothing if anything in it was reported.
    std::optional<Clause> rule(const Ast& ast, NodeIndex index, Span span);

private:
    TermId term(const Ast& ast, NodeIndex index, TypeId expected, Scope& scope);
    TermId variable(const Node& node, TypeId expected, Scope& scope);
    TermId constant(const Node& node, TypeId expected, Scope& scope);
    TermId compound(const Ast& ast, NodeIndex index, TypeId expected, Scope& scope);
    TermId list(const Ast& ast, NodeIndex index, TypeId expected, Scope& scope);
    std::vector<Constraint> constraints(const Ast& ast, const std::vector<NodeIndex>& nodes, Scope& scope);
    std::optional<Constraint> constraint(const Ast& ast, NodeIndex index, Scope& scope);
    std::optional<Constraint> arithmetic(const Ast& ast, NodeIndex index, Scope& scope);
    std::optional<Atom> aggregate_goal(const Ast& ast, NodeIndex index, Scope& scope);
    void finish_aggregate(const Ast& ast, NodeIndex index, Scope& scope, Aggregate& aggregate);
    TermId expression(const Ast& ast, NodeIndex index, Scope& scope);
    TypeId expression_type();
    TypeId guess_type(const Ast& ast, NodeIndex index, const Scope& scope) const;

    TermId clash(Span span, const std::string& what, TypeId is, TypeId expected, Scope& scope,
                 std::vector<Diagnostic::Related> related = {});
    const std::string& type_name(TypeId type) const { return program_.signature.type(type).name; }

    Program& program_;
    Diagnostics& diagnostics_;
};

}  // namespace neumann::syntax
