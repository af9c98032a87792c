#include "syntax/lower.h"

#include <algorithm>

#include <fmt/format.h>

namespace neumann::syntax {
namespace {

constexpr double rounding = 1e-9;  // tolerance by which the sum of weights may exceed 1

std::vector<std::vector<NodeIndex>> one_by_one(const std::vector<NodeIndex>& nodes) {
    std::vector<std::vector<NodeIndex>> single;
    single.reserve(nodes.size());
    for (const NodeIndex node : nodes) single.push_back({node});
    return single;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

// The negated comparison; nothing for Between, which is two comparisons.
std::optional<Comparison> complement(Comparison comparison) {
    switch (comparison) {
    case Comparison::Equal:
        return Comparison::Different;
    case Comparison::Different:
        return Comparison::Equal;
    case Comparison::Less:
        return Comparison::AtLeast;
    case Comparison::AtMost:
        return Comparison::Greater;
    case Comparison::Greater:
        return Comparison::AtMost;
    case Comparison::AtLeast:
        return Comparison::Less;
    case Comparison::SameNumber:
    case Comparison::Is:
        return Comparison::OtherNumber;
    case Comparison::OtherNumber:
        return Comparison::SameNumber;
    case Comparison::Between:
        break;
    }
    return std::nullopt;
}

}  // namespace

Lowering::Lowering(const Program& program, TextStore texts, Diagnostics& diagnostics)
    : program_(program), texts_(std::move(texts)), diagnostics_(diagnostics) {
    for (const Clause& clause : program.clauses) {
        if (clause.choice) next_choice_ = std::max(next_choice_, *clause.choice + 1);
    }
}

std::vector<FlatRule> Lowering::lower(Ast& ast, const Item& item) {
    ast_ = &ast;
    rules_.clear();
    Goals goals = ast.children(item.root);
    const Node head = ast[goals.front()];
    goals.erase(goals.begin());
    if (head.kind == NodeKind::Or) return lower_choice(item, goals);
    if (std::ranges::all_of(goals, [&](NodeIndex goal) { return is_flat(goal); }))
        return {{item.root, item.weight, std::nullopt, false}};
    head_ = head.text;
    const Node rule = ast[item.root];
    const NodeIndex written = rule.first_child;
    // p :- a ; b. is two clauses, if there is no weight that both would count.
    const bool split = !item.weight && goals.size() == 1 && ast[goals[0]].kind == NodeKind::Or;
    const std::vector<Goals> bodies = split ? one_by_one(ast.children(goals[0])) : std::vector<Goals>(1, goals);
    std::vector<FlatRule> all;
    for (const Goals& body : bodies) {
        const Goals flat = lower_goals(body, variables_of({written}));
        all.push_back({add_rule(copy(written), flat, flat.empty(), rule), item.weight, std::nullopt, false});
    }
    all.insert(all.end(), rules_.begin(), rules_.end());
    return all;
}

std::vector<FlatRule> Lowering::lower_choice(const Item& item, const Goals& goals) {
    if (!good_choice(*ast_, item)) return {};
    const Node rule = (*ast_)[item.root];
    const Goals heads = ast_->children(rule.first_child);
    head_ = (*ast_)[heads[0]].text;
    const Goals flat = lower_goals(one_case(goals, rule), variables_of(heads));
    std::vector<FlatRule> all;
    for (std::size_t h = 0; h < heads.size(); ++h)
        all.push_back({add_rule(copy(heads[h]), flat, true, rule), item.head_weights[h], next_choice_, false});
    ++next_choice_;
    all.insert(all.end(), rules_.begin(), rules_.end());
    return all;
}

// Each instance of the body chooses one of the heads, so an atom has to identify the instance: the body itself, or an
// auxiliary one over all its variables.
Lowering::Goals Lowering::one_case(const Goals& goals, Node rule) {
    for (const NodeIndex goal : goals) name_variables(goal);
    const Names all = variables_of(goals);
    const bool tells_apart = goals.size() == 1 && (*ast_)[goals[0]].kind == NodeKind::Name;
    if (all.empty() || tells_apart) return goals;
    const NodeIndex body = ast_->add({NodeKind::And, {}, rule.span, {}});
    Goals copies;
    for (const NodeIndex goal : goals) copies.push_back(copy(goal));
    ast_->set_children(body, copies);
    return {auxiliary("case", {body}, {}, all, rule)};
}

// Anonymous variables get names.
void Lowering::name_variables(NodeIndex index) {
    Node& node = (*ast_)[index];
    if (node.kind == NodeKind::Variable && node.text == "_")
        node.text = texts_->emplace_back(fmt::format("_Any{}", ++anonymous_));
    for (NodeIndex child = node.first_child; child != no_node; child = (*ast_)[child].next) name_variables(child);
}

bool Lowering::good_choice(const Ast& ast, const Item& item) {
    const NodeIndex choice = ast[item.root].first_child;
    const Goals heads = ast.children(choice);
    double sum = 0;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        if (!item.head_weights[h]) {
            diagnostics_.report(codes::bad_weight, ast[heads[h]].span,
                                "every head of an annotated disjunction needs a weight",
                                "write it like 0.3::a ; 0.7::b :- c.");
            return false;
        }
        if (!item.head_weights[h]->open) sum += item.head_weights[h]->value;
    }
    const bool some_open = std::ranges::any_of(item.head_weights, [](const auto& w) { return w->open; });
    if (some_open && sum >= 1 - rounding && sum <= 1 + rounding) {
        diagnostics_.report(codes::bad_weight, ast[choice].span,
                            "the weights of the other heads sum up to 1: nothing is left for t(_)",
                            "leave it out, or give the others less");
        return false;
    }
    if (sum <= 1 + rounding) return true;
    const bool each_good = std::ranges::all_of(item.head_weights, [](const auto& w) { return w->value <= 1; });
    if (!each_good) return true;  // that weight is reported
    diagnostics_.report(codes::bad_weight, ast[choice].span,
                        fmt::format("the weights of an annotated disjunction sum up to {:.6g}", sum),
                        "at most one of the heads holds, so that they sum up to at most 1");
    return false;
}

Lowering::Goals Lowering::flatten(const Goals& goals) const {
    Goals flat;
    for (const NodeIndex goal : goals) {
        if ((*ast_)[goal].kind != NodeKind::And) {
            flat.push_back(goal);
            continue;
        }
        const Goals inner = flatten(ast_->children(goal));
        flat.insert(flat.end(), inner.begin(), inner.end());
    }
    return flat;
}

// `outside`: the variables around the goals.
Lowering::Goals Lowering::lower_goals(const Goals& written, const Names& outside) {
    const Goals goals = flatten(written);
    Goals flat;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (is_flat(goals[i])) {
            flat.push_back(copy(goals[i]));
            continue;
        }
        Goals around = goals;
        around.erase(around.begin() + static_cast<std::ptrdiff_t>(i));
        Names rest = outside;
        for (const NodeIndex other : around) add_variables(other, rest);
        if ((*ast_)[goals[i]].kind == NodeKind::Not) {
            lower_negation(goals[i], around, rest, flat);
        } else if ((*ast_)[goals[i]].kind == NodeKind::Aggregate) {
            lower_aggregate(goals[i], around, rest, flat);
        } else {
            lower_alternatives(goals[i], around, rest, flat);
        }
    }
    return flat;
}

bool Lowering::is_flat(NodeIndex goal) const {
    return (*ast_)[goal].kind == NodeKind::Name || (*ast_)[goal].kind == NodeKind::Compare;
}

void Lowering::lower_negation(NodeIndex negation, const Goals& around, const Names& rest, Goals& flat) {
    if (lower_complement(negation, rest, flat)) return;
    const NodeIndex inside = (*ast_)[negation].first_child;
    const Node node = (*ast_)[inside];
    NodeIndex atom = no_node;
    if (node.kind == NodeKind::Name && !has_local_variables(inside, rest)) {
        atom = copy(inside);
    } else {
        const Goals alternatives = node.kind == NodeKind::Or ? ast_->children(inside) : Goals{inside};
        atom = auxiliary("not", alternatives, around, rest, (*ast_)[negation]);
    }
    const NodeIndex literal = copy(negation);
    ast_->set_children(literal, {atom});
    flat.push_back(literal);
}

// The negation of a comparison is another one, and two negations are none: there are no variables that they could hide.
bool Lowering::lower_complement(NodeIndex negation, const Names& rest, Goals& flat) {
    const NodeIndex inside = (*ast_)[negation].first_child;
    const Node node = (*ast_)[inside];
    if (has_local_variables(inside, rest)) return false;
    if (node.kind == NodeKind::Not) {
        for (const NodeIndex goal : lower_goals({node.first_child}, rest)) flat.push_back(goal);
        return true;
    }
    if (node.kind != NodeKind::Compare) return false;
    const std::optional<Comparison> other = complement(node.comparison);
    if (!other) return false;
    const NodeIndex left = copy(node.first_child);
    const NodeIndex right = copy((*ast_)[node.first_child].next);
    flat.push_back(add_compare(*other, left, right, (*ast_)[negation]));
    return true;
}

// Every solution of the goal counts, so that all its variables are those of the auxiliary predicate.
void Lowering::lower_aggregate(NodeIndex aggregate, const Goals& around, const Names& rest, Goals& flat) {
    Goals children = ast_->children(aggregate);
    NodeIndex& goal = children[children.size() - 2];
    const Node node = (*ast_)[goal];
    if (node.kind == NodeKind::Name) {
        goal = copy(goal);
    } else {
        Names all = rest;
        add_variables(goal, all);
        const Goals alternatives = node.kind == NodeKind::Or ? ast_->children(goal) : Goals{goal};
        goal = auxiliary("of", alternatives, around, all, (*ast_)[aggregate]);
    }
    children.front() = children.size() == 3 ? copy(children.front()) : children.front();
    children.back() = copy(children.back());
    const NodeIndex flat_one = copy(aggregate);
    ast_->set_children(flat_one, children);
    flat.push_back(flat_one);
}

void Lowering::lower_alternatives(NodeIndex goal, const Goals& around, const Names& rest, Goals& flat) {
    const Goals alternatives = ast_->children(goal);
    const bool one = alternatives.size() == 1;
    if (one && !has_local_variables(alternatives[0], rest)) {
        for (const NodeIndex inner : lower_goals(alternatives, rest)) flat.push_back(inner);
        return;
    }
    flat.push_back(auxiliary(one ? "exists" : "or", alternatives, around, rest, (*ast_)[goal]));
}

// An atom of a new predicate over the variables that the alternatives share with the rest, and a rule for each of them.
NodeIndex Lowering::auxiliary(std::string_view kind, const Goals& alternatives, const Goals& around, const Names& rest,
                              Node like) {
    std::vector<Goals> bodies;
    Names inside;
    const auto shared_by = [&](const Names& names) {
        Names shared;
        std::ranges::copy_if(names, std::back_inserter(shared), [&](std::string_view v) { return contains(rest, v); });
        return shared;
    };
    for (const NodeIndex alternative : alternatives) {
        const Goals goals = flatten({alternative});
        bodies.push_back(with_definitions(goals, around, shared_by(variables_of(goals))));
        for (const NodeIndex goal : bodies.back()) add_variables(goal, inside);
    }
    const Names shared = shared_by(inside);
    Node atom{NodeKind::Name, fresh_name(kind, shared.size(), like.span.file), like.span, like.span};
    atom.quoted = true;
    const auto add_atom = [&] {
        const NodeIndex index = ast_->add(atom);
        Goals arguments;
        for (const std::string_view name : shared) arguments.push_back(ast_->add(Node(first_occurrence(name, bodies))));
        ast_->set_children(index, arguments);
        return index;
    };
    std::vector<FlatRule> rules;
    const std::size_t inner = rules_.size();  // rules for the alternatives come behind them
    for (const Goals& body : bodies) {
        const Goals flat = lower_goals(body, shared);
        rules.push_back({add_rule(add_atom(), flat, flat.empty(), like), {}, {}, true});
    }
    rules_.insert(rules_.begin() + static_cast<std::ptrdiff_t>(inner), rules.begin(), rules.end());
    return add_atom();
}

// If arithmetic outside computes a shared variable that no atom binds, that arithmetic is copied into the auxiliary
// rule, which would otherwise not know the variable's values.
Lowering::Goals Lowering::with_definitions(Goals goals, const Goals& around, const Names& shared) const {
    Names bound;
    const auto bind = [&](NodeIndex goal) {
        if ((*ast_)[goal].kind == NodeKind::Name) add_variables(goal, bound);
    };
    std::ranges::for_each(goals, bind);
    std::ranges::for_each(around, bind);
    Names needed = shared;
    for (std::size_t n = 0; n < needed.size(); ++n) {
        if (contains(bound, needed[n])) continue;
        for (const NodeIndex goal : around) {
            const Node& node = (*ast_)[goal];
            const bool defines = node.kind == NodeKind::Compare &&
                                 (node.comparison == Comparison::Is || node.comparison == Comparison::Between) &&
                                 (*ast_)[node.first_child].text == needed[n];
            if (!defines || std::ranges::find(goals, goal) != goals.end()) continue;
            goals.push_back(goal);
            add_variables(goal, needed);
        }
    }
    return goals;
}

// A name like 'path or 1': readable, always printed in quotes, and unused otherwise. A text that is read twice finds
// its own names.
std::string_view Lowering::fresh_name(std::string_view kind, std::size_t arity, std::uint32_t file) {
    std::size_t& number = numbers_[{std::string(head_), std::string(kind)}];
    while (true) {
        std::string name = fmt::format("{} {} {}", head_, kind, ++number);
        const PredicateId known = program_.signature.find_predicate(name, arity);
        const bool taken = !known.is_none() && !(program_.signature.predicate(known).inferred &&
                                                 program_.signature.predicate(known).span.file == file);
        if (!taken) return texts_->emplace_back(std::move(name));
    }
}

// Of a variable; it occurs.
const Node& Lowering::first_occurrence(std::string_view name, const std::vector<Goals>& bodies) const {
    std::vector<NodeIndex> todo;
    for (const Goals& body : bodies) todo.insert(todo.end(), body.begin(), body.end());
    std::ranges::reverse(todo);
    while (true) {
        const Node& node = (*ast_)[todo.back()];
        todo.pop_back();
        if (node.kind == NodeKind::Variable && node.text == name) return node;
        const std::size_t end = todo.size();
        for (NodeIndex child = node.first_child; child != no_node; child = (*ast_)[child].next) todo.push_back(child);
        std::ranges::reverse(todo.begin() + static_cast<std::ptrdiff_t>(end), todo.end());
    }
}

void Lowering::add_variables(NodeIndex index, Names& names) const {
    const Node& node = (*ast_)[index];
    if (node.kind == NodeKind::Variable && node.text != "_" && !contains(names, node.text)) names.push_back(node.text);
    for (NodeIndex child = node.first_child; child != no_node; child = (*ast_)[child].next) add_variables(child, names);
}

Lowering::Names Lowering::variables_of(const Goals& goals) const {
    Names names;
    for (const NodeIndex goal : goals) add_variables(goal, names);
    return names;
}

// Whether it has local variables: those that occur nowhere else, and anonymous ones.
bool Lowering::has_local_variables(NodeIndex index, const Names& rest) const {
    const Node& node = (*ast_)[index];
    if (node.kind == NodeKind::Variable) return !contains(rest, node.text);
    for (NodeIndex child = node.first_child; child != no_node; child = (*ast_)[child].next) {
        if (has_local_variables(child, rest)) return true;
    }
    return false;
}

// With the same children: a node stands in one list of siblings only.
NodeIndex Lowering::copy(NodeIndex index) {
    Node node = (*ast_)[index];
    node.next = no_node;
    return ast_->add(node);
}

NodeIndex Lowering::add_compare(Comparison comparison, NodeIndex left, NodeIndex right, Node like) {
    Node node{NodeKind::Compare, {}, like.span, like.name_span};
    node.comparison = comparison;
    const NodeIndex index = ast_->add(node);
    ast_->set_children(index, {left, right});
    return index;
}

NodeIndex Lowering::add_rule(NodeIndex head, const Goals& goals, bool says_true, Node like) {
    Goals children = {head};
    for (const NodeIndex goal : goals) children.push_back(copy(goal));
    const NodeIndex index = ast_->add({NodeKind::Rule, says_true ? "true" : "", like.span, like.name_span});
    ast_->set_children(index, children);
    return index;
}

}  // namespace neumann::syntax
