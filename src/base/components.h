// Strongly connected components of a directed graph, in topological order (Tarjan, without recursion).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/pod_vector.h"

namespace neumann {

struct Components {
    PodVector<std::uint32_t> component;  // per node
    std::uint32_t count = 0;
};

// `successors(node)` returns a range of node numbers, or of values that `number_of` maps to node numbers. Components
// come out successors first: a component's number is larger than those of the components it leads to.
template <class Successors, class NumberOf = std::identity>
Components find_components(std::uint32_t nodes, Successors&& successors, NumberOf number_of = {}) {
    constexpr std::uint32_t unseen = 0xffffffffU;
    struct Frame {
        std::uint32_t node;
        std::uint32_t next;  // which successor to look at
    };
    Components result;
    result.component = PodVector<std::uint32_t>(nodes, unseen);
    PodVector<std::uint32_t> index(nodes, unseen);
    PodVector<std::uint32_t> low(nodes, 0);
    PodVector<std::uint32_t> stack;
    PodVector<Frame> frames;
    std::uint32_t counter = 0;
    for (std::uint32_t root = 0; root < nodes; ++root) {
        if (index[root] != unseen) continue;
        frames.push_back({root, 0});
        while (!frames.empty()) {
            const std::uint32_t node = frames.back().node;
            if (index[node] == unseen) {
                index[node] = low[node] = counter++;
                stack.push_back(node);
            }
            const auto& next = successors(node);
            bool descended = false;
            while (frames.back().next < next.size()) {
                const std::uint32_t to = std::invoke(number_of, next[frames.back().next++]);
                if (index[to] == unseen) {
                    frames.push_back({to, 0});
                    descended = true;
                    break;
                }
                if (result.component[to] == unseen) low[node] = std::min(low[node], index[to]);
            }
            if (descended) continue;
            if (low[node] == index[node]) {
                std::uint32_t member = unseen;
                do {
                    member = stack.back();
                    stack.resize_uninitialized(stack.size() - 1);
                    result.component[member] = result.count;
                } while (member != node);
                ++result.count;
            }
            frames.resize_uninitialized(frames.size() - 1);
            if (!frames.empty()) {
                const std::uint32_t parent = frames.back().node;
                low[parent] = std::min(low[parent], low[node]);
            }
        }
    }
    return result;
}

}  // namespace neumann
