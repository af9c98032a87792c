// The shape of one item as it was written, names unresolved. Nodes are numbered and live only until the next item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace neumann::syntax {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex no_node = 0xffffffffU;

enum class NodeKind {
    Variable,
    Name,       // a word with or without arguments: constant, functor application or atom
    List,       // children are the elements, then the tail if has_tail
    Equal,      // left, right
    NotEqual,   // left, right
    Signed,     // a mode place: `text` is + - or #, the child a type
    Indicator,  // p/2: `text` is the name, `number` the arity
    Star,       // the recall *
    Rule,       // (head :- goals), children in that order; `text` is "true" for an explicit empty body
};

struct Node {
    NodeKind kind = NodeKind::Name;
    std::string_view text;
    Span span;       // the whole node
    Span name_span;  // the word in front of the arguments
    bool has_tail = false;
    bool quoted = false;
    std::uint32_t number = 0;
    NodeIndex first_child = no_node;
    NodeIndex next = no_node;
    std::uint32_t child_count = 0;
};

struct Weight {
    double value = 1;
    Span span;
};

struct Item {
    enum class Kind { Clause, Directive };
    Kind kind = Kind::Clause;
    Span span;
    std::optional<Weight> weight;  // clause
    NodeIndex root = no_node;      // clause: a Rule; directive: a Name with its arguments
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
