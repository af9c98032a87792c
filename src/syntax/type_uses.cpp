#include "syntax/type_uses.h"

#include <algorithm>

namespace neumann::syntax {
namespace {

bool has_variables(const Ast& ast, NodeIndex node) {
    if (ast[node].kind == NodeKind::Variable) return true;
    for (NodeIndex child = ast[node].first_child; child != no_node; child = ast[child].next) {
        if (has_variables(ast, child)) return true;
    }
    return false;
}

// query(a). and evidence(a). are facts that ask.
bool asks_in_a_fact(const Node& head) {
    return !head.quoted && ((head.text == "query" && head.child_count == 1) ||
                            (head.text == "evidence" && (head.child_count == 1 || head.child_count == 2)));
}

}  // namespace

void TypeUses::add(const Ast& ast, const Item& item) {
    variables_.clear();
    if (item.kind == Item::Kind::Clause) {
        add_rule(ast, item.root, true);
    } else {
        add_directive(ast, item.root);
    }
}

void TypeUses::add_directive(const Ast& ast, NodeIndex root) {
    const std::string_view name = ast[root].text;
    const NodeIndex first = ast[root].first_child;
    if (first == no_node) return;
    const Node& argument = ast[first];
    if (name == "query" || name == "label" || name == "say" || name == "evidence") {
        if (argument.kind == NodeKind::Name || argument.kind == NodeKind::Not) add_goal(ast, first);
    } else if (name == "initial") {
        if (argument.kind == NodeKind::Rule) add_rule(ast, first, false);
        if (argument.kind == NodeKind::Name) add_atom(ast, argument, Role::Used);
    } else if (name == "learn") {
        if (argument.kind == NodeKind::Indicator)
            predicate(argument.text, argument.arity, argument.span, Role::Learned);
    } else if (name == "facts") {
        if (argument.kind == NodeKind::Indicator) predicate(argument.text, argument.arity, argument.span, Role::Fact);
    } else if ((name == "modeh" || name == "modeb") && argument.next != no_node) {
        if (ast[argument.next].kind == NodeKind::Name) add_mode(ast, ast[argument.next]);
    }
}

void TypeUses::add_mode(const Ast& ast, const Node& mode) {
    const std::uint32_t owner = predicate(mode.text, mode.child_count, mode.span, Role::Used);
    std::uint32_t argument = 0;
    for (NodeIndex place = mode.first_child; place != no_node; place = ast[place].next, ++argument) {
        if (ast[place].kind != NodeKind::Signed) continue;
        const Node& type = ast[ast[place].first_child];
        named_places_.push_back({owner, argument, type.text, type.span});
    }
}

void TypeUses::add_rule(const Ast& ast, NodeIndex rule, bool defines) {
    const NodeIndex head = ast[rule].first_child;
    const bool bare = ast[rule].child_count == 1 && ast[rule].text != "true";
    if (bare && asks_in_a_fact(ast[head])) return add_directive(ast, head);
    if (ast[head].kind == NodeKind::Or) {  // an annotated disjunction
        for (NodeIndex one = ast[head].first_child; one != no_node; one = ast[one].next)
            add_atom(ast, ast[one], Role::Head);
    } else {
        const bool fact = bare && !has_variables(ast, head);
        add_atom(ast, ast[head], !defines ? Role::Used : fact ? Role::Fact : Role::Head);
    }
    for (NodeIndex goal = ast[head].next; goal != no_node; goal = ast[goal].next) add_goal(ast, goal);
}

void TypeUses::add_goal(const Ast& ast, NodeIndex goal) {
    const Node& node = ast[goal];
    if (node.kind == NodeKind::Name) {
        add_atom(ast, node, Role::Used);
    } else if (node.kind == NodeKind::Aggregate) {
        const std::vector<NodeIndex> children = ast.children(goal);
        if (children.size() == 3) add_expression(ast, children.front());
        add_goal(ast, children[children.size() - 2]);
        add_expression(ast, children.back());
    } else if (node.kind != NodeKind::Compare) {  // goals inside a goal
        for (NodeIndex child = node.first_child; child != no_node; child = ast[child].next) add_goal(ast, child);
    } else if (is_arithmetic(node.comparison)) {
        add_expression(ast, node.first_child);
        add_expression(ast, ast[node.first_child].next);
    } else {
        const Place both = classes_.add();
        add_term(ast, node.first_child, both);
        add_term(ast, ast[node.first_child].next, both);
    }
}

void TypeUses::add_expression(const Ast& ast, NodeIndex index) {
    if (ast[index].kind == NodeKind::Variable) {
        const Place number = classes_.add();
        classes_.mark_number(number);
        add_term(ast, index, number);
        return;
    }
    for (NodeIndex child = ast[index].first_child; child != no_node; child = ast[child].next)
        add_expression(ast, child);
}

void TypeUses::add_atom(const Ast& ast, const Node& atom, Role role) {
    Place place = predicates_[predicate(atom.text, atom.child_count, atom.span, role)].first;
    for (NodeIndex child = atom.first_child; child != no_node; child = ast[child].next) add_term(ast, child, place++);
}

void TypeUses::add_term(const Ast& ast, NodeIndex index, Place place) {
    const Node& node = ast[index];
    if (node.kind == NodeKind::Variable) {
        if (node.text == "_") return;
        const auto known = std::ranges::find(variables_, node.text, &std::pair<std::string_view, Place>::first);
        if (known == variables_.end()) {
            variables_.emplace_back(node.text, place);
        } else {
            classes_.join(known->second, place, {node.text, node.span});
        }
    } else if (node.kind == NodeKind::List) {
        const Place element = classes_.element(place);
        for (NodeIndex child = node.first_child; child != no_node; child = ast[child].next) {
            const bool tail = node.has_tail && ast[child].next == no_node;
            add_term(ast, child, tail ? place : element);
        }
    } else if (node.kind == NodeKind::Name && node.child_count == 0) {
        add_constant(node, place);
    } else if (node.kind == NodeKind::Name) {
        const FunctorUse use = functors_[functor(node)];
        classes_.join(place, use.result(), {use.name, node.name_span});
        Place argument = use.first;
        for (NodeIndex child = node.first_child; child != no_node; child = ast[child].next)
            add_term(ast, child, argument++);
    }
}

void TypeUses::add_constant(const Node& node, Place place) {
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(node.text)) + place * 0x9e3779b9U;
    const std::uint32_t known = constant_slots_.find(
        hash, [&](std::uint32_t c) { return constants_[c].place == place && constants_[c].name == node.text; });
    if (known != SlotTable::absent) return;
    constant_slots_.insert(hash, static_cast<std::uint32_t>(constants_.size()));
    constants_.push_back({node.text, place, node.span});
}

std::uint32_t TypeUses::predicate(std::string_view name, std::uint32_t arity, Span span, Role role) {
    const auto number = static_cast<std::uint32_t>(predicates_.size());
    const auto [entry, added] = predicate_index_.try_emplace({name, arity}, number);
    if (added) {
        predicates_.push_back({name, arity, static_cast<Place>(classes_.size()), span, false, false, false, false});
        for (std::uint32_t i = 0; i < arity; ++i) classes_.add();
    }
    PredicateUse& use = predicates_[entry->second];
    if ((role == Role::Fact || role == Role::Head) && !use.in_fact && !use.in_head) use.span = span;
    use.in_fact = use.in_fact || role == Role::Fact;
    use.in_head = use.in_head || role == Role::Head;
    use.learned = use.learned || role == Role::Learned;
    use.used = use.used || role == Role::Used;
    return entry->second;
}

std::uint32_t TypeUses::functor(const Node& node) {
    const auto number = static_cast<std::uint32_t>(functors_.size());
    const auto [entry, added] = functor_index_.try_emplace({node.text, node.child_count}, number);
    if (added) {
        functors_.push_back({node.text, node.child_count, static_cast<Place>(classes_.size()), node.name_span});
        for (std::uint32_t i = 0; i <= node.child_count; ++i) classes_.add();
    }
    return entry->second;
}

}  // namespace neumann::syntax
