#include "draw/tree_layout.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace neumann {
namespace {

// A box, or a piece of an edge's lane: each with one parent, in the row below it.
struct TreeNode {
    std::uint32_t row = 0;
    std::optional<std::uint32_t> parent = {};
    double width = 0;
    bool lane = false;
    std::vector<std::uint32_t> children;
    double x = 0;  // of the middle: relative to the parent's, at the end absolute in the image
};

// How far a subtree reaches to either side of its root, in the root's row and those below.
struct Outline {
    std::vector<double> left, right;
    std::vector<bool> left_lane, right_lane;  // whether a lane is outermost
};

// Each node's row is below those of all its parents; nodes in an order in which parents come first.
std::vector<std::uint32_t> parents_first(const std::vector<LayoutNode>& nodes, std::vector<std::uint32_t>& row) {
    std::vector<std::uint32_t> waiting(nodes.size());
    for (const LayoutNode& node : nodes) {
        for (const std::uint32_t child : node.children) ++waiting.at(child);
    }
    std::vector<std::uint32_t> order = {0};
    for (std::size_t next = 0; next < order.size(); ++next) {
        for (const std::uint32_t child : nodes[order[next]].children) {
            row[child] = std::max(row[child], row[order[next]] + 1);
            if (--waiting[child] == 0) order.push_back(child);
        }
    }
    if (order.size() != nodes.size())
        throw std::invalid_argument(
            fmt::format("layout: {} of {} nodes are below the root without cycles", order.size(), nodes.size()));
    return order;
}

class Layouter {
public:
    Layouter(const std::vector<LayoutNode>& nodes, const LayoutGaps& gaps) : nodes_(nodes), gaps_(gaps) {}

    TreeLayout result() && {
        make_tree();
        place_across();
        place_down();
        return std::move(layout_);
    }

private:
    struct Path {
        std::uint32_t from, to;
        std::vector<std::uint32_t> lanes;
    };

    void make_tree() {
        std::vector<std::uint32_t> row(nodes_.size());
        const std::vector<std::uint32_t> order = parents_first(nodes_, row);
        tree_.resize(nodes_.size());
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            tree_[i].row = row[i];
            tree_[i].width = nodes_[i].width;
        }
        for (const std::uint32_t parent : order) {
            std::vector<std::uint32_t> seen;
            for (const std::uint32_t child : nodes_[parent].children) {
                if (std::ranges::find(seen, child) != seen.end()) continue;
                seen.push_back(child);
                Path path{parent, child, {}};
                if (!tree_[child].parent && row[child] == row[parent] + 1) {
                    adopt(parent, child);
                } else {
                    for (std::uint32_t above = parent, r = row[parent] + 1; r < row[child]; ++r) {
                        const auto lane = static_cast<std::uint32_t>(tree_.size());
                        tree_.push_back({r, std::nullopt, 0, true, {}, 0});
                        adopt(above, lane);
                        path.lanes.push_back(above = lane);
                    }
                }
                paths_.push_back(std::move(path));
            }
        }
    }

    void adopt(std::uint32_t parent, std::uint32_t child) {
        tree_[child].parent = parent;
        tree_[parent].children.push_back(child);
    }

    // From the lowest row up, so that every subtree has its outline before it is put beside its sisters.
    void place_across() {
        std::vector<std::uint32_t> upwards(tree_.size());
        std::iota(upwards.begin(), upwards.end(), 0U);
        std::ranges::stable_sort(upwards, [&](auto a, auto b) { return tree_[a].row > tree_[b].row; });
        std::vector<Outline> outlines(tree_.size());
        for (const std::uint32_t i : upwards) {
            TreeNode& node = tree_[i];
            Outline all;  // of the children, beside the first one's middle
            for (const std::uint32_t child : node.children) {
                tree_[child].x = distance(all, outlines[child]);
                join(all, outlines[child], tree_[child].x);
                outlines[child] = {};
            }
            const double middle =
                node.children.empty() ? 0 : (tree_[node.children.front()].x + tree_[node.children.back()].x) / 2;
            for (const std::uint32_t child : node.children) tree_[child].x -= middle;
            Outline& own = outlines[i];
            own.left = {-node.width / 2};
            own.right = {node.width / 2};
            own.left_lane = own.right_lane = {node.lane};
            for (std::size_t r = 0; r < all.left.size(); ++r) {
                own.left.push_back(all.left[r] - middle);
                own.right.push_back(all.right[r] - middle);
            }
            own.left_lane.insert(own.left_lane.end(), all.left_lane.begin(), all.left_lane.end());
            own.right_lane.insert(own.right_lane.end(), all.right_lane.begin(), all.right_lane.end());
        }
        const Outline& whole = outlines[0];
        const double left = *std::ranges::min_element(whole.left);
        layout_.width = *std::ranges::max_element(whole.right) - left;
        tree_[0].x = -left;
        for (std::size_t i = upwards.size(); i-- > 0;) {
            TreeNode& node = tree_[upwards[i]];
            if (node.parent) node.x += tree_[*node.parent].x;
        }
    }

    double distance(const Outline& before, const Outline& next) const {
        double least = 0;
        for (std::size_t r = 0; r < std::min(before.left.size(), next.left.size()); ++r) {
            const double gap = before.right_lane[r] || next.left_lane[r] ? gaps_.lanes : gaps_.between;
            const double needed = before.right[r] - next.left[r] + gap;
            least = r == 0 ? needed : std::max(least, needed);
        }
        return least;
    }

    static void join(Outline& all, const Outline& next, double shift) {
        for (std::size_t r = 0; r < next.left.size(); ++r) {
            if (r == all.left.size()) {
                all.left.push_back(next.left[r] + shift);
                all.right.push_back(next.right[r] + shift);
                all.left_lane.push_back(next.left_lane[r]);
                all.right_lane.push_back(next.right_lane[r]);
                continue;
            }
            all.right[r] = next.right[r] + shift;
            all.right_lane[r] = next.right_lane[r];
        }
    }

    void place_down() {
        std::vector<double> heights;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            heights.resize(std::max<std::size_t>(heights.size(), tree_[i].row + 1));
            heights[tree_[i].row] = std::max(heights[tree_[i].row], nodes_[i].height);
        }
        std::vector<double> tops;
        for (const double height : heights) {
            tops.push_back(layout_.height);
            layout_.height += height + gaps_.below;
        }
        layout_.height -= gaps_.below;
        for (std::size_t i = 0; i < nodes_.size(); ++i) layout_.places.push_back({tree_[i].x, tops[tree_[i].row]});
        for (const Path& path : paths_) {
            TreeLayout::Edge edge{path.from, path.to, {}};
            const std::uint32_t row = tree_[path.from].row;
            edge.rows.push_back({tree_[path.from].x, tops[row] + nodes_[path.from].height, tops[row] + heights[row]});
            for (const std::uint32_t lane : path.lanes) {
                const std::uint32_t r = tree_[lane].row;
                edge.rows.push_back({tree_[lane].x, tops[r], tops[r] + heights[r]});
            }
            const double end = tops[tree_[path.to].row];
            edge.rows.push_back({tree_[path.to].x, end, end});
            layout_.edges.push_back(std::move(edge));
        }
    }

    const std::vector<LayoutNode>& nodes_;
    const LayoutGaps& gaps_;
    std::vector<TreeNode> tree_;  // first the nodes, then lanes
    std::vector<Path> paths_;
    TreeLayout layout_;
};

}  // namespace

TreeLayout layout_tree(const std::vector<LayoutNode>& nodes, const LayoutGaps& gaps) {
    if (nodes.empty()) throw std::invalid_argument("layout: there is no root");
    return Layouter(nodes, gaps).result();
}

}  // namespace neumann
