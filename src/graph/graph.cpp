#include "graph/graph.h"

namespace neumann {

std::uint64_t ReasoningGraph::edge_count() const {
    std::uint64_t empty_bodies = 0;
    for (std::uint32_t c = 0; c < conjunction_count(); ++c) empty_bodies += body_begin[c] == body_begin[c + 1] ? 1 : 0;
    return body.size() + empty_bodies + conjunction_count();
}

std::uint64_t ReasoningGraph::bytes() const {
    return in_begin.bytes() + head.bytes() + clause.bytes() + body_begin.bytes() + body.bytes() + use_begin.bytes() +
           use.bytes() + initial.bytes() + weight.bytes();
}

}  // namespace neumann
