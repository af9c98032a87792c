#include "reason/cuda/card_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace neumann {
namespace {

class WorkCutter {
public:
    WorkCutter(const CardCuts& cuts, std::uint32_t chunk, std::vector<CardItem>& to)
        : radix_(cuts.radix), chunk_(chunk), to_(to) {}

    // `length_of(i)` is the length of the body that place i of the list is about.
    template <class LengthOf>
    void add(std::uint32_t owner, std::uint32_t begin, std::uint32_t end, const LengthOf& length_of) {
        const auto longest = [&](std::uint32_t from, std::uint32_t until) {
            std::uint32_t result = 0;
            for (std::uint32_t i = from; i < until; ++i) result = std::max(result, length_of(i));
            return result <= 1 ? 0U : result == 2 ? 1U : result <= CardConjunction::longest ? 2U : 3U;
        };
        if (end - begin <= chunk_) {
            items_.push_back({longest(begin, end), {begin, end, owner, CardItem::whole, CardItem::whole - 1}});
            return;
        }
        const std::size_t first_chunk = chunks_.size();
        std::uint32_t from = plan_.partials;
        for (std::uint32_t i = begin; i < end; i += chunk_) {
            const std::uint32_t until = std::min(end, i + chunk_);
            chunks_.push_back({longest(i, until), {i, until, owner, plan_.partials++, 0}});
        }
        std::uint32_t root = 0;
        for (std::size_t level = 0;; ++level) {
            const std::uint32_t until = plan_.partials;
            if (levels_.size() == level) levels_.emplace_back();
            const bool last = until - from <= radix_;
            for (std::uint32_t i = from; i < until; i += radix_)
                levels_[level].push_back(
                    {i, std::min(until, i + radix_), owner, plan_.partials++, last ? 0 : CardItem::whole - 1});
            from = until;
            if (!last) continue;
            root = plan_.partials - 1;
            levels_[level].back().root = root;
            last_.push_back(levels_[level].back());
            break;
        }
        for (std::size_t i = first_chunk; i < chunks_.size(); ++i) chunks_[i].item.root = root;
    }

    CardWorkPlan finish() {
        items_.insert(items_.end(), chunks_.begin(), chunks_.end());
        plan_.items = put(items_);
        plan_.chunks = put(chunks_);
        for (const std::vector<CardItem>& level : levels_) plan_.levels.push_back(put(level));
        plan_.last = put(last_);
        return std::move(plan_);
    }

private:
    struct Sorted {
        std::uint32_t length;
        CardItem item;
    };

    CardRange put(const std::vector<CardItem>& items) {
        const CardRange range{static_cast<std::uint32_t>(to_.size()), static_cast<std::uint32_t>(items.size())};
        to_.insert(to_.end(), items.begin(), items.end());
        return range;
    }
    // By the longest body, then the longest items first: neighbours take as long as each other.
    CardRange put(std::vector<Sorted>& items) {
        std::ranges::stable_sort(items, {}, [](const Sorted& one) {
            return std::pair(one.length, UINT32_MAX - (one.item.end - one.item.begin));
        });
        CardRange range{static_cast<std::uint32_t>(to_.size()), static_cast<std::uint32_t>(items.size())};
        for (const Sorted& one : items) {
            to_.push_back(one.item);
            for (std::uint32_t k = one.length; k < 3; ++k) ++range.class_end[k];
        }
        return range;
    }

    std::uint32_t radix_;
    std::uint32_t chunk_;
    std::vector<CardItem>& to_;
    std::vector<Sorted> items_;
    std::vector<Sorted> chunks_;
    std::vector<std::vector<CardItem>> levels_;
    std::vector<CardItem> last_;
    CardWorkPlan plan_;
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

std::vector<CardConjunction> pack(const ReasoningGraph& graph) {
    std::vector<CardConjunction> result(graph.conjunction_count());
    for (std::uint32_t c = 0; c < result.size(); ++c) {
        std::ranges::fill(result[c].literal, 2 * graph.atom_count());
        const std::uint32_t length = graph.body_begin[c + 1] - graph.body_begin[c];
        for (std::uint32_t j = 0; j < std::min(length, CardConjunction::longest); ++j)
            result[c].literal[j] = graph.body_codes()[graph.body_begin[c] + j];
    }
    return result;
}

class Planner {
public:
    Planner(const ReasoningGraph& graph, const Schedule& schedule, const CardCuts& cuts)
        : graph_(graph), schedule_(schedule), cuts_(cuts), phase_of_(graph.conjunction_count()) {
        for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
            for (const std::uint32_t atom : schedule.atoms_of(schedule.phases[p])) {
                for (std::uint32_t c = graph.in_begin[atom]; c < graph.in_begin[atom + 1]; ++c) phase_of_[c] = p;
            }
        }
    }

    CardPlan make() {
        plan_.packed = pack(graph_);
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
    CardWorkPlan finished(WorkCutter& cutter) {
        CardWorkPlan result = cutter.finish();
        plan_.partials = std::max(plan_.partials, result.partials);
        return result;
    }

    void cut_heads() {
        for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
            WorkCutter cutter(cuts_, cuts_.heads ? cuts_.chunk : UINT32_MAX, plan_.items);
            for (const std::uint32_t atom : schedule_.atoms_of(schedule_.phases[p]))
                cutter.add(atom, graph_.in_begin[atom], graph_.in_begin[atom + 1],
                           [&](std::uint32_t c) { return length_of(c); });
            plan_.phases[p].heads = finished(cutter);
            plan_.head_partials = std::max(plan_.head_partials, plan_.phases[p].heads.partials);
        }
    }

    void cut_pulls() {
        std::vector<CardUse>& uses = plan_.uses;
        for (std::uint32_t c = 0; c < graph_.conjunction_count(); ++c) {
            for (std::uint32_t j = 0; j < length_of(c); ++j) uses.push_back({c, j});
        }
        const auto atom_of_use = [&](const CardUse& use) { return graph_.literals(use.conjunction)[use.place].atom(); };
        sort_by(uses, graph_.atom_count(), atom_of_use);
        const std::vector<std::uint32_t> begin =
            sort_by(uses, plan_.phases.size(), [&](const CardUse& use) { return phase_of_[use.conjunction]; });
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
    CardWorkPlan cut_runs(std::uint32_t begin, std::uint32_t end, const OwnerOf& owner_of, const LengthOf& length) {
        WorkCutter cutter(cuts_, cuts_.uses, plan_.items);
        for (std::uint32_t first = begin; first < end;) {
            std::uint32_t last = first + 1;
            while (last < end && owner_of(last) == owner_of(first)) ++last;
            cutter.add(owner_of(first), first, last, length);
            first = last;
        }
        return finished(cutter);
    }

    const ReasoningGraph& graph_;
    const Schedule& schedule_;
    const CardCuts& cuts_;
    std::vector<std::uint32_t> phase_of_;  // of conjunctions
    CardPlan plan_;
};

}  // namespace

CardPlan make_card_plan(const ReasoningGraph& graph, const Schedule& schedule, CardCuts cuts) {
    // Small chunks keep all of a card busy; where there is enough to do, larger ones leave less to join.
    constexpr std::uint32_t enough = 400'000;
    if (cuts.chunk == 0) cuts.chunk = graph.conjunction_count() < enough ? 16 : 32;
    return Planner(graph, schedule, cuts).make();
}

}  // namespace neumann
