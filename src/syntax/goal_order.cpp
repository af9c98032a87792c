#include "syntax/goal_order.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "logic/arithmetic.h"
#include "syntax/parser.h"

namespace neumann::syntax {
namespace {

using Variables = std::set<std::string_view>;

class OrderFinder {
public:
    OrderFinder(const Ast& ast, std::string_view source, std::vector<OrderedGoal>& found)
        : ast_(ast), source_(source), found_(found) {}

    void check(NodeIndex rule) {
        const std::vector<NodeIndex> parts = ast_.children(rule);
        add_variables(parts[0], head_);
        check_constants(rule);
        Variables bound;
        for (std::size_t i = 1; i < parts.size(); ++i) call(parts[i], bound);
        for (const auto& [goal, needed] : unbound_) {
            const bool by_call = std::ranges::all_of(
                needed, [&](std::string_view one) { return head_.contains(one) && !bound.contains(one); });
            found_.push_back({ast_[goal].span, by_call});
        }
        const std::string_view name = ast_[parts[0]].text;
        if (name == "constraint" && parts.size() == 1) found_.push_back({ast_[parts[0]].span, true});  // it is evidence
        if (name == "query" || name == "evidence") return;  // asks for all answers
        if (!is_subset(head_, bound)) found_.push_back({ast_[parts[0]].span, true});
    }

private:
    static bool is_subset(const Variables& some, const Variables& all) { return std::ranges::includes(all, some); }

    void add_variables(NodeIndex index, Variables& to) const {
        const Node& node = ast_[index];
        if (node.kind == NodeKind::Variable && node.text != "_") to.insert(node.text);
        for (NodeIndex child = node.first_child; child != no_node; child = ast_[child].next) add_variables(child, to);
    }

    void check_constants(NodeIndex index) {
        const Node& node = ast_[index];
        const bool text = node.quoted && node.name_span.begin < source_.size() && source_[node.name_span.begin] == '"';
        if (node.quoted && (text || parse_number(node.text))) found_.push_back({node.span, true});
        for (NodeIndex child = node.first_child; child != no_node; child = ast_[child].next) check_constants(child);
    }

    void require_bound(NodeIndex goal, const Variables& bound) { require_bound(goal, goal, bound); }
    void require_bound(NodeIndex goal, NodeIndex part, const Variables& bound) {
        Variables needed;
        add_variables(part, needed);
        for (const std::string_view variable : bound) needed.erase(variable);
        if (!needed.empty()) unbound_.emplace_back(goal, std::move(needed));
    }

    void compare(NodeIndex goal, Variables& bound) {
        const std::vector<NodeIndex> sides = ast_.children(goal);
        const Span left = ast_[sides[0]].span;
        const Span right = ast_[sides.back()].span;
        const std::string_view between =
            left.end < right.begin ? source_.substr(left.end, right.begin - left.end) : std::string_view();
        if (ast_[goal].comparison == Comparison::Is) {
            require_bound(goal, sides.back(), bound);
            return add_variables(sides[0], bound);
        }
        if (ast_[goal].comparison != Comparison::Equal || between.find("==") != std::string_view::npos)
            return require_bound(goal, bound);
        Variables of_side[2];
        for (const std::size_t i : {0, 1}) add_variables(sides[i], of_side[i]);
        for (const std::size_t i : {0, 1}) {
            if (is_subset(of_side[i], bound)) bound.insert(of_side[1 - i].begin(), of_side[1 - i].end());
        }
    }

    // Calls a goal with these variables bound, and adds those that it binds.
    void call(NodeIndex goal, Variables& bound) {
        const Node& node = ast_[goal];
        switch (node.kind) {
        case NodeKind::And:
            for (const NodeIndex one : ast_.children(goal)) call(one, bound);
            return;
        case NodeKind::Or: {
            std::vector<Variables> ways;
            for (const NodeIndex one : ast_.children(goal)) call(one, ways.emplace_back(bound));
            for (const std::string_view variable : ways[0]) {
                if (std::ranges::all_of(ways, [&](const Variables& way) { return way.contains(variable); }))
                    bound.insert(variable);
            }
            return;
        }
        case NodeKind::Not:
            return require_bound(goal, bound);
        case NodeKind::Compare:
            return compare(goal, bound);
        default:
            add_variables(goal, bound);
        }
    }

    const Ast& ast_;
    std::string_view source_;
    std::vector<OrderedGoal>& found_;
    Variables head_;
    std::vector<std::pair<NodeIndex, Variables>> unbound_;  // goals, and the variables that are not bound before them
};

}  // namespace

std::vector<OrderedGoal> find_ordered_goals(const SourceSet& sources, std::uint32_t file) {
    Diagnostics reported_elsewhere;
    Parser parser(sources, file, {}, reported_elsewhere);
    std::vector<OrderedGoal> found;
    while (const std::optional<Item> item = parser.next_item()) {
        if (item->kind == Item::Kind::Clause)
            OrderFinder(parser.ast(), sources.file(file).text(), found).check(item->root);
    }
    return found;
}

}  // namespace neumann::syntax
