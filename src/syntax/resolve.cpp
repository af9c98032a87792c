#include "syntax/resolve.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"
#include "logic/print.h"
#include "syntax/unknown_names.h"

namespace neumann::syntax {
namespace {

constexpr std::size_t longest_list = 10'000;  // a list is a term nested as deep as it is long

}  // namespace

std::optional<Atom> Resolver::atom(const Ast& ast, NodeIndex index, Scope& scope) {
    const Node& node = ast[index];
    const PredicateId predicate = program_.signature.find_predicate(node.text, node.child_count);
    if (predicate.is_none()) {
        report_unknown_predicate(program_, node.text, node.child_count, node.name_span, diagnostics_);
        scope.mistakes = true;
        return std::nullopt;
    }
    Atom atom{predicate, {}, node.span};
    NodeIndex child = node.first_child;
    for (std::size_t i = 0; i < node.child_count; ++i, child = ast[child].next) {
        atom.args.push_back(term(ast, child, program_.signature.predicate(predicate).args[i], scope));
    }
    if (std::ranges::any_of(atom.args, [](TermId t) { return t.is_none(); })) return std::nullopt;
    return atom;
}

std::optional<Clause> Resolver::rule(const Ast& ast, NodeIndex index, Span span) {
    const std::vector<NodeIndex> children = ast.children(index);
    Scope scope;
    Clause clause;
    clause.span = span;
    std::optional<Atom> head = atom(ast, children[0], scope);
    // Atoms first: they give the variables their types, which constraints then rely on.
    std::vector<NodeIndex> compared;
    std::vector<NodeIndex> aggregates;
    for (std::size_t i = 1; i < children.size(); ++i) {
        const Node& goal = ast[children[i]];
        const bool negated = goal.kind == NodeKind::Not;
        const NodeIndex inside = negated ? goal.first_child : children[i];
        if (goal.kind == NodeKind::Compare) {
            compared.push_back(children[i]);
        } else if (goal.kind == NodeKind::Aggregate) {
            aggregates.push_back(children[i]);
        } else if (ast[inside].kind != NodeKind::Name) {
            diagnostics_.report(codes::unsupported, goal.span,
                                "only atoms, negated atoms and comparisons can stand in the body of this clause",
                                "give the goal a predicate of its own");
            scope.mistakes = true;
        } else if (std::optional<Atom> found = atom(ast, inside, scope)) {
            clause.body.push_back({std::move(*found), negated});
        }
    }
    for (const NodeIndex node : aggregates) {
        if (std::optional<Atom> goal = aggregate_goal(ast, node, scope))
            clause.aggregates.emplace_back().goal = std::move(*goal);
    }
    clause.constraints = constraints(ast, compared, scope);
    for (std::size_t i = 0; i < clause.aggregates.size() && !scope.mistakes; ++i)
        finish_aggregate(ast, aggregates[i], scope, clause.aggregates[i]);
    if (scope.mistakes || !head) return std::nullopt;
    clause.head = std::move(*head);
    clause.variables = std::move(scope.variables);
    return clause;
}

// Those first whose type is known, for each may make that of another known, then arithmetic, whose variables may be of
// any type. They are kept in their order.
std::vector<Constraint> Resolver::constraints(const Ast& ast, const std::vector<NodeIndex>& nodes, Scope& scope) {
    enum Patience { Typed, Arithmetic, Insisting };
    std::vector<std::optional<Constraint>> found(nodes.size());
    std::vector<bool> done(nodes.size(), false);
    for (int patience = Typed; patience <= Insisting && std::ranges::find(done, false) != done.end();) {
        bool progress = false;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Node& node = ast[nodes[i]];
            const NodeIndex left = node.first_child;
            const bool ready = is_arithmetic(node.comparison)
                                   ? patience >= Arithmetic
                                   : patience == Insisting || !guess_type(ast, left, scope).is_none() ||
                                         !guess_type(ast, ast[left].next, scope).is_none();
            if (done[i] || !ready) continue;
            found[i] = constraint(ast, nodes[i], scope);
            done[i] = progress = true;
        }
        patience = progress ? Typed : patience + 1;
    }
    std::vector<Constraint> result;
    for (const std::optional<Constraint>& one : found) {
        if (one) result.push_back(*one);
    }
    return result;
}

TermId Resolver::term(const Ast& ast, NodeIndex index, TypeId expected, Scope& scope) {
    const Node& node = ast[index];
    switch (node.kind) {
    case NodeKind::Variable:
        return variable(node, expected, scope);
    case NodeKind::List:
        return list(ast, index, expected, scope);
    case NodeKind::Name:
        return node.child_count == 0 ? constant(node, expected, scope) : compound(ast, index, expected, scope);
    default:
        break;
    }
    diagnostics_.report(codes::syntax, node.span, "expected a term");
    scope.mistakes = true;
    return TermId::none();
}

TermId Resolver::variable(const Node& node, TypeId expected, Scope& scope) {
    const auto known =
        std::ranges::find_if(scope.variables, [&](const ClauseVariable& v) { return v.name == node.text; });
    if (node.text == "_" || known == scope.variables.end()) {
        scope.variables.push_back({std::string(node.text), expected, node.span});
        return program_.terms.variable(static_cast<std::uint32_t>(scope.variables.size() - 1));
    }
    if (known->type != expected) {
        return clash(node.span, fmt::format("variable '{}'", node.text), known->type, expected, scope,
                     {{known->span, fmt::format("'{}' is of type '{}' here", node.text, type_name(known->type))}});
    }
    return program_.terms.variable(static_cast<std::uint32_t>(known - scope.variables.begin()));
}

TermId Resolver::constant(const Node& node, TypeId expected, Scope& scope) {
    Signature& signature = program_.signature;
    const ConstantId found = signature.find_constant(node.text, expected);
    if (!found.is_none()) return program_.terms.constant(found);
    if (signature.type(expected).open || (node.number && signature.is_expression(expected)))
        return program_.terms.constant(signature.add_constant(std::string(node.text), expected, node.span));
    scope.mistakes = true;
    const std::vector<ConstantId> same_name = signature.constants_named(node.text);
    for (const ConstantId id : same_name) {
        const ConstantDecl& constant = signature.constant(id);
        if (signature.type(constant.type).open) continue;
        return clash(node.span, fmt::format("constant '{}'", node.text), constant.type, expected, scope,
                     {{constant.span, fmt::format("'{}' is declared here", node.text)}});
    }
    if (const std::optional<IntegerRange>& range = signature.type(expected).range) {
        diagnostics_.report(codes::unknown_constant, node.span,
                            fmt::format("unknown constant '{}' of type '{}'", node.text, type_name(expected)),
                            fmt::format("the type '{}' is {}..{}", type_name(expected), range->low, range->high));
        return TermId::none();
    }
    const std::vector<ConstantId>& constants = signature.type(expected).constants;
    const bool compare = is_worth_comparing(diagnostics_, constants.size());
    std::vector<std::string> known;  // all of them, or a few to show
    for (std::size_t i = 0; i < (compare ? constants.size() : std::min<std::size_t>(constants.size(), 9)); ++i)
        known.push_back(signature.constant(constants[i]).name);
    std::string otherwise =
        known.empty()
            ? fmt::format("the type '{}' has no constants", type_name(expected))
            : fmt::format("the type '{}' has: {}{}", type_name(expected),
                          fmt::join(known.begin(),
                                    known.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(known.size(), 8)),
                                    ", "),
                          known.size() > 8 ? ", …" : "");
    diagnostics_.report(codes::unknown_constant, node.span,
                        fmt::format("unknown constant '{}' of type '{}'", node.text, type_name(expected)),
                        compare ? did_you_mean(node.text, known, std::move(otherwise)) : std::move(otherwise));
    return TermId::none();
}

TermId Resolver::compound(const Ast& ast, NodeIndex index, TypeId expected, Scope& scope) {
    const Node& node = ast[index];
    const Signature& signature = program_.signature;
    const FunctorId functor = signature.find_functor(node.text, node.child_count);
    if (functor.is_none()) {
        scope.mistakes = true;
        if (signature.is_broken(node.text)) return TermId::none();
        std::vector<std::string> known;
        for (const FunctorDecl& f : signature.functors()) {
            known.push_back(fmt::format("{}/{}", f.name, f.args.size()));
            if (f.name != node.text) continue;
            diagnostics_.report(
                codes::wrong_arity, node.name_span,
                fmt::format("functor '{}' is given {}, but it takes {}", node.text,
                            counted(node.child_count, "argument"), f.args.size()),
                {},
                {{f.span, fmt::format("'{}/{}' is {} here", f.name, f.args.size(), f.inferred ? "used" : "declared")}});
            return TermId::none();
        }
        const std::string indicator = fmt::format("{}/{}", node.text, node.child_count);
        diagnostics_.report(codes::unknown_functor, node.name_span, fmt::format("unknown functor '{}'", indicator),
                            did_you_mean(indicator, known,
                                         program_.from_folder ? "declare it in funcs.txt"
                                                              : "declare it: :- functor(name(type, …), type)."));
        return TermId::none();
    }
    const FunctorDecl& decl = signature.functor(functor);
    if (decl.result != expected) {
        return clash(node.span, fmt::format("'{}(…)'", node.text), decl.result, expected, scope,
                     {{decl.span, fmt::format("'{}/{}' is {} here", decl.name, decl.args.size(),
                                              decl.inferred ? "used" : "declared")}});
    }
    std::vector<TermId> args;
    NodeIndex child = node.first_child;
    for (std::size_t i = 0; i < node.child_count; ++i, child = ast[child].next) {
        args.push_back(term(ast, child, program_.signature.functor(functor).args[i], scope));
    }
    if (std::ranges::any_of(args, [](TermId t) { return t.is_none(); })) return TermId::none();
    return program_.terms.compound(functor, args);
}

TermId Resolver::list(const Ast& ast, NodeIndex index, TypeId expected, Scope& scope) {
    const Node& node = ast[index];
    const std::optional<ListSugar> sugar = program_.signature.type(expected).list;
    if (!sugar) {
        const bool within_itself = program_.signature.type(expected).inferred;  // else it would be a list type
        diagnostics_.report(codes::type_clash, node.span,
                            within_itself
                                ? "a list cannot stand here: it would be an element of itself"
                                : fmt::format("a list cannot stand here: '{}' is not a list type", type_name(expected)),
                            within_itself ? "its elements and its rest must not share a variable"
                                          : "list types are declared with :- list(type, element, functor, empty).");
        scope.mistakes = true;
        return TermId::none();
    }
    std::vector<NodeIndex> elements = ast.children(index);
    NodeIndex tail = no_node;
    if (node.has_tail) {
        tail = elements.back();
        elements.pop_back();
    }
    const auto report_long = [&](std::size_t length) {
        diagnostics_.report(codes::too_deep, node.span,
                            fmt::format("a list of {} elements; at most {} can be written out", length, longest_list),
                            "build it by clauses");
        scope.mistakes = true;
    };
    if (elements.size() > longest_list) {
        report_long(elements.size());
        return TermId::none();
    }
    std::vector<TermId> items;  // resolved from left to right, so that mistakes come in order
    items.reserve(elements.size());
    for (NodeIndex element : elements) items.push_back(term(ast, element, sugar->element, scope));
    TermId result = tail == no_node ? program_.terms.constant(sugar->empty) : term(ast, tail, expected, scope);
    for (std::size_t i = items.size(); i-- > 0;) {
        if (items[i].is_none() || result.is_none()) return TermId::none();
        result = program_.terms.compound(sugar->cons, std::array{items[i], result});
    }
    if (!result.is_none() && program_.terms.depth(result) > longest_list) {  // a list may go on in another one
        report_long(program_.terms.depth(result));
        return TermId::none();
    }
    return result;
}

std::optional<Constraint> Resolver::constraint(const Ast& ast, NodeIndex index, Scope& scope) {
    const Node& node = ast[index];
    if (is_arithmetic(node.comparison)) return arithmetic(ast, index, scope);
    const NodeIndex left = node.first_child;
    const NodeIndex right = ast[left].next;
    TypeId type = guess_type(ast, left, scope);
    if (type.is_none()) type = guess_type(ast, right, scope);
    if (type.is_none()) {
        diagnostics_.report(codes::unsafe_variable, node.span, "cannot tell the type of either side",
                            "one side must be a variable that occurs in the head or in an atom of the body");
        scope.mistakes = true;
        return std::nullopt;
    }
    Constraint constraint{term(ast, left, type, scope), term(ast, right, type, scope), node.comparison, node.span};
    if (constraint.left.is_none() || constraint.right.is_none()) return std::nullopt;
    return constraint;
}

std::optional<Constraint> Resolver::arithmetic(const Ast& ast, NodeIndex index, Scope& scope) {
    const Node& node = ast[index];
    Constraint constraint;
    constraint.left = expression(ast, node.first_child, scope);
    constraint.right = expression(ast, ast[node.first_child].next, scope);
    constraint.comparison = node.comparison;
    constraint.span = node.span;
    return constraint;
}

// A variable is of the type that its other places ask for; one that stands in arithmetic only is of none of the
// program's types.
// The goal comes first, with the other atoms: it gives variables their types.
std::optional<Atom> Resolver::aggregate_goal(const Ast& ast, NodeIndex index, Scope& scope) {
    const std::vector<NodeIndex> children = ast.children(index);
    return atom(ast, children[children.size() - 2], scope);
}

void Resolver::finish_aggregate(const Ast& ast, NodeIndex index, Scope& scope, Aggregate& aggregate) {
    const Node& node = ast[index];
    const std::vector<NodeIndex> children = ast.children(index);
    using Kind = Aggregate::Kind;
    for (const Kind kind : {Kind::Count, Kind::Sum, Kind::Minimum, Kind::Maximum, Kind::Average}) {
        if (spelling(kind) == node.text) aggregate.kind = kind;
    }
    if (aggregate.kind != Aggregate::Kind::Count) aggregate.weight = expression(ast, children.front(), scope);
    aggregate.result = expression(ast, children.back(), scope);
    aggregate.span = node.span;
}

TermId Resolver::expression(const Ast& ast, NodeIndex index, Scope& scope) {
    const Node& node = ast[index];
    if (node.kind == NodeKind::Variable) {
        const TypeId known = guess_type(ast, index, scope);
        return variable(node, known.is_none() ? expression_type() : known, scope);
    }
    if (node.kind == NodeKind::Name) return constant(node, expression_type(), scope);
    std::vector<TermId> operands;
    for (const NodeIndex operand : ast.children(index)) operands.push_back(expression(ast, operand, scope));
    return program_.terms.compound(program_.signature.operation(node.operation), operands);
}

TypeId Resolver::expression_type() {
    return program_.signature.functor(program_.signature.operation(Operation::Add)).result;
}

// The type of a term if its place does not determine it; none if several types are possible.
TypeId Resolver::guess_type(const Ast& ast, NodeIndex index, const Scope& scope) const {
    const Node& node = ast[index];
    if (node.kind == NodeKind::Variable) {
        for (const ClauseVariable& v : scope.variables) {
            if (v.name == node.text && v.name != "_") return v.type;
        }
        return TypeId::none();
    }
    if (node.kind != NodeKind::Name) return TypeId::none();
    const Signature& signature = program_.signature;
    if (node.child_count > 0) {
        const FunctorId functor = signature.find_functor(node.text, node.child_count);
        return functor.is_none() ? TypeId::none() : signature.functor(functor).result;
    }
    TypeId only;
    for (const ConstantId id : signature.constants_named(node.text)) {
        const TypeId type = signature.constant(id).type;
        if (signature.is_expression(type)) continue;
        if (!only.is_none()) return TypeId::none();
        only = type;
    }
    return only;
}

TermId Resolver::clash(Span span, const std::string& what, TypeId is, TypeId expected, Scope& scope,
                       std::vector<Diagnostic::Related> related) {
    scope.mistakes = true;
    diagnostics_.report(
        codes::type_clash, span,
        fmt::format("{} is of type '{}', but this place takes '{}'", what, type_name(is), type_name(expected)), {},
        std::move(related));
    return TermId::none();
}

}  // namespace neumann::syntax
