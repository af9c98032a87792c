#include "graph/build.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "base/parallel.h"

namespace neumann {
namespace {

constexpr std::uint32_t prefetch_distance = 16;
constexpr std::size_t sorted_by_insertion = 16;     // conjunctions of a head, at most
constexpr std::size_t heads_per_chunk_target = 64;  // chunks of heads that threads share out

// Where the rows of a block start in the numbering of all rows.
struct RowRef {
    const std::uint32_t* row;
    std::uint32_t block;
};

class Builder {
public:
    Builder(GraphInput input, unsigned threads, std::size_t parallel_from)
        : input_(std::move(input)), threads_(threads), atoms_(input_.initial.size()) {
        first_row_.push_back(0);
        for (const InstanceBlock& block : input_.blocks) first_row_.push_back(first_row_.back() + block.count());
        checked_id<ConjunctionId>(first_row_.back(), "ground clauses");
        checked_id<AtomId>(atoms_, "atoms");
        if (rows() < parallel_from) threads_ = 1;
    }

    ReasoningGraph build() {
        count();
        place();
        emit();
        ReasoningGraph graph;
        graph.monotone = is_positive() || std::ranges::none_of(body_, &GraphLiteral::negated);
        input_.blocks.clear();
        order_.release();
        index_uses(graph);
        graph.in_begin = SharedArray(std::move(in_begin_));
        graph.head = SharedArray(std::move(head_));
        graph.clause = SharedArray(std::move(clause_));
        graph.initial = SharedArray(std::move(input_.initial));
        graph.weight = SharedArray(std::move(input_.weight));
        return graph;
    }

private:
    std::size_t rows() const { return first_row_.back(); }
    bool is_positive() const {  // by its clauses alone, without a look at every literal
        return std::ranges::all_of(input_.blocks, [](const InstanceBlock& block) { return block.negated.empty(); });
    }

    // The literals of a row as a sorted set, written to `body`; returns its size. Bodies are short: insertion sort.
    static std::uint32_t normalize(const InstanceBlock& block, const std::uint32_t* row, GraphLiteral* body) {
        return block.negated.empty() ? collect<false>(block, row, body) : collect<true>(block, row, body);
    }
    template <bool Signs>
    static std::uint32_t collect(const InstanceBlock& block, const std::uint32_t* row, GraphLiteral* body) {
        std::uint32_t size = 0;
        for (std::uint32_t i = 0; i < block.width; ++i) {
            if (Signs && row[i + 1] == InstanceBlock::missing) continue;
            const GraphLiteral literal(row[i + 1], Signs && block.negated[i]);
            std::uint32_t at = size;
            while (at > 0 && body[at - 1].code() > literal.code()) --at;
            if (at > 0 && body[at - 1] == literal) continue;
            for (std::uint32_t j = size; j > at; --j) body[j] = body[j - 1];
            body[at] = literal;
            ++size;
        }
        return size;
    }

    // Threads own disjoint ranges of heads and each reads all rows: writing costs more than sequential reading.
    template <class Work>
    void for_ranges_of_atoms(Work&& work) const {
        parallel_chunks(threads_, threads_, [&](std::size_t part) {
            work(static_cast<std::uint32_t>(atoms_ * part / threads_),
                 static_cast<std::uint32_t>(atoms_ * (part + 1) / threads_));
        });
    }

    struct Counts {  // of one head, side by side: they are found in one place of memory
        std::uint32_t conjunctions = 0;
        std::uint32_t edges = 0;
    };

    // How many conjunctions and body edges each head has.
    void count() {
        PodVector<Counts> counts(atoms_);
        for_ranges_of_atoms([&](std::uint32_t first, std::uint32_t last) { count_heads(first, last, counts); });
        in_begin_ = PodVector<std::uint32_t>(atoms_ + 1, 0);
        edges_of_head_ = PodVector<std::uint32_t>(atoms_ + 1, 0);
        std::uint64_t edges = 0;
        for (std::size_t a = 0; a < atoms_; ++a) {
            edges += counts[a].edges;
            if (edges >= Id<struct EdgeTag>::none_value) throw IdOverflow("body edges");
            in_begin_[a + 1] = in_begin_[a] + counts[a].conjunctions;
            edges_of_head_[a + 1] = static_cast<std::uint32_t>(edges);
        }
    }
    void count_heads(std::uint32_t first, std::uint32_t last, PodVector<Counts>& counts) const {
        std::vector<GraphLiteral> scratch;
        for (const InstanceBlock& block : input_.blocks) {
            scratch.resize(block.width);
            const std::size_t stride = block.width + 1;
            for (std::size_t at = 0; at < block.rows.size(); at += stride) {
                const std::uint32_t* row = block.rows.data() + at;
                if (row[0] < first || row[0] >= last) continue;
                ++counts[row[0]].conjunctions;
                counts[row[0]].edges += block.may_collapse ? normalize(block, row, scratch.data()) : block.width;
            }
        }
    }

    // A stable counting sort of row numbers by head: within a head, rows stay in order of clause and discovery.
    void place() {
        order_.resize_uninitialized(rows());
        PodVector<std::uint32_t> cursor = in_begin_;
        for_ranges_of_atoms([&](std::uint32_t first, std::uint32_t last) {
            std::uint32_t number = 0;
            for (const InstanceBlock& block : input_.blocks) {
                const std::size_t stride = block.width + 1;
                for (std::size_t at = 0; at < block.rows.size(); at += stride, ++number) {
                    const std::uint32_t head = block.rows[at];
                    if (head >= first && head < last) order_[cursor[head]++] = number;
                }
            }
        });
    }

    // `hint` is the block of an earlier row: neighbours mostly share it.
    RowRef find(std::uint32_t number, std::uint32_t& hint) const {
        if (number < first_row_[hint] || number >= first_row_[hint + 1]) {
            const auto after = std::upper_bound(first_row_.begin(), first_row_.end(), number);
            hint = static_cast<std::uint32_t>(after - first_row_.begin() - 1);
        }
        const InstanceBlock& block = input_.blocks[hint];
        return {block.rows.data() + (number - first_row_[hint]) * (block.width + 1), hint};
    }

    void emit() {
        head_.resize_uninitialized(rows());
        clause_.resize_uninitialized(rows());
        body_begin_.resize_uninitialized(rows() + 1);
        body_.resize_uninitialized(edges_of_head_[atoms_]);
        body_begin_[rows()] = edges_of_head_[atoms_];
        const std::vector<std::uint32_t> bounds = chunk_bounds();
        parallel_chunks(threads_, bounds.size() - 1, [&](std::size_t i) { emit_heads(bounds[i], bounds[i + 1]); });
        edges_of_head_.release();
    }

    // Splits the heads into chunks with about equally many conjunctions.
    std::vector<std::uint32_t> chunk_bounds() const {
        std::vector<std::uint32_t> bounds = {0};
        const std::size_t target = rows() / heads_per_chunk_target + 1;
        for (std::uint32_t a = 0; a < atoms_; ++a) {
            if (in_begin_[a + 1] - in_begin_[bounds.back()] >= target) bounds.push_back(a + 1);
        }
        if (bounds.back() != atoms_) bounds.push_back(static_cast<std::uint32_t>(atoms_));
        return bounds;
    }

    struct Gathered {
        std::uint32_t block;
        std::uint32_t begin;
        std::uint32_t size;
    };

    // Most heads have a few conjunctions, for which setting up a merge takes longer than the sorting.
    template <class Before>
    static void sort_stably(std::vector<Gathered>& gathered, const Before& before) {
        if (gathered.size() > sorted_by_insertion) {
            if (!std::is_sorted(gathered.begin(), gathered.end(), before))
                std::stable_sort(gathered.begin(), gathered.end(), before);
            return;
        }
        for (std::size_t i = 1; i < gathered.size(); ++i) {
            const Gathered moved = gathered[i];
            std::size_t at = i;
            for (; at > 0 && before(moved, gathered[at - 1]); --at) gathered[at] = gathered[at - 1];
            gathered[at] = moved;
        }
    }

    void emit_heads(std::uint32_t first, std::uint32_t last) {
        std::vector<Gathered> gathered;
        std::vector<GraphLiteral> bodies;  // more than are in use, so that none are made empty for each row
        std::uint32_t edge = edges_of_head_[first];
        std::uint32_t here = 0;
        std::uint32_t ahead = 0;
        for (std::uint32_t a = first; a < last; ++a) {
            gathered.clear();
            std::uint32_t used = 0;
            for (std::uint32_t i = in_begin_[a]; i < in_begin_[a + 1]; ++i) {
                if (i + prefetch_distance < order_.size())
                    __builtin_prefetch(find(order_[i + prefetch_distance], ahead).row);
                const RowRef ref = find(order_[i], here);
                const InstanceBlock& block = input_.blocks[ref.block];
                if (bodies.size() < used + block.width) bodies.resize(2 * (std::size_t{used} + block.width));
                const std::uint32_t size = normalize(block, ref.row, bodies.data() + used);
                gathered.push_back({ref.block, used, size});
                used += size;
            }
            // Blocks are in order already, rows within a block perhaps not.
            const auto before = [&](const Gathered& x, const Gathered& y) {
                if (x.block != y.block || input_.blocks[x.block].ordered) return x.block < y.block;
                const auto* bx = bodies.data() + x.begin;
                const auto* by = bodies.data() + y.begin;
                return std::lexicographical_compare(bx, bx + x.size, by, by + y.size);
            };
            sort_stably(gathered, before);
            std::uint32_t conjunction = in_begin_[a];
            for (const Gathered& g : gathered) {
                head_[conjunction] = a;
                clause_[conjunction] = input_.blocks[g.block].clause;
                body_begin_[conjunction++] = edge;
                std::copy_n(bodies.data() + g.begin, g.size, body_.data() + edge);
                edge += g.size;
            }
        }
    }

    // The reverse direction, again by counting sort.
    void index_uses(ReasoningGraph& graph) {
        PodVector<std::uint32_t> use_begin(atoms_ + 1, 0);
        for_ranges_of_atoms([&](std::uint32_t first, std::uint32_t last) {
            for (const GraphLiteral literal : body_) {
                const std::uint32_t atom = literal.atom();
                if (atom >= first && atom < last) ++use_begin[atom + 1];
            }
        });
        for (std::size_t a = 0; a < atoms_; ++a) use_begin[a + 1] += use_begin[a];
        PodVector<std::uint32_t> use;
        use.resize_uninitialized(body_.size());
        PodVector<std::uint32_t> cursor = use_begin;
        for_ranges_of_atoms([&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t c = 0; c < head_.size(); ++c) {
                for (std::uint32_t e = body_begin_[c]; e < body_begin_[c + 1]; ++e) {
                    const std::uint32_t atom = body_[e].atom();
                    if (atom >= first && atom < last) use[cursor[atom]++] = c;
                }
            }
        });
        graph.body_begin = SharedArray(std::move(body_begin_));
        graph.body = SharedArray(std::move(body_));
        graph.use_begin = SharedArray(std::move(use_begin));
        graph.use = SharedArray(std::move(use));
    }

    GraphInput input_;
    unsigned threads_;
    std::size_t atoms_;
    std::vector<std::size_t> first_row_;
    PodVector<std::uint32_t> in_begin_;
    PodVector<std::uint32_t> edges_of_head_;
    PodVector<std::uint32_t> order_;
    PodVector<std::uint32_t> head_;
    PodVector<std::uint32_t> clause_;
    PodVector<std::uint32_t> body_begin_;
    PodVector<GraphLiteral> body_;
};

}  // namespace

ReasoningGraph build_graph(GraphInput input, unsigned threads, std::size_t parallel_from) {
    return Builder(std::move(input), threads, parallel_from).build();
}

}  // namespace neumann
