// Syntax tree of one item, names unresolved. Nodes are numbered and live only until the next item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "logic/program.h"

namespace neumann::syntax {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex no_node = 0xffffffffU;

enum class NodeKind {
    Variable,
    Name,       // a word with or without arguments: constant, functor application or atom; a number if `number`
    List,       // children are the elements, then the tail if has_tail
    Compare,    // left, right; `comparison` says how. between(L,H,X) is X compared with the operation L..H
    Operation,  // an expression: `operation` of its operands
    Not,        // of one goal
    And,        // goals; none: true
    Or,         // alternatives, each a goal
    Aggregate,  // `text` is its kind; the expression that it is about (not for count), a goal, the result
    Signed,     // a mode place: `text` is + - or #, the child a type
    Indicator,  // p/2: `text` is the name, `arity` the arity
    Star,       // the recall *
    Rule,       // (head :- goals), children in that order; `text` is "true" for an explicit empty body. The head is a
                // Name, or the Or of an annotated disjunction
};

struct Node {
    NodeKind kind = NodeKind::Name;
    std::string_view text;
    Span span;       // the whole node
    Span name_span;  // the word in front of the arguments
    bool has_tail = false;
    bool quoted = false;
    bool number = false;  // a name that is a numeral; `text` is the canonical one (see logic/arithmetic.h)
    Comparison comparison = Comparison::Equal;
    Operation operation = Operation::Add;
    std::uint32_t arity = 0;
    NodeIndex first_child = no_node;
    NodeIndex next = no_node;
    std::uint32_t child_count = 0;
};

struct Weight {
    double value = 1;
    Span span;
    bool learned = false;  // t(0.3)::, t(_)::
    bool open = false;     // t(_)::, whose value is not known yet
};

struct Item {
    enum class Kind { Clause, Directive };
    Kind kind = Kind::Clause;
    Span span;
    std::optional<Weight> weight;  // clause
    // Of an annotated disjunction 0.3::a ; 0.7::b: the weight of each head.
    std::vector<std::optional<Weight>> head_weights;
    NodeIndex root = no_node;  // clause: a Rule; directive: a Name with its arguments
};

class Ast {
public:
    void clear() { nodes_.clear(); }
    NodeIndex add(Node node) {
        nodes_.push_back(node);
        return static_cast<NodeIndex>(nodes_.size() - 1);
    }
    std::size_t size() const { return nodes_.size(); }
    Node& operator[](NodeIndex i) { return nodes_[i]; }
    const Node& operator[](NodeIndex i) const { return nodes_[i]; }

    void set_children(NodeIndex parent, const std::vector<NodeIndex>& children) {
        nodes_[parent].child_count = static_cast<std::uint32_t>(children.size());
        if (children.empty())
            nodes_[parent].first_child = no_node;
        else
            nodes_[children.back()].next = no_node;
        for (std::size_t i = 0; i < children.size(); ++i) {
            (i == 0 ? nodes_[parent].first_child : nodes_[children[i - 1]].next) = children[i];
        }
    }
    std::vector<NodeIndex> children(NodeIndex parent) const {
        std::vector<NodeIndex> result;
        for (NodeIndex c = nodes_[parent].first_child; c != no_node; c = nodes_[c].next) result.push_back(c);
        return result;
    }

private:
    std::vector<Node> nodes_;
};

}  // namespace neumann::syntax
