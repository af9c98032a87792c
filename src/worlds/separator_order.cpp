#include "worlds/separator_order.h"

#include <algorithm>
#include <set>
#include <utility>

namespace neumann {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::size_t widest_bag = 400;
constexpr std::size_t largest_set = 64;  // larger edge sets are a path through their vertices
constexpr std::uint32_t no_vertex = UINT32_MAX;

// Bags of a greedy elimination, and the bag that each is connected to.
class BagTree {
public:
    BagTree(std::uint32_t vertices, std::span<const Numbers> edge_sets)
        : near_(vertices), bag_of_(vertices, no_vertex) {
        for (const Numbers& set : edge_sets) {
            for (std::size_t i = 0; i < set.size(); ++i) {
                for (std::size_t j = i + 1; j < (set.size() > largest_set ? std::min(i + 2, set.size()) : set.size());
                     ++j) {
                    near_[set[i]].insert(set[j]);
                    near_[set[j]].insert(set[i]);
                }
            }
        }
        for (std::uint32_t v = 0; v < vertices; ++v) near_[v].erase(v);
    }

    // False if a bag becomes too large. The vertex with the fewest neighbours is next.
    bool eliminate(const std::function<void()>& watch) {
        std::set<std::pair<std::size_t, std::uint32_t>> queue;
        for (std::uint32_t v = 0; v < near_.size(); ++v) queue.insert({near_[v].size(), v});
        while (!queue.empty()) {
            if (watch && bags.size() % 64 == 0) watch();
            const std::uint32_t next = queue.begin()->second;
            queue.erase(queue.begin());
            const std::set<std::uint32_t> around = std::move(near_[next]);
            if (around.size() >= widest_bag) return false;
            for (const std::uint32_t v : around) queue.erase({near_[v].size(), v});
            for (const std::uint32_t v : around) {
                near_[v].erase(next);
                near_[v].insert(around.begin(), around.end());
                near_[v].erase(v);
            }
            for (const std::uint32_t v : around) queue.insert({near_[v].size(), v});
            bag_of_[next] = static_cast<std::uint32_t>(bags.size());
            bags.emplace_back(around.begin(), around.end());
            bags.back().push_back(next);
        }
        neighbours.resize(bags.size());
        for (std::uint32_t b = 0; b < bags.size(); ++b) {
            std::uint32_t above = no_vertex;  // of the neighbour that is eliminated first
            for (const std::uint32_t v : bags[b])
                if (bag_of_[v] != b) above = std::min(above, bag_of_[v]);
            if (above == no_vertex) continue;
            neighbours[b].push_back(above);
            neighbours[above].push_back(b);
        }
        return true;
    }

    std::vector<Numbers> bags;
    std::vector<Numbers> neighbours;

private:
    std::vector<std::set<std::uint32_t>> near_;
    Numbers bag_of_;  // per vertex
};

// Of each bag, how many centroids stand before it.
class Centroids {
public:
    explicit Centroids(const std::vector<Numbers>& neighbours)
        : neighbours_(neighbours), depth(neighbours.size(), no_vertex), size_(neighbours.size()),
          parent_(neighbours.size()) {}

    void run() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting;  // a bag of each part, and its depth
        Numbers order;
        for (std::uint32_t root = 0; root < neighbours_.size(); ++root) {
            if (depth[root] == no_vertex) waiting.emplace_back(root, 0);
            while (!waiting.empty()) {
                const auto [start, at] = waiting.back();
                waiting.pop_back();
                if (depth[start] != no_vertex) continue;
                const std::uint32_t middle = centroid(start, order);
                depth[middle] = at;
                for (const std::uint32_t other : neighbours_[middle])
                    if (depth[other] == no_vertex) waiting.emplace_back(other, at + 1);
            }
        }
    }

private:
    std::uint32_t centroid(std::uint32_t start, Numbers& order) {
        order.assign(1, start);
        parent_[start] = no_vertex;
        for (std::size_t next = 0; next < order.size(); ++next) {
            const std::uint32_t bag = order[next];
            size_[bag] = 1;
            for (const std::uint32_t other : neighbours_[bag]) {
                if (depth[other] != no_vertex || other == parent_[bag]) continue;
                parent_[other] = bag;
                order.push_back(other);
            }
        }
        for (std::size_t i = order.size(); i-- > 1;) size_[parent_[order[i]]] += size_[order[i]];
        // The last bag with at least half of the others under it.
        std::uint32_t middle = start;
        for (const std::uint32_t bag : order)
            if (2 * std::size_t{size_[bag]} >= order.size()) middle = bag;
        return middle;
    }

    const std::vector<Numbers>& neighbours_;

public:
    Numbers depth;

private:
    Numbers size_;
    Numbers parent_;
};

}  // namespace

SeparatorOrder separator_order(std::uint32_t vertices, std::span<const std::vector<std::uint32_t>> edge_sets,
                               const std::function<void()>& watch) {
    BagTree tree(vertices, edge_sets);
    if (!tree.eliminate(watch)) return {};
    Centroids centroids(tree.neighbours);
    centroids.run();
    SeparatorOrder result;
    std::vector<std::uint32_t> first(vertices, no_vertex);
    std::uint32_t deepest = 1;
    for (std::size_t b = 0; b < tree.bags.size(); ++b) {
        result.width = std::max(result.width, static_cast<std::uint32_t>(tree.bags[b].size()));
        deepest = std::max(deepest, centroids.depth[b]);
        for (const std::uint32_t v : tree.bags[b]) first[v] = std::min(first[v], centroids.depth[b]);
    }
    for (const std::uint32_t one : first) result.depth.push_back(static_cast<double>(one) / deepest);
    return result;
}

}  // namespace neumann
