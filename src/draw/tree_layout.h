// Layered tree layout by contours (Reingold–Tilford) for nodes that may have several parents: the root on top, parents
// above the middle of their children, subtrees as close together as possible. Independent of the content of the boxes.
#pragma once

#include <cstdint>
#include <vector>

namespace neumann {

struct LayoutNode {
    double width = 0;
    double height = 0;
    std::vector<std::uint32_t> children;
};

struct LayoutGaps {
    double between = 22;  // boxes side by side
    double lanes = 12;    // an edge and its label
    double below = 44;    // rows
};

struct TreeLayout {
    struct Place {
        double x = 0;  // of the middle
        double y = 0;  // of the upper edge
    };
    // A row is passed straight down, so that an edge bends only where there are no boxes.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        struct Crossing {
            double x, top, bottom;
        };
        std::vector<Crossing> rows;  // that the edge passes, its own two included: from the parent's lower edge on
    };
    std::vector<Place> places;
    std::vector<Edge> edges;
    double width = 0;
    double height = 0;
};

// Node 0 is the root; all others must be below it, without cycles. A node with several parents is drawn once, under the
// lowest of them, and the other parents' edges get lanes of their own down to it.
TreeLayout layout_tree(const std::vector<LayoutNode>& nodes, const LayoutGaps& gaps = {});

}  // namespace neumann
