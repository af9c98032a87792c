#include "reason/gpu/gpu_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace neumann {
namespace {

std::uint32_t class_of(std::uint32_t longest) {
    return longest <= 1 ? 1 : longest == 2 ? 2 : longest <= GpuConjunction::longest ? 4 : 0;
}

// By shape, then the longest items first: neighbours take as long as each other.
void sort_by_shape(std::vector<GpuItem>& items) {
    std::ranges::stable_sort(
        items, {}, [](const GpuItem& one) { return std::pair(one.shape, UINT32_MAX - (one.end - one.begin)); });
}

GpuRange put(const std::vector<GpuItem>& items, std::vector<GpuItem>& to) {
    const GpuRange range{static_cast<std::uint32_t>(to.size()), static_cast<std::uint32_t>(items.size())};
    to.insert(to.end(), items.begin(), items.end());
    return range;
}

// Lists of numbers to be added up; long ones are split into chunks.
class SumCutter {
public:
    explicit SumCutter(const GpuCuts& cuts) : cuts_(cuts) {}

    // `length_of(i)` is the length of the body that place i of the list is about.
    template <class LengthOf>
    void add(std::uint32_t owner, std::uint32_t begin, std::uint32_t end, const LengthOf& length_of) {
        const auto shape_of = [&](std::uint32_t from, std::uint32_t until) {
            std::uint32_t longest = 0;
            for (std::uint32_t i = from; i < until; ++i) longest = std::max(longest, length_of(i));
            return gpu_shape(class_of(longest));
        };
        if (end - begin <= cuts_.uses) {
            items_.push_back({begin, end, owner, shape_of(begin, end), GpuItem::whole, 0, 0, 0});
            return;
        }
        std::uint32_t from = plan_.results;
        for (std::uint32_t i = begin; i < end; i += cuts_.uses) {
            const std::uint32_t until = std::min(end, i + cuts_.uses);
            items_.push_back({i, until, owner, shape_of(i, until), plan_.results++, GpuItem::whole, 0, 0});
        }
        for (std::size_t level = 0;; ++level) {
            const std::uint32_t until = plan_.results;
            if (levels_.size() == level) levels_.emplace_back();
            for (std::uint32_t i = from; i < until; i += cuts_.sums)
                levels_[level].push_back(
                    {i, std::min(until, i + cuts_.sums), owner, 0, plan_.results++, GpuItem::whole, 0, 0});
            if (until - from <= cuts_.sums) {
                levels_[level].back().root = levels_[level].back().to;
                return;
            }
            from = until;
        }
    }

    GpuSums finish(std::vector<GpuItem>& to) {
        sort_by_shape(items_);
        plan_.items = put(items_, to);
        for (const std::vector<GpuItem>& level : levels_) plan_.levels.push_back(put(level, to));
        return std::move(plan_);
    }

private:
    const GpuCuts& cuts_;
    std::vector<GpuItem> items_;
    std::vector<std::vector<GpuItem>> levels_;
    GpuSums plan_;
};

// Heads, those of many conjunctions in chunks, groups of these side by side.
class HeadCutter {
public:
    HeadCutter(const ReasoningGraph& graph, const GpuCuts& cuts, GpuPlan& plan)
        : graph_(graph), cuts_(cuts), plan_(plan) {}

    void add(std::uint32_t atom) {
        const std::uint32_t begin = graph_.in_begin[atom];
        const std::uint32_t end = graph_.in_begin[atom + 1];
        if (!cuts_.by_clause) {
            if (end - begin <= cuts_.chunk) {
                whole_.push_back({begin, end, atom, shape_of(begin, end), GpuItem::whole, 0, 0, 0});
            } else {
                heads_.push_back({begin, end, atom, 0, GpuItem::whole, cut(atom, begin, end), 0, 0});
            }
            return;
        }
        const auto first_run = static_cast<std::uint32_t>(plan_.runs.size());
        for (std::uint32_t c = begin; c < end;) {
            std::uint32_t last = c + 1;
            while (last < end && graph_.clause[last] == graph_.clause[c]) ++last;
            plan_.runs.push_back({cut(atom, c, last), graph_.clause[c]});
            c = last;
        }
        heads_.push_back({first_run, static_cast<std::uint32_t>(plan_.runs.size()), atom, 0, GpuItem::whole, 0, 0, 0});
    }

    GpuHeads finish() {
        sort_by_shape(alone_);
        sort_by_shape(whole_);
        fill_up(alone_);
        fill_up(whole_);
        cut_.chunks = put(groups_, plan_.items);
        cut_.chunks.count += put(alone_, plan_.items).count;
        cut_.items = {cut_.chunks.begin, cut_.chunks.count + put(whole_, plan_.items).count};
        cut_.trees = put(trees_, plan_.items);
        cut_.heads = put(heads_, plan_.items);
        return cut_;
    }

private:
    std::uint32_t length_of(std::uint32_t c) const { return graph_.body_begin[c + 1] - graph_.body_begin[c]; }
    // Common literals pay if there are enough conjunctions, and only in the patterns that have kernels.
    std::uint32_t shape_of(std::uint32_t begin, std::uint32_t end) const {
        constexpr std::uint32_t few = 8;
        std::uint32_t longest = 0;
        for (std::uint32_t c = begin; c < end; ++c) longest = std::max(longest, length_of(c));
        const std::uint32_t length = class_of(longest);
        if (length != GpuConjunction::longest || end - begin < few) return gpu_shape(length);
        std::uint32_t common = 0b1111;
        const GpuConjunction& first = plan_.packed[begin];
        for (std::uint32_t c = begin; c < end; ++c) {
            if (graph_.clause[c] != graph_.clause[begin]) common = 0;
            for (std::uint32_t j = 0; j < GpuConjunction::longest; ++j) {
                if (plan_.packed[c].literal[j] != first.literal[j]) common &= ~(1U << j);
            }
        }
        std::uint32_t best = 0;
        for (const std::uint32_t known : gpu_common) {
            if ((known & ~common) == 0 && std::popcount(known) > std::popcount(best)) best = known;
        }
        return gpu_shape(length, best);
    }
    static void fill_up(std::vector<GpuItem>& items) {
        while (items.size() % gpu_group != 0) items.push_back({0, 0, 0, 0, GpuItem::nothing, 0, 0, 0});
    }
    // Where chunks begin: of equal length, in each stretch of conjunctions that have as many literals in common as is
    // worth while.
    std::vector<std::uint32_t> begins(std::uint32_t begin, std::uint32_t end) const {
        constexpr std::uint32_t worth_while = 12;
        std::vector<std::uint32_t> stretches = {begin};
        for (const std::uint32_t common : gpu_common) {
            std::vector<std::uint32_t> changes = {begin};
            for (std::uint32_t c = begin + 1; c < end; ++c) {
                if (graph_.clause[c] != graph_.clause[c - 1] || differ(plan_.packed[c - 1], plan_.packed[c], common))
                    changes.push_back(c);
            }
            if (std::size_t{end - begin} < worth_while * changes.size()) continue;
            stretches = std::move(changes);
            break;
        }
        stretches.push_back(end);
        std::vector<std::uint32_t> result;
        for (std::size_t i = 0; i + 1 < stretches.size(); ++i) {
            const std::uint32_t length = stretches[i + 1] - stretches[i];
            const std::uint32_t pieces = (length + cuts_.chunk - 1) / cuts_.chunk;
            for (std::uint64_t k = 0; k < pieces; ++k)
                result.push_back(stretches[i] + static_cast<std::uint32_t>(k * length / pieces));
        }
        result.push_back(end);
        return result;
    }
    static bool differ(const GpuConjunction& a, const GpuConjunction& b, std::uint32_t places) {
        for (std::uint32_t j = 0; j < GpuConjunction::longest; ++j) {
            if ((places >> j & 1) != 0 && a.literal[j] != b.literal[j]) return true;
        }
        return false;
    }

    // Returns where the result of all chunks is.
    std::uint32_t cut(std::uint32_t owner, std::uint32_t begin, std::uint32_t end) {
        const std::uint32_t first = cut_.results;
        const std::vector<std::uint32_t> chunks = begins(begin, end);
        const auto count = static_cast<std::uint32_t>(chunks.size() - 1);
        std::uint32_t root = first;
        std::uint32_t levels = 0;
        cut_.results += count;
        for (std::uint32_t n = count; n > 1; ++levels) {
            n = (n + gpu_radix - 1) / gpu_radix;
            cut_.results += n;
            root = cut_.results - 1;
        }
        std::vector<GpuItem>& to = count == 1 ? alone_ : groups_;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t from = chunks[i];
            const std::uint32_t until = chunks[i + 1];
            to.push_back({from, until, owner, shape_of(from, until), first + i, root, first, count});
        }
        if (count > 1) fill_up(groups_);
        if (levels > gpu_group_levels) trees_.push_back({begin, end, owner, 0, first, root, first, count});
        return root;
    }

    const ReasoningGraph& graph_;
    const GpuCuts& cuts_;
    GpuPlan& plan_;
    std::vector<GpuItem> whole_;
    std::vector<GpuItem> alone_;
    std::vector<GpuItem> groups_;
    std::vector<GpuItem> trees_;
    std::vector<GpuItem> heads_;
    GpuHeads cut_;
};

// Stable, by a number below `count`. Returns where each begins, and the end.
template <class Entry, class Key>
std::vector<std::uint32_t> sort_by(std::vector<Entry>& entries, std::size_t count, const Key& key_of) {
    std::vector<std::uint32_t> begin(count + 1, 0);
    for (const Entry& entry : entries) ++begin[key_of(entry) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin);
    std::vector<Entry> sorted(entries.size());
    for (const Entry& entry : entries) sorted[next[key_of(entry)]++] = entry;
    entries = std::move(sorted);
    return begin;
}

std::vector<GpuConjunction> pack(const ReasoningGraph& graph) {
    std::vector<GpuConjunction> result(graph.conjunction_count());
    for (std::uint32_t c = 0; c < result.size(); ++c) {
        std::ranges::fill(result[c].literal, 2 * graph.atom_count());
        const std::uint32_t length = graph.body_begin[c + 1] - graph.body_begin[c];
        for (std::uint32_t j = 0; j < std::min(length, GpuConjunction::longest); ++j)
            result[c].literal[j] = graph.body_codes()[graph.body_begin[c] + j];
    }
    return result;
}

class Planner {
public:
    Planner(const ReasoningGraph& graph, const Schedule& schedule, const GpuCuts& cuts)
        : graph_(graph), schedule_(schedule), cuts_(cuts), phase_of_(graph.conjunction_count()) {
        for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
            for (const std::uint32_t atom : schedule.atoms_of(schedule.phases[p])) {
                for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) phase_of_[c] = p;
            }
        }
    }

    GpuPlan make() {
        plan_.packed = pack(graph_);
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); ++c)
            plan_.all_packed = plan_.all_packed && length_of(c) <= GpuConjunction::longest;
        plan_.phases.resize(schedule_.phases.size());
        cut_heads();
        cut_pulls();
        cut_weights();
        for (std::uint32_t a = 0; a < graph_.atom_count(); ++a) {
            if (schedule_.place[a] == Schedule::nowhere) plan_.fixed.push_back(a);
        }
        plan_.fixed.push_back(graph_.atom_count());
        return std::move(plan_);
    }

private:
    std::uint32_t length_of(std::uint32_t c) const { return graph_.body_begin[c + 1] - graph_.body_begin[c]; }

    void cut_heads() {
        for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
            HeadCutter cutter(graph_, cuts_, plan_);
            for (const std::uint32_t atom : schedule_.atoms_of(schedule_.phases[p])) cutter.add(atom);
            plan_.phases[p].heads = cutter.finish();
            plan_.head_results = std::max(plan_.head_results, plan_.phases[p].heads.results);
        }
        plan_.results = plan_.head_results;
    }

    void cut_pulls() {
        std::vector<GpuUse>& uses = plan_.uses;
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); ++c) {
            for (std::uint32_t j = 0; j < length_of(c); ++j) uses.push_back({c, j});
        }
        const auto atom_of_use = [&](const GpuUse& use) { return graph_.literals(use.conjunction)[use.place].atom(); };
        sort_by(uses, graph_.atom_count(), atom_of_use);
        const std::vector<std::uint32_t> begin =
            sort_by(uses, plan_.phases.size(), [&](const GpuUse& use) { return phase_of_[use.conjunction]; });
        for (std::size_t p = 0; p < plan_.phases.size(); ++p)
            plan_.phases[p].pulls = cut_runs(
                begin[p], begin[p + 1], [&](std::uint32_t i) { return atom_of_use(uses[i]); },
                [&](std::uint32_t i) { return length_of(uses[i].conjunction); });
    }

    void cut_weights() {
        std::vector<std::uint32_t>& members = plan_.members;
        members.resize(graph_.conjunction_count());
        std::iota(members.begin(), members.end(), 0U);
        sort_by(members, graph_.clause_count(), [&](std::uint32_t c) { return graph_.clause[c]; });
        const std::vector<std::uint32_t> begin =
            sort_by(members, plan_.phases.size(), [&](std::uint32_t c) { return phase_of_[c]; });
        for (std::size_t p = 0; p < plan_.phases.size(); ++p)
            plan_.phases[p].weights = cut_runs(
                begin[p], begin[p + 1], [&](std::uint32_t i) { return graph_.clause[members[i]]; },
                [&](std::uint32_t i) { return length_of(members[i]); });
    }

    template <class OwnerOf, class LengthOf>
    GpuSums cut_runs(std::uint32_t begin, std::uint32_t end, const OwnerOf& owner_of, const LengthOf& length) {
        SumCutter cutter(cuts_);
        for (std::uint32_t first = begin; first < end;) {
            std::uint32_t last = first + 1;
            while (last < end && owner_of(last) == owner_of(first)) ++last;
            cutter.add(owner_of(first), first, last, length);
            first = last;
        }
        GpuSums result = cutter.finish(plan_.items);
        plan_.results = std::max(plan_.results, result.results);
        return result;
    }

    const ReasoningGraph& graph_;
    const Schedule& schedule_;
    const GpuCuts& cuts_;
    std::vector<std::uint32_t> phase_of_;  // of conjunctions
    GpuPlan plan_;
};

}  // namespace

GpuPlan make_gpu_plan(const ReasoningGraph& graph, const Schedule& schedule, GpuCuts cuts) {
    // Small chunks keep all of a GPU busy; where there is enough to do, larger ones leave less to join.
    constexpr std::uint32_t enough = 400'000;
    if (cuts.chunk == 0) cuts.chunk = graph.conjunction_count() < enough ? 24 : 64;
    return Planner(graph, schedule, cuts).make();
}

}  // namespace neumann
