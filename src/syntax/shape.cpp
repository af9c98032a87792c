#include "syntax/shape.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace neumann::syntax {
namespace {

[[noreturn]] void wrong_shape(const Node& node, std::string message, std::string advice, Diagnostics& diagnostics) {
    diagnostics.report(codes::syntax, node.span, std::move(message), std::move(advice));
    throw SyntaxError();
}

bool is_call(const Node& node, std::string_view text, std::size_t arguments) {
    return node.kind == NodeKind::Name && !node.quoted && node.child_count == arguments && node.text == text;
}

NodeIndex add_node(Ast& ast, NodeKind kind, const Node& like, const std::vector<NodeIndex>& children) {
    const NodeIndex index = ast.add({kind, {}, like.span, like.name_span});
    ast.set_children(index, children);
    return index;
}

// The parser reads `not (a, b)` as not(a, b).
void make_negation(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const std::vector<NodeIndex> goals = ast.children(index);
    for (const NodeIndex goal : goals) make_goal(ast, goal, diagnostics);
    const NodeIndex inside = goals.size() == 1 ? goals[0] : add_node(ast, NodeKind::And, Node(ast[index]), goals);
    ast[index].kind = NodeKind::Not;
    ast.set_children(index, {inside});
}

// forall(C, A): there is no C without A.
void make_forall(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const std::vector<NodeIndex> goals = ast.children(index);
    for (const NodeIndex goal : goals) make_goal(ast, goal, diagnostics);
    const Node like = ast[index];
    const NodeIndex without = add_node(ast, NodeKind::Not, Node(ast[goals[1]]), {goals[1]});
    const NodeIndex both = add_node(ast, NodeKind::And, like, {goals[0], without});
    ast[index].kind = NodeKind::Not;
    ast.set_children(index, {both});
}

// between(L, H, X): X compared with the range L..H.
void make_between(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const std::vector<NodeIndex> arguments = ast.children(index);
    for (const NodeIndex argument : arguments) make_expression(ast, argument, diagnostics);
    if (ast[arguments[2]].kind == NodeKind::Operation)
        wrong_shape(ast[arguments[2]], "the third argument of between is a variable or a number",
                    "between(1, 9, X) gives X the values 1 to 9", diagnostics);
    Node range{NodeKind::Operation, {}, cover(ast[arguments[0]].span, ast[arguments[1]].span), ast[index].name_span};
    range.operation = Operation::Range;
    const NodeIndex right = ast.add(range);
    ast.set_children(right, {arguments[0], arguments[1]});
    ast[index].kind = NodeKind::Compare;
    ast[index].comparison = Comparison::Between;
    ast.set_children(index, {arguments[2], right});
}

// aggregate_all(sum(W), Goal, N). The expression to count, sum or compare stands in front of the goal.
void make_aggregate(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const std::vector<NodeIndex> arguments = ast.children(index);
    const Node what = ast[arguments[0]];
    const bool counts = is_call(what, "count", 0);
    const bool known = counts || is_call(what, "sum", 1) || is_call(what, "min", 1) || is_call(what, "max", 1) ||
                       is_call(what, "avg", 1);
    // min and max are also operations of two numbers; of one they are this.
    if (!known)
        wrong_shape(what, "expected count, sum(X), min(X), max(X) or avg(X)",
                    "write it like aggregate_all(sum(W), weight(X, W), N)", diagnostics);
    std::vector<NodeIndex> children;
    if (!counts) {
        make_expression(ast, what.first_child, diagnostics);
        children.push_back(what.first_child);
    }
    make_goal(ast, arguments[1], diagnostics);
    children.push_back(arguments[1]);
    make_expression(ast, arguments[2], diagnostics);
    if (ast[arguments[2]].kind == NodeKind::Operation)
        wrong_shape(ast[arguments[2]], "the result of an aggregate is a variable or a number",
                    "compare it by a goal of its own: N =:= M + 1", diagnostics);
    children.push_back(arguments[2]);
    ast[index].kind = NodeKind::Aggregate;
    ast[index].text = what.text;
    ast.set_children(index, children);
}

void make_comparison(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const Comparison comparison = ast[index].comparison;
    const std::vector<NodeIndex> sides = ast.children(index);
    const auto make = is_arithmetic(comparison) ? make_expression : make_term;
    for (const NodeIndex side : sides) make(ast, side, diagnostics);
    if (comparison == Comparison::Is && ast[sides[0]].kind == NodeKind::Operation)
        wrong_shape(ast[sides[0]], "the left side of 'is' is a variable or a number",
                    "to compare two expressions write =:=", diagnostics);
}

std::string written(const Ast& ast, NodeIndex index) {
    const Node& node = ast[index];
    const auto operand = [&](NodeIndex i) { return ast[i].child_count == 0 ? std::string(ast[i].text) : "…"; };
    if (node.child_count == 1) return fmt::format("{}{}", spelling(node.operation), operand(node.first_child));
    return fmt::format("{} {} {}", operand(node.first_child), spelling(node.operation),
                       operand(ast[node.first_child].next));
}

}  // namespace

void make_goal(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const Node node = ast[index];
    switch (node.kind) {
    case NodeKind::Not:
    case NodeKind::And:
    case NodeKind::Or:
        for (const NodeIndex goal : ast.children(index)) make_goal(ast, goal, diagnostics);
        return;
    case NodeKind::Compare:
        return make_comparison(ast, index, diagnostics);
    case NodeKind::Name:
        break;
    default:
        wrong_shape(node, "a goal must be an atom or a comparison",
                    node.kind == NodeKind::Operation ? "write a condition, such as X < 3" : "", diagnostics);
    }
    if (node.number)
        wrong_shape(node, "a number is not a goal", "quote it to use it as the name of a predicate", diagnostics);
    if (is_call(node, "true", 0)) {
        ast[index].kind = NodeKind::And;
        return;
    }
    if (node.text == "not" && !node.quoted && node.child_count > 0) return make_negation(ast, index, diagnostics);
    if (is_call(node, "forall", 2)) return make_forall(ast, index, diagnostics);
    if (is_call(node, "between", 3)) return make_between(ast, index, diagnostics);
    if (is_call(node, "aggregate_all", 3)) return make_aggregate(ast, index, diagnostics);
    if (is_call(node, "once", 1) || is_call(node, "exists", 1)) {
        make_goal(ast, node.first_child, diagnostics);
        ast[index].kind = NodeKind::Or;  // of one alternative: its variables are its own
        return;
    }
    for (const NodeIndex argument : ast.children(index)) make_term(ast, argument, diagnostics);
}

void make_term(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const Node& node = ast[index];
    switch (node.kind) {
    case NodeKind::Variable:
    case NodeKind::Signed:
        return;
    case NodeKind::Name:
    case NodeKind::List:
        for (NodeIndex child = node.first_child; child != no_node; child = ast[child].next)
            make_term(ast, child, diagnostics);
        return;
    case NodeKind::Operation:
        wrong_shape(node, "an expression cannot stand here",
                    fmt::format("give its value a name in the body: Value is {}", written(ast, index)), diagnostics);
    default:
        wrong_shape(node, "expected a term, found a goal", "goals stand in the body of a clause", diagnostics);
    }
}

void make_expression(Ast& ast, NodeIndex index, Diagnostics& diagnostics) {
    const Node node = ast[index];
    switch (node.kind) {
    case NodeKind::Variable:
        return;
    case NodeKind::Operation:
        break;
    case NodeKind::Name: {
        if (node.child_count == 0) {
            if (!node.number)
                wrong_shape(node, fmt::format("'{}' is not a number", node.text),
                            "arithmetic takes numbers, variables and + - * / // mod min max abs; terms are compared "
                            "by = and \\=",
                            diagnostics);
            return;
        }
        const std::optional<Operation> operation = find_operation(node.text, node.child_count);
        if (!operation || *operation == Operation::Range)
            wrong_shape(node, fmt::format("unknown operation '{}/{}'", node.text, node.child_count),
                        "arithmetic has + - * / // mod min max abs", diagnostics);
        ast[index].kind = NodeKind::Operation;
        ast[index].operation = *operation;
        break;
    }
    default:
        wrong_shape(node, "expected a number, a variable or an expression", {}, diagnostics);
    }
    for (const NodeIndex operand : ast.children(index)) make_expression(ast, operand, diagnostics);
}

}  // namespace neumann::syntax
